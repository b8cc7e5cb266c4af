"use client";

import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./shell.module.css";

interface MenuDrawerProps {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The navigation on narrow screens. */
export function MenuDrawer({ opened, onClose, children }: MenuDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={280}
      title="Menu"
      // A drawer's header must not be a banner landmark.
      attributes={{ header: { role: "none" } }}
      closeButtonProps={{ "aria-label": "Close the menu" }}
      classNames={{ body: styles.drawer }}
    >
      {children}
    </Drawer>
  );
}
