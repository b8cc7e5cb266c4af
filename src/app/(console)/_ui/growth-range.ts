import { formatGrowthRange } from "@/core/format";
import type { Range } from "@/features/growth/calibration.rules";
import type { GrowthWindow } from "@/features/growth/schema";

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
