"use client";

import { Menu, UnstyledButton } from "@mantine/core";
import { useRef } from "react";
import type { CreatorList } from "@/features/lists/schema";
import type { Asked } from "./list-dialog";
import styles from "./lists.module.css";

interface ListMenuProps {
  list: CreatorList;
  onAsk: (asked: Asked) => void;
}

/** What can be done with a list. It is rendered when it is first opened. */
export function ListMenu({ list, onAsk }: ListMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const ask = (kind: "rename" | "delete") => onAsk({ kind, list, from: button.current });
  return (
    <Menu defaultOpened position="bottom-start" returnFocus>
      <Menu.Target>
        <UnstyledButton ref={button} className={styles.more} aria-label={`Change the list ${list.name}`}>
          ⋯
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask("rename")}>Rename</Menu.Item>
        <Menu.Item color="var(--danger)" onClick={() => ask("delete")}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
