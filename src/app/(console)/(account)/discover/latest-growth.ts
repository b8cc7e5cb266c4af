import { computeGrowthBounds, computeGrowthPercent } from "@/features/growth/rules";
import type { GrowthWindow } from "@/features/growth/schema";

/** Growth up to the latest count of a trend, for creators without a snapshot of today; null where it is not known. */
export function measureTrend(trend: readonly (number | null)[], days: number): GrowthWindow | null {
  const last = trend.findLastIndex((count) => count !== null);
  const [before, after] = [trend[last - days] ?? null, trend[last] ?? null];
  const percent = computeGrowthPercent(before, after);
  if (percent === null || !before || !after) return null;
  const bounds = computeGrowthBounds(before, after);
  return { days, subscribers_before: before, subscribers_after: after, percent, ...bounds };
}
