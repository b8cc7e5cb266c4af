import { formatCount, formatGrowth, formatShortCount } from "@/ui/format";
import styles from "./numbers.module.css";

/** A platform count, shortened, with the full number in its title; null when hidden. */
export function Count({ value }: { value: number | null }) {
  if (value === null) return <span className={styles.unknown}>hidden</span>;
  return <span title={formatCount(value)}>{formatShortCount(value)}</span>;
}

/** Growth in percent with sign and colour; null when unknown. */
export function Growth({ percent }: { percent: number | null }) {
  if (percent === null)
    return (
      <span className={styles.unknown} title="Not known: this needs two snapshots to compare">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">not known</span>
      </span>
    );
  const className = percent > 0 ? styles.rise : percent < 0 ? styles.fall : styles.unknown;
  return <span className={className}>{formatGrowth(percent)}</span>;
}
