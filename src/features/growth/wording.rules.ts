import { formatGrowthRange } from "@/core/format";
import type { Range } from "./calibration.rules";

/** Minimum percentile of a channel that is rising for its size. */
export const RISING_PERCENTILE = 90;

/** The rank of a channel among those of its size in few words: `top 4% for its size`; null when unknown or in the lower half. */
export function formatShortRank(percentile: number | null): string | null {
  if (percentile === null || percentile < 50) return null;
  return `top ${Math.max(1, Math.ceil(100 - percentile))}% for its size`;
}

/** A likely growth in words: `+0.5 to +3.0%`; null when unknown. */
export function formatExpectedGrowth(range: Range | null): string | null {
  return range && formatGrowthRange(range.low, range.high);
}

const CHANCE_OF = { 7: "+5% this week", 28: "+20% in 4 weeks" } as const;

/** A chance in words: `62% chance of +5% this week`; null when unknown. */
export function formatChance(days: 7 | 28, chance: number | null): string | null {
  if (chance === null) return null;
  const percent = Math.round(100 * chance);
  if (percent < 1) return `under 1% chance of ${CHANCE_OF[days]}`;
  return percent > 99 ? `over 99% chance of ${CHANCE_OF[days]}` : `${percent}% chance of ${CHANCE_OF[days]}`;
}
