import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import styles from "./filter-chip.module.css";

interface FilterChipProps {
  text: string;
  onRemove: () => void;
}

/** An active filter. A click removes it. */
export function FilterChip({ text, onRemove }: FilterChipProps) {
  return (
    <Button
      variant="light"
      size="compact-sm"
      radius="xl"
      className={styles.chip}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onRemove}
    >
      <span className="visually-hidden">Remove the filter </span>
      <span className={styles.clipped}>{text}</span>
    </Button>
  );
}
