import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";

/** Holds the text to run when Discover opens next, set by another page or the command menu. */
const REQUESTED = "requested discovery";

/**
 * The address of Discover that searches a niche or previews channels at once. Opened as a link it only fills the box,
 * because a link must not use requests or look-ups.
 */
export function requestDiscovery(kind: "niche" | "channels", text: string): string {
  sessionStorage.setItem(REQUESTED, text);
  return `/discover?${kind}=${encodeURIComponent(text)}`;
}

const getStorageKey = () => `list ${location.pathname}`;

/** Saves the text until its page opens again after sign-in. */
export function saveForSignIn(text: string): void {
  sessionStorage.setItem(getStorageKey(), text);
}

interface BoxActions {
  onType: (text: string) => void;
  onNiche: (niche: string) => void;
  preview: (text: string) => void;
}

/** Fills the box with the text saved for sign-in or the channels in the URL, and runs a requested search. */
export function useInitialText({ onType, onNiche, preview }: BoxActions): void {
  const search = useSearchParams();
  const fill = useEffectEvent((channels: string | null, niche: string | null) => {
    const [saved, requested] = [takeStored(getStorageKey()), takeStored(REQUESTED)];
    const text = saved ?? channels;
    if (text !== null) onType(text);
    if (requested === null) return;
    if (requested === channels) preview(channels);
    else if (requested === niche) onNiche(niche);
  });
  const [channels, niche] = [search.get("channels"), search.get("niche")];
  useEffect(() => fill(channels, niche), [channels, niche]);
}

function takeStored(key: string): string | null {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return text;
}
