import { formatGrowth } from "@/core/format";
import type { GrowthRange } from "./_chart/forecast";

/** Green only if both ends are above zero: else nobody knows whether it grew. */
export function getDirection({ low, high }: GrowthRange): "up" | "down" | "unsure" {
  return low > 0 ? "up" : high < 0 ? "down" : "unsure";
}

/** A range in percent: `+12.8 to +14.7%`. */
export function formatGrowthRange({ low, high }: GrowthRange): string {
  if (low === high) return "exact counts";
  return `${formatGrowth(low).replace("%", "")} to ${formatGrowth(high)}`;
}

/** An expected range: `+0.5 to +3%`, from 10% on without a decimal. */
export function formatExpectedRange({ low, high }: GrowthRange): string {
  const [from, to] = [low, high].map((bound) => formatGrowth(Math.abs(bound) >= 10 ? Math.round(bound) : bound));
  return `${trim(from)} to ${trim(to)}%`;
}

function trim(bound = ""): string {
  return bound.replace("%", "").replace(/\.0$/, "");
}
