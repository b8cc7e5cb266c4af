import { formatCount, formatGrowth, formatShortCount } from "@/ui/format";
import styles from "./numbers.module.css";

/** A count of the platform; null where the channel hides it. The whole number is the title of a shortened one. */
export function Count({ value }: { value: number | null }) {
  if (value === null) return <span className={styles.unknown}>hidden</span>;
  return <span title={formatCount(value)}>{formatShortCount(value)}</span>;
}

/** Growth in percent; null where it is not known. Its sign says what its colour says. */
export function Growth({ percent }: { percent: number | null }) {
  if (percent === null)
    return (
      <span className={styles.unknown} title="Not known: there are no two readings to compare">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">not known</span>
      </span>
    );
  const className = percent > 0 ? styles.rise : percent < 0 ? styles.fall : styles.unknown;
  return <span className={className}>{formatGrowth(percent)}</span>;
}
