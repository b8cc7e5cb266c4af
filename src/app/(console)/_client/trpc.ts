import { type DefaultOptions, QueryClient } from "@tanstack/react-query";
import { httpBatchLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import { MINUTE } from "@/core/time";
import { PAGE_KEY_HEADER } from "@/features/sessions/rules";
import type { AppRouter } from "@/server/console/router";
import { toFailure } from "./failure";
import { getShownKeyId } from "./key-guard";

/** Numbers change once a day. Mutations invalidate what they change. */
const STALE_AFTER = MINUTE;
const RETRIES = 2;
/** The server takes 8; see src/server/console/trpc.ts. */
const MAX_BATCH = 8;

const DEFAULTS: DefaultOptions = {
  queries: { staleTime: STALE_AFTER, retry: (tried, error) => tried < RETRIES && toFailure(error).mayPass },
  // Offline, a change fails at once instead of waiting unseen.
  mutations: { networkMode: "always" },
};

/** Hooks for every procedure of the console: `trpc.usage.today.useQuery()`. */
export const trpc = createTRPCNext<AppRouter>({
  config() {
    const queryClient = new QueryClient({ defaultOptions: DEFAULTS });
    // All tabs share the cookie: another tab may have signed in with a different key.
    const headers = (): Record<string, string> => {
      const id = getShownKeyId(queryClient);
      return id === null ? {} : { [PAGE_KEY_HEADER]: id };
    };
    return {
      queryClient,
      links: [httpBatchLink({ url: "/api/trpc", maxItems: MAX_BATCH, maxURLLength: 4000, headers })],
    };
  },
});
