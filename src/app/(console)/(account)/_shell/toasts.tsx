import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

export function Toasts() {
  return (
    <section aria-label="Messages">
      {/* A portal would be outside all landmarks. */}
      <Notifications position="bottom-right" limit={3} withinPortal={false} />
    </section>
  );
}
