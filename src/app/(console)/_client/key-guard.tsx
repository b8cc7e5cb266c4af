"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useInsertionEffect } from "react";

/** Where the cache has the ID of the key whose data this document shows; null at sign-in. */
const SHOWN_KEY = ["shown key"];

/**
 * Reloads the page when another tab has signed in with a different key, which also drops all cached data.
 * @param keyId null for pages without a key
 */
export function KeyGuard({ keyId, children }: { keyId: string | null; children: ReactNode }) {
  const queryClient = useQueryClient();
  const shown = queryClient.getQueryData<string | null>(SHOWN_KEY);
  const isOtherKey = shown !== undefined && shown !== keyId;
  // Before other effects, and so before the first request.
  useInsertionEffect(() => {
    queryClient.setQueryDefaults(SHOWN_KEY, { gcTime: Number.POSITIVE_INFINITY });
    queryClient.setQueryData<string | null>(SHOWN_KEY, (known) => (known === undefined ? keyId : known));
  }, [queryClient, keyId]);
  useEffect(() => {
    if (isOtherKey) location.reload();
  }, [isOtherKey]);
  return isOtherKey ? null : children;
}

/** ID of the key whose data this document shows, or null. */
export function getShownKeyId(queryClient: QueryClient): string | null {
  return queryClient.getQueryData<string | null>(SHOWN_KEY) ?? null;
}
