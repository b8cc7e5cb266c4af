import { createServerSideHelpers } from "@trpc/react-query/server";
import type { SignedInKey } from "@/features/keys/schema";
import { appContext } from "@/server/context";
import { appRouter } from "@/server/router";

/**
 * Asks procedures for a page before it is sent, so that its first paint has their answers. The page hands what
 * `dehydrate()` returns to `Prefetched`; a query that failed here is asked again by the browser.
 */
export function prefetchHelpers(key: SignedInKey) {
  return createServerSideHelpers({
    router: appRouter,
    ctx: {
      ...appContext(),
      session: { caller: async () => key, open: refuse, close: refuse },
      clientAddress: "",
      requestId: "",
    },
  });
}

/** The parameters of a page's address, as Next hands them in. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** What an address says of a page's state, as `useUrlState` reads it in the browser. */
export function addressState<State extends Record<string, string>>(
  given: Awaited<SearchParams>,
  defaults: State,
): State {
  const named = Object.entries(defaults).map(([name, usual]) => [name, [given[name]].flat()[0] ?? usual]);
  return Object.fromEntries(named) as State;
}

function refuse(): never {
  throw new Error("a page that is being rendered changes no session");
}
