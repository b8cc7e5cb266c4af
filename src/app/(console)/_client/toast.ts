import type { ReactNode } from "react";
import { toFailure } from "./failure";

/** Time to read a sentence or to decide on undo. Failures stay until closed. */
const SHOWN_MS = { done: 8000, undo: 30_000, failed: false } as const;

/** The event of the window at which a page shows the container of toasts. */
export const TOASTED = "toasted";

/**
 * Shows the result of an action, also to screen readers. The library loads with the first toast.
 * @param kind how long it stays
 */
export async function toast(message: ReactNode, kind: keyof typeof SHOWN_MS = "done"): Promise<void> {
  const { notifications } = await import("@mantine/notifications");
  notifications.show({
    message,
    color: kind === "failed" ? "red" : "accent",
    autoClose: SHOWN_MS[kind],
    withBorder: true,
    closeButtonProps: { "aria-label": "Close the message" },
  });
  window.dispatchEvent(new Event(TOASTED));
}

/** Shows why an action failed. */
export function toastFailure(error: unknown): void {
  void toast(toFailure(error).message, "failed");
}
