import styles from "./badge.module.css";

interface BadgeProps {
  symbol: string;
  word: string;
  /** Background as `#rrggbb`, light enough for dark ink. */
  color: string | undefined;
}

/** A word with its symbol on its colour, so that none of the three has to be seen for the other two. */
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
