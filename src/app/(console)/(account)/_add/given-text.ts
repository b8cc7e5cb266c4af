"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";

/** What Discover was last opened for, on another page or in the command menu. */
let asked: string | null = null;

/**
 * The address of Discover that searches a niche or previews channels at once. Opened as a link it only fills the box,
 * because a link must not use requests or look-ups.
 */
export function askDiscover(kind: "niche" | "channels", text: string): string {
  asked = text;
  return `/discover?${kind}=${encodeURIComponent(text)}`;
}

/** Where a list waits while its reader signs in again. */
const keptAt = () => `list ${location.pathname}`;

/** Keeps a list until its page opens again. */
export function keepOverSignIn(text: string): void {
  sessionStorage.setItem(keptAt(), text);
}

interface BoxActions {
  onType: (text: string) => void;
  onNiche: (niche: string) => void;
  preview: (text: string) => void;
}

/** Fills the box with what was kept over a sign-in, or with the channels in the URL, and does what was asked for. */
export function useGivenText({ onType, onNiche, preview }: BoxActions): void {
  const search = useSearchParams();
  const fill = useEffectEvent((channels: string | null, niche: string | null) => {
    const kept = sessionStorage.getItem(keptAt());
    sessionStorage.removeItem(keptAt());
    const text = kept ?? channels;
    if (text !== null) onType(text);
    if (asked !== null && asked === channels) preview(channels);
    else if (asked !== null && asked === niche) onNiche(niche);
    asked = null;
  });
  const [channels, niche] = [search.get("channels"), search.get("niche")];
  useEffect(() => fill(channels, niche), [channels, niche]);
}
