"use client";

import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** The container of toasts. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={3} aria-label="Messages" />;
}
