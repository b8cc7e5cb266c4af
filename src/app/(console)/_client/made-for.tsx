"use client";

import { type ReactNode, useEffect, useInsertionEffect } from "react";

/** ID of the key whose data this document shows; null at sign-in, undefined on the server. */
let own: string | null | undefined;

interface MadeForProps {
  /** Null for pages without a key. */
  keyId: string | null;
  children: ReactNode;
}

/**
 * Content for one key. When another tab has signed in with a different key, the page reloads instead of showing that
 * key's data; the reload also drops all cached data.
 */
export function MadeFor({ keyId, children }: MadeForProps) {
  const isOfAnother = own !== undefined && own !== keyId;
  // Before other effects, and so before the first request.
  useInsertionEffect(() => {
    if (own === undefined) own = keyId;
  }, [keyId]);
  useEffect(() => {
    if (isOfAnother) location.reload();
  }, [isOfAnother]);
  return isOfAnother ? null : children;
}

/** ID of the key whose data this document shows, or null. */
export function ownKeyId(): string | null {
  return own ?? null;
}
