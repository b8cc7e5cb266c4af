import type { Creator } from "@/features/creators/schema";
import { formatCount, formatGrowth, formatShortCount } from "@/ui/format";
import styles from "./numbers.module.css";

type Counts = Pick<Creator, "counts">;

/** Why a count or a score is null, in words. */
export function missingText({ counts }: Counts): string {
  return counts === "unread" ? "not measured yet" : "hidden by the channel";
}

/** A count of the platform, or why there is none. The full number is the title of a shortened one. */
export function Count({ value, counts }: Counts & { value: number | null }) {
  if (value === null) return <span className={styles.unknown}>{missingText({ counts })}</span>;
  return <span title={formatCount(value)}>{formatShortCount(value)}</span>;
}

/** Growth in percent, or a dash where it is unknown or not up to date. The sign repeats what the color says. */
export function Growth({ percent }: { percent: number | null }) {
  if (percent === null)
    return (
      <span className={styles.unknown} title="Not known: this needs two up-to-date snapshots">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">not known</span>
      </span>
    );
  const className = percent > 0 ? styles.rise : percent < 0 ? styles.fall : styles.unknown;
  return <span className={className}>{formatGrowth(percent)}</span>;
}
