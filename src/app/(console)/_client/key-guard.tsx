"use client";

import { type ReactNode, useEffect, useInsertionEffect } from "react";

/** ID of the key whose data this document shows; null at sign-in, undefined on the server. */
let currentKeyId: string | null | undefined;

interface KeyGuardProps {
  /** Null for pages without a key. */
  keyId: string | null;
  children: ReactNode;
}

/** Reloads the page when another tab has signed in with a different key, which also drops all cached data. */
export function KeyGuard({ keyId, children }: KeyGuardProps) {
  const isOtherKey = currentKeyId !== undefined && currentKeyId !== keyId;
  // Before other effects, and so before the first request.
  useInsertionEffect(() => {
    if (currentKeyId === undefined) currentKeyId = keyId;
  }, [keyId]);
  useEffect(() => {
    if (isOtherKey) location.reload();
  }, [isOtherKey]);
  return isOtherKey ? null : children;
}

/** ID of the key whose data this document shows, or null. */
export function getCurrentKeyId(): string | null {
  return currentKeyId ?? null;
}
