import { formatCount, formatGrowth } from "@/core/format";
import { computeGrowthBounds, computeGrowthPercent, computeRoundingError } from "@/features/growth/rules";
import type { Values } from "./paths";

/** Texts for one day of a chart. */
export interface DayFacts {
  count: string;
  /** The range of the true count; null where the count is exact. */
  range: string | null;
  /** The change to the day before; null where one of the days has no count. */
  change: { text: string; range: string | null; direction: "up" | "down" | "unsure" } | null;
}

/** The facts of a day; null without a count. */
export function getDayFacts(counts: Values, index: number): DayFacts | null {
  const count = counts[index] ?? null;
  if (count === null) return null;
  const hidden = computeRoundingError(count);
  return {
    count: formatCount(count),
    range: hidden > 0 ? `${formatCount(count)} to ${formatCount(count + hidden)}` : null,
    change: formatChange(counts[index - 1] ?? null, count),
  };
}

function formatChange(before: number | null, after: number): DayFacts["change"] {
  if (before === null) return null;
  const gained = after - before;
  const percent = computeGrowthPercent(before, after);
  const sign = gained > 0 ? "+" : gained < 0 ? "−" : "";
  const text = `${sign}${formatCount(Math.abs(gained))}${percent === null ? "" : ` (${formatGrowth(percent)})`}`;
  const { low, high } = before > 0 ? computeGrowthBounds(before, after) : { low: gained, high: gained };
  return {
    text,
    range: low === high ? null : `${formatGrowth(low)} to ${formatGrowth(high)}`,
    direction: low > 0 ? "up" : high < 0 ? "down" : "unsure",
  };
}

/** The highest true count of each day behind the rounded ones. */
export function getHighestCounts(counts: Values): (number | null)[] {
  return counts.map((count) => count && count + computeRoundingError(count));
}
