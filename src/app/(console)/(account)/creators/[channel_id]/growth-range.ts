import { formatGrowth } from "@/core/format";
import type { Range } from "@/features/growth/calibration.rules";

/** Green only if both ends are above zero: else it may have grown or shrunk. */
export function getDirection({ low, high }: Range): "up" | "down" | "unsure" {
  return low > 0 ? "up" : high < 0 ? "down" : "unsure";
}

/** A range in percent: `+12.8 to +14.7%`. */
export function formatGrowthRange({ low, high }: Range): string {
  if (low === high) return "exact counts";
  return `${formatGrowth(low).replace("%", "")} to ${formatGrowth(high)}`;
}
