"use client";

import { useSyncExternalStore } from "react";

/** Time to read a sentence and reach its button. */
const SHOWN_MS = 8000;

let wasAsked = false;
const listeners = new Set<() => void>();

/**
 * Shows the result of an action, also to screen readers. The library loads with the first toast.
 * @param kind failures stay until closed
 */
export async function toast(message: string, kind: "done" | "failed" = "done"): Promise<void> {
  const { notifications } = await import("@mantine/notifications");
  notifications.show({
    message,
    color: kind === "failed" ? "red" : "accent",
    autoClose: kind === "done" && SHOWN_MS,
    withBorder: true,
    closeButtonProps: { "aria-label": "Close the message" },
  });
  wasAsked = true;
  for (const listener of listeners) listener();
}

/** Whether a toast was shown, so that their container is needed. */
export function useWantsToasts(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => wasAsked,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
