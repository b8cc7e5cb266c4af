"use client";

import { MutationCache, QueryCache } from "@tanstack/react-query";
import { httpBatchLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import { MINUTE } from "@/core/time";
import { PAGE_KEY_HEADER } from "@/features/sessions/rules";
import type { AppRouter } from "@/server/console/router";
import { toFailure } from "./failure";
import { getCurrentKeyId } from "./key-guard";
import { redirectToSignIn } from "./sign-in-redirect";

/** Numbers change once a day. Mutations invalidate what they change. */
const STALE_AFTER = MINUTE;
const RETRIES = 2;
/** The server takes 8; see src/server/console/trpc.ts. */
const MAX_BATCH = 8;

/** Hooks for every procedure of the console: `trpc.usage.today.useQuery()`. */
export const trpc = createTRPCNext<AppRouter>({
  config: () => ({
    links: [
      httpBatchLink({ url: "/api/trpc", maxItems: MAX_BATCH, maxURLLength: 4000, headers: getKeyHeader }),
    ],
    queryClientConfig: {
      queryCache: new QueryCache({ onError: redirectWhenSignedOut }),
      mutationCache: new MutationCache({ onError: redirectWhenSignedOut }),
      defaultOptions: {
        queries: {
          staleTime: STALE_AFTER,
          retry: (tried, error) => tried < RETRIES && toFailure(error).mayPass,
        },
        // Offline, a change fails at once instead of waiting unseen.
        mutations: { networkMode: "always" },
      },
    },
  }),
});

/** All tabs share the cookie: another tab may have signed in with a different key. */
function getKeyHeader(): Record<string, string> {
  const id = getCurrentKeyId();
  return id === null ? {} : { [PAGE_KEY_HEADER]: id };
}

/** A session can end at any time. */
function redirectWhenSignedOut(error: unknown): void {
  if (toFailure(error).code === "UNAUTHORIZED") redirectToSignIn();
}
