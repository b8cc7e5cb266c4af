import styles from "./badge.module.css";

interface BadgeProps {
  symbol: string;
  word: string;
  /** Background as `#rrggbb`, light enough for dark ink. */
  color: string;
}

/** A word with symbol and colour; each alone is enough. */
export function Badge({ symbol, word, color }: BadgeProps) {
  return (
    <span className={styles.badge} style={{ backgroundColor: color }}>
      <span aria-hidden="true" className={styles.symbol}>
        {symbol}
      </span>
      {word}
    </span>
  );
}
