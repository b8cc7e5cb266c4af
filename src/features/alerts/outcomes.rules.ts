import { computeRoundingError } from "@/features/growth/rules";
import type { Outcome } from "./rules";

/** Days after which an alert is graded. */
export const HORIZONS = [7, 28] as const;
export type Horizon = (typeof HORIZONS)[number];

/** Days by which a snapshot may be late. */
export const GRACE_DAYS = 2;

/** Halves of the day's gain that the channel must gain again. */
const HALVES_NEEDED: Readonly<Record<Horizon, bigint>> = { 7: 1n, 28: 2n };

/**
 * Whether the rise of an alert held: the channel gained at least half of the day's gain again within 7 days, or all of
 * it again within 28. `faded` when it gained less, `unclear` without a count or where the platform's rounding allows
 * both. In integer arithmetic.
 * @param later the count at the horizon; null when unknown
 */
export function gradeOutcome(before: number, after: number, later: number | null, horizon: Horizon): Outcome {
  if (later === null) return "unclear";
  const halves = HALVES_NEEDED[horizon];
  /** Twice the later gain minus twice the gain needed. */
  const computeMargin = (from: bigint, to: bigint, then: bigint) => 2n * (then - to) - halves * (to - from);
  if (computeMargin(BigInt(before), computeMaxCount(after), BigInt(later)) >= 0n) return "held";
  return computeMargin(computeMaxCount(before), BigInt(after), computeMaxCount(later)) < 0n ? "faded" : "unclear";
}

/** The lowest count at the horizon for which {@link gradeOutcome} answers `held`. */
export function computeHeldCount(before: number, after: number, horizon: Horizon): number {
  const max = computeMaxCount(after);
  return Number(max + (HALVES_NEEDED[horizon] * (max - BigInt(before)) + 1n) / 2n);
}

function computeMaxCount(shown: number): bigint {
  return BigInt(shown) + BigInt(computeRoundingError(shown));
}
