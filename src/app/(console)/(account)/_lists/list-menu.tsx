"use client";

import { useRef } from "react";
import type { CreatorList } from "@/features/lists/schema";
import { Dropdown, DropdownItem } from "../../_ui/dropdown";
import type { ListDialogRequest } from "./list-dialog";
import styles from "./lists.module.css";

interface ListMenuProps {
  list: CreatorList;
  onAsk: (request: ListDialogRequest) => void;
}

/** What can be done with a list. */
export function ListMenu({ list, onAsk }: ListMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const ask = (kind: "rename" | "delete") => onAsk({ kind, list, from: button.current });
  const label = `Change the list ${list.name}`;
  return (
    <Dropdown button={button} text="⋯" label={label} title={label} className={styles.more}>
      <DropdownItem onClick={() => ask("rename")}>Rename</DropdownItem>
      <DropdownItem isDanger onClick={() => ask("delete")}>
        Delete
      </DropdownItem>
    </Dropdown>
  );
}
