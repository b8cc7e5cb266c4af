import { formatCount, formatDay, formatGrowth, formatGrowthRange, formatShortCount } from "@/core/format";
import { systemClock, toUtcDay } from "@/core/time";
import type { Creator, CreatorDetails } from "@/features/creators/schema";
import { isCurrent } from "@/features/growth/rules";
import styles from "./numbers.module.css";

type Counts = Pick<Creator, "counts">;

/** Why a count or a score is null, in words. */
export function describeMissing({ counts }: Counts): string {
  return counts === "unread" ? "not measured yet" : "hidden by the channel";
}

interface CountProps extends Counts {
  value: number | null;
  /** For narrow columns: one word in place of the reason, which becomes the title. */
  isBrief?: boolean;
}

/** A count of the platform, or why there is none. The full number is the title of a shortened one. */
export function Count({ value, counts, isBrief = false }: CountProps) {
  if (value === null) {
    const text = describeMissing({ counts });
    const brief = counts === "unread" ? "not yet" : "hidden";
    return (
      <span className={styles.unknown} title={isBrief ? text : undefined}>
        {isBrief ? brief : text}
      </span>
    );
  }
  return <span title={formatCount(value)}>{formatShortCount(value)}</span>;
}

export type Dated = Pick<CreatorDetails, "growth_day" | "status">;

/** The day of the latest snapshot when it is too old for growth: `2 Nov`. Null while growth is up to date. */
export function getStaleDay({ growth_day, status }: Dated): string | null {
  if (!growth_day || isCurrent(growth_day, status, toUtcDay(systemClock.now()))) return null;
  return formatDay(growth_day);
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

interface GrowthRangeProps {
  /** Null when not up to date. */
  percent: number | null;
  growth: CreatorDetails["growth"];
  days: number;
}

/** Growth with the range that rounding allows below it; grey where the range includes zero. */
export function GrowthRange({ percent, growth, days }: GrowthRangeProps) {
  const { low = null, high = null } = growth.find((window) => window.days === days) ?? {};
  if (percent === null || low === null || high === null || low === high) return <Growth percent={percent} />;
  const isUnsure = low <= 0 && high >= 0;
  return (
    <>
      {isUnsure ? <span className={styles.unknown}>{formatGrowth(percent)}</span> : <Growth percent={percent} />}
      <span className={styles.range}>
        <span className="visually-hidden">, true growth </span>
        {formatGrowthRange(low, high)}
      </span>
    </>
  );
}

/** Growth expected over the next days, 8 times in 10; grey where it may go either way. */
export function ExpectedRange({ range }: { range: { low: number; high: number } | null }) {
  if (range === null) return <Growth percent={null} />;
  const { low, high } = range;
  const className = low > 0 ? styles.rise : high < 0 ? styles.fall : styles.unknown;
  return (
    <span className={`${className} ${styles.expected}`}>
      <span className="visually-hidden">expected over the next 7 days, 8 times in 10: </span>
      {formatGrowthRange(low, high)}
    </span>
  );
}
