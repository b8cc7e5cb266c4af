import { type Day, HOUR } from "@/core/time";

/** A stored reading as far as growth is concerned. */
export interface GrowthReading {
  day: Day;
  readAt: Date;
  subscribers: number | null;
}

/** A reading of an earlier day, as far as judging a rise is concerned. */
export interface PastReading extends GrowthReading {
  views: number | null;
}

/** A one-day growth counts only between readings at most this far apart. */
export const MAX_BASELINE_AGE = 36 * HOUR;

/**
 * Growth in percent with one decimal, rounded half up, in integer arithmetic; null where it is not defined: from
 * zero, from or to a hidden count.
 */
export function growthPercent(before: number | null, after: number | null): number | null {
  if (!before || after === null) return null;
  const tenths = roundedRatio(1000n * (BigInt(after) - BigInt(before)), BigInt(before));
  return Number(tenths) / 10;
}

/**
 * The counts of a day and the day before that may be compared: both shown, and read at most 36 hours apart; null
 * otherwise.
 */
export function comparableCounts(
  baseline: GrowthReading | undefined,
  current: GrowthReading,
): { before: number; after: number } | null {
  if (!baseline || baseline.subscribers === null || current.subscribers === null) return null;
  if (current.readAt.getTime() - baseline.readAt.getTime() > MAX_BASELINE_AGE) return null;
  return { before: baseline.subscribers, after: current.subscribers };
}

/** Growth in percent since the day before, between comparable counts; null when unknown. */
export function oneDayGrowthPercent(
  baseline: GrowthReading | undefined,
  current: GrowthReading,
): number | null {
  const counts = comparableCounts(baseline, current);
  return counts && growthPercent(counts.before, counts.after);
}

/** The growth that a reader may rely on, given that the platform cuts counts. All in percent, one decimal. */
export interface GrowthBounds {
  low: number;
  high: number;
}

/**
 * The lowest and highest true growth that two shown counts allow. The platform rounds counts from 1,000 up down to
 * three significant figures, so 123,000 may be anything from 123,000 to 123,999; smaller counts are exact. The bounds
 * themselves are rounded outwards. Both counts are above zero.
 */
export function growthBounds(before: number, after: number): GrowthBounds {
  const most = BigInt(before) + BigInt(hiddenByRounding(before));
  const low = floorRatio(1000n * (BigInt(after) - most), most);
  const high = -floorRatio(
    -1000n * (BigInt(after) + BigInt(hiddenByRounding(after)) - BigInt(before)),
    BigInt(before),
  );
  return { low: Number(low) / 10, high: Number(high) / 10 };
}

/** How much more than a shown count the true one may be. */
export function hiddenByRounding(shown: number): number {
  return shown < 1000 ? 0 : 10 ** (String(shown).length - 3) - 1;
}

/** `numerator / denominator` rounded half up; the denominator is positive. */
function roundedRatio(numerator: bigint, denominator: bigint): bigint {
  return floorRatio(2n * numerator + denominator, 2n * denominator);
}

/** `numerator / denominator` rounded down, also below zero; the denominator is positive. */
function floorRatio(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && numerator % denominator !== 0n ? quotient - 1n : quotient;
}
