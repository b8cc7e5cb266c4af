import { HydrationBoundary } from "@tanstack/react-query";
import { createServerSideHelpers } from "@trpc/react-query/server";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import type { SignedInKey } from "@/features/keys/schema";
import { appRouter } from "@/server/console/router";
import { findSignedInKey } from "@/server/console/session";
import { canCompareChannels, getAppContext } from "@/server/context";
import { withRequestDigest } from "../../request-id";
import { KeyGuard } from "../_client/key-guard";

/**
 * Calls procedures on the server so that the first paint has their data. The page passes them to
 * `Prefetched`. The browser repeats a query that failed here.
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

interface PrefetchedProps {
  keyId: string;
  helpers: ReturnType<typeof createPrefetchHelpers>;
  children: ReactNode;
}

/** A page of a key, with what its helpers have loaded. */
export function Prefetched({ keyId, helpers, children }: PrefetchedProps) {
  return (
    <KeyGuard keyId={keyId}>
      <HydrationBoundary state={helpers.dehydrate()}>{children}</HydrationBoundary>
    </KeyGuard>
  );
}

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The state in a page's URL, as `useUrlState` reads it in the browser. */
export function readUrlState<State extends Record<string, string>>(given: Awaited<SearchParams>, defaults: State) {
  const named = Object.entries(defaults).map(([name, usual]) => [name, [given[name]].flat()[0] ?? usual]);
  return Object.fromEntries(named) as State;
}

function refuse(): never {
  throw new Error("a page that is being rendered changes no session");
}

/** The key of the signed-in reader, or null. Read once per request. */
export const getCurrentKey = cache(async (): Promise<SignedInKey | null> => {
  const cookies = (await headers()).get("cookie");
  return withRequestDigest(findSignedInKey(getAppContext(), cookies));
});

/** The key of the signed-in reader. Other readers are redirected to sign-in. */
export async function requireKey(): Promise<SignedInKey> {
  return (await getCurrentKey()) ?? redirect("/sign-in");
}
