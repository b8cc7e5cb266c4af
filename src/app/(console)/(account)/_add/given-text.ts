"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";

/** Where a list waits while its reader signs in again. */
const keptAt = () => `list ${location.pathname}`;

/** Keeps a list until its page opens again. */
export function keepOverSignIn(text: string): void {
  sessionStorage.setItem(keptAt(), text);
}

/**
 * Fills the box with what was kept over a sign-in, or with the channels in the URL. These are previewed at once, except
 * after a full page load: a link on another site must not use the key's look-ups.
 */
export function useGivenText(onType: (text: string) => void, preview: (text: string) => void): void {
  const channels = useSearchParams().get("channels");
  const fill = useEffectEvent((given: string | null) => {
    const kept = sessionStorage.getItem(keptAt());
    sessionStorage.removeItem(keptAt());
    const text = kept ?? given;
    if (text === null) return;
    onType(text);
    const [loaded] = performance.getEntriesByType("navigation");
    if (kept === null && loaded?.name !== location.href) preview(text);
  });
  useEffect(() => fill(channels), [channels]);
}
