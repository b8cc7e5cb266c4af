"use client";

import { useSyncExternalStore } from "react";

/** Long enough to read a sentence and to reach its button. */
const SHOWN_MS = 8000;

let wasAsked = false;
const listeners = new Set<() => void>();

/**
 * Tells the reader, also by screen reader, what an action elsewhere on the page has come to. Its code is loaded with
 * the first one.
 * @param kind failures stay until they are closed
 */
export async function toast(message: string, kind: "done" | "failed" = "done"): Promise<void> {
  const { notifications } = await import("@mantine/notifications");
  notifications.show({
    message,
    color: kind === "failed" ? "red" : "growth",
    autoClose: kind === "done" && SHOWN_MS,
    withBorder: true,
    closeButtonProps: { "aria-label": "Close the message" },
  });
  wasAsked = true;
  for (const listener of listeners) listener();
}

/** Whether there has been a toast, so that the place for them is needed. */
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
