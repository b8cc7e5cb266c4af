import { formatCount, formatDay, formatGrowth, formatGrowthRange, formatShortCount } from "@/core/format";
import { systemClock, toUtcDay } from "@/core/time";
import type { Creator, CreatorDetails } from "@/features/creators/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { isCurrent } from "@/features/growth/rules";
import type { GrowthWindow } from "@/features/growth/schema";
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
  if (value !== null) return <span title={formatCount(value)}>{formatShortCount(value)}</span>;
  const text = describeMissing({ counts });
  if (!isBrief) return <span className={styles.unknown}>{text}</span>;
  return (
    <span className={styles.unknown} title={text}>
      {counts === "unread" ? "not yet" : "hidden"}
    </span>
  );
}

export type Dated = Pick<CreatorDetails, "growth_day" | "status">;

/** The day of the latest snapshot when it is too old for growth: `2 Nov`. Null while growth is up to date. */
export function getStaleDay({ growth_day, status }: Dated): string | null {
  if (!growth_day || isCurrent(growth_day, status, toUtcDay(systemClock.now()))) return null;
  return formatDay(growth_day);
}

interface GrowthProps {
  /** Null where it is unknown or not up to date. */
  percent: number | null;
  /** The true growth, grey where it includes zero. */
  range?: Range;
}

/** Growth in percent, or a dash. The sign repeats what the color says. */
export function Growth({ percent, range }: GrowthProps) {
  if (percent === null)
    return (
      <span className={styles.unknown} title="Not known: this needs two up-to-date snapshots">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">not known</span>
      </span>
    );
  return (
    <span className={styles.growth} data-direction={getDirection(range ?? { low: percent, high: percent })}>
      {formatGrowth(percent)}
    </span>
  );
}

interface GrowthRangeProps extends Pick<GrowthProps, "percent"> {
  growth: readonly GrowthWindow[];
  days: number;
}

/** Growth with the range that rounding allows below it; grey where the range includes zero. */
export function GrowthRange({ percent, growth, days }: GrowthRangeProps) {
  const { low = null, high = null } = growth.find((window) => window.days === days) ?? {};
  if (percent === null || low === null || high === null || low === high) return <Growth percent={percent} />;
  return (
    <>
      <Growth percent={percent} range={{ low, high }} />
      <span className={styles.range}>
        <span className="visually-hidden">, true growth </span>
        {formatGrowthRange(low, high)}
      </span>
    </>
  );
}

/** Growth expected over the next days, 8 times in 10; grey where it may go either way. */
export function ExpectedRange({ range }: { range: Range | null }) {
  if (range === null) return <Growth percent={null} />;
  return (
    <span className={`${styles.growth} ${styles.expected}`} data-direction={getDirection(range)}>
      <span className="visually-hidden">expected over the next 7 days, 8 times in 10: </span>
      {formatGrowthRange(range.low, range.high)}
    </span>
  );
}

export type Direction = "up" | "down" | "unsure";

/** Green only if both ends are above zero: else it may have grown or shrunk. */
export function getDirection({ low, high }: Range): Direction {
  return low > 0 ? "up" : high < 0 ? "down" : "unsure";
}

/** The range of a measured growth: `+12.8 to +14.7%`. */
export function describeRange({ low, high }: Range): string {
  return low === high ? "exact counts" : formatGrowthRange(low, high);
}

type MeasuredGrowth = { [Field in keyof GrowthWindow]: NonNullable<GrowthWindow[Field]> };

export function isMeasured(growth: GrowthWindow | undefined): growth is MeasuredGrowth {
  return growth !== undefined && Object.values(growth).every((value) => value !== null);
}

export function toCounts(count: number, { low, high }: Range): Range {
  return { low: Math.round(count * (1 + low / 100)), high: Math.round(count * (1 + high / 100)) };
}
