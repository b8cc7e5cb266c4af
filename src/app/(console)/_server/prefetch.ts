import { createServerSideHelpers } from "@trpc/react-query/server";
import type { SignedInKey } from "@/features/keys/schema";
import { appRouter } from "@/server/console/router";
import { canCompareChannels, getAppContext } from "@/server/context";

/**
 * Calls procedures on the server so that the first paint has their data. The page passes `dehydrate()` to
 * `HydrationBoundary`. The browser repeats a query that failed here.
 */
export function createPrefetchHelpers(key: SignedInKey) {
  const ctx = getAppContext();
  return createServerSideHelpers({
    router: appRouter,
    ctx: {
      ...ctx,
      mayPublish: canCompareChannels(ctx),
      session: { caller: async () => key, open: refuse, close: refuse },
      clientAddress: "",
      requestId: "",
    },
  });
}

/** The search parameters of a page. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The state in a page's URL, as `useUrlState` reads it in the browser. */
export function readUrlState<State extends Record<string, string>>(
  given: Awaited<SearchParams>,
  defaults: State,
): State {
  const named = Object.entries(defaults).map(([name, usual]) => [name, [given[name]].flat()[0] ?? usual]);
  return Object.fromEntries(named) as State;
}

function refuse(): never {
  throw new Error("a page that is being rendered changes no session");
}
