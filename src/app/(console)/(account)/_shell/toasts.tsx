"use client";

import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** The container of toasts. */
export function Toasts() {
  return (
    <section aria-label="Messages">
      {/* In a portal it would lie outside of all landmarks. */}
      <Notifications position="bottom-right" limit={3} withinPortal={false} />
    </section>
  );
}
