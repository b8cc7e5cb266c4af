import styles from "./badge.module.css";

interface BadgeProps {
  /** A severity, in capitals. */
  word: string;
  /** Of the square, as `#rrggbb`. */
  color: string;
}

/** A severity: its word beside a square of its colour. The word has a twin of the colour that is legible. */
export function Badge({ word, color }: BadgeProps) {
  return (
    <span className={styles.badge} data-severity={word}>
      <span aria-hidden="true" className={styles.square} style={{ backgroundColor: color }} />
      {word}
    </span>
  );
}
