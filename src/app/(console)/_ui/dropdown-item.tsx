import type { ReactNode } from "react";
import styles from "./dropdown.module.css";

interface DropdownItemProps {
  isDanger?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A choice in a dropdown. */
export function DropdownItem({ isDanger = false, onClick, children }: DropdownItemProps) {
  return (
    <button
      type="button"
      dir="auto"
      className={isDanger ? `${styles.item} ${styles.danger}` : styles.item}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
