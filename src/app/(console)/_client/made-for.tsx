"use client";

import { type ReactNode, useEffect, useInsertionEffect } from "react";

/** Id of the key whose data this document holds, null at sign-in: the first that it was made for. The server has none. */
let own: string | null | undefined;

interface MadeForProps {
  /** Null for what is made for nobody. */
  keyId: string | null;
  children: ReactNode;
}

/**
 * What the server made for one key. Another tab may have signed in or out meanwhile: what then comes into a document of
 * another key is not shown in it. The address is loaded anew, which drops whatever is kept of the earlier key's data.
 */
export function MadeFor({ keyId, children }: MadeForProps) {
  const isOfAnother = own !== undefined && own !== keyId;
  // Before any effect, and so before the first call.
  useInsertionEffect(() => {
    if (own === undefined) own = keyId;
  }, [keyId]);
  useEffect(() => {
    if (isOfAnother) location.reload();
  }, [isOfAnother]);
  return isOfAnother ? null : children;
}

/** Id of the key that this document was made for; null where it shows nobody's data. */
export function ownKeyId(): string | null {
  return own ?? null;
}
