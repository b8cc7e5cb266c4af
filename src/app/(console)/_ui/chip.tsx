import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount } from "@/core/format";
import styles from "./chip.module.css";

interface ChipProps {
  isOn: boolean;
  /** How many rows it would show. */
  count?: number;
  title?: string;
  onClick: () => void;
  children: ReactNode;
}

/** A filter that is on or off. */
export function Chip({ isOn, count, title, onClick, children }: ChipProps) {
  return (
    <UnstyledButton
      className={styles.chip}
      aria-pressed={isOn}
      data-empty={count === 0 || undefined}
      title={title}
      onClick={onClick}
    >
      {children}
      {count !== undefined && <span className={styles.count}> {formatCount(count)}</span>}
    </UnstyledButton>
  );
}
