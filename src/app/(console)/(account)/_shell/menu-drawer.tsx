import { Drawer, type DrawerProps } from "@mantine/core";
import styles from "./shell.module.css";

/** The navigation on narrow screens. */
export function MenuDrawer(props: Pick<DrawerProps, "opened" | "onClose" | "children">) {
  return (
    <Drawer
      {...props}
      size={280}
      title="Menu"
      // A drawer's header must not be a banner landmark.
      attributes={{ header: { role: "none" } }}
      closeButtonProps={{ "aria-label": "Close the menu" }}
      classNames={{ body: styles.drawer }}
    />
  );
}
