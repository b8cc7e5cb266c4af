import { sum } from "d3-array";
import { formatCount } from "@/core/format";
import type { Reliability } from "@/features/backtest/chances.rules";
import type { Accuracy } from "@/features/backtest/comparison.service";
import { ALERT_LEVELS } from "@/features/growth/score.rules";

/** A counted share with its 95% interval, from 0 to 1. */
export type CountedShare = ReturnType<typeof computeShare>;

/** Fewer than this many say nothing in a headline. */
export const MIN_COUNTED = 20;
const Z = 1.96;

/** A share of a count, with the interval of Wilson: it stays within 0 and 1 for small counts too. */
export function computeShare(came: number, of: number) {
  if (of === 0) return { came, of, share: 0, low: 0, high: 1 };
  const share = came / of;
  const spread = Z ** 2 / of;
  const middle = (share + spread / 2) / (1 + spread);
  const reach = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / of + spread / (4 * of));
  return { came, of, share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}

/** How many creators of each level, and of all, grew 5% or more in the week after a score. */
export function summarizeLevels({ levels }: Pick<Accuracy, "levels">) {
  const all = Object.values(levels);
  return {
    levels: ALERT_LEVELS.map((level) => ({ level, ...computeShare(levels[level].came, levels[level].channels) })),
    high: computeShare(levels.HIGH_GROWTH.came, levels.HIGH_GROWTH.channels),
    average: computeShare(
      sum(all, ({ came }) => came),
      sum(all, ({ channels }) => channels),
    ),
  };
}

/** All bins together: weeks, the mean chance from 0 to 1, and the share that came. */
export function summarizeBins(bins: Reliability["bins"]) {
  const weeks = sum(bins, ({ channels }) => channels);
  const said = sum(bins, ({ channels, predicted }) => channels * (predicted ?? 0));
  const came = sum(bins, ({ channels, seen }) => channels * (seen ?? 0));
  return { weeks, said: weeks > 0 ? said / weeks : 0, seen: computeShare(Math.round(came), weeks) };
}

/** `1,234 of 5,678`. */
export function formatCounted(came: number, of: number): string {
  return `${formatCount(came)} of ${formatCount(of)}`;
}

/** `66 of 100` as a number: a share as a whole percent, or with one decimal below 10. */
export function formatOfHundred(share: number): string {
  const percent = 100 * share;
  return percent > 0 && percent < 9.95 ? percent.toFixed(1) : String(Math.round(percent));
}

export function formatBrier(score: number): string {
  return score.toFixed(3);
}
