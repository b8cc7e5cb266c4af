import { hiddenByRounding } from "@/features/growth/rules";
import type { Outcome } from "./rules";

/** After how many days an alert is graded. */
export const HORIZONS = [7, 28] as const;
export type Horizon = (typeof HORIZONS)[number];

/** A missed day is made up for by the next ones, as long as they are no more than these. */
export const GRACE_DAYS = 2;

/** How many halves of the day's gain have to come on top of it by then. */
const HALVES_NEEDED: Readonly<Record<Horizon, bigint>> = { 7: 1n, 28: 2n };

/**
 * Whether the rise of an alert has held: the channel gained at least half as many subscribers again within 7 days, or
 * as many again within 28, as on the day itself. It has faded when it gained fewer; `unclear` where the count is not
 * known, or where the platform's rounding allows either. In whole numbers.
 * @param later the count so many days after the alert; null when there is none
 */
export function outcomeOf(before: number, after: number, later: number | null, horizon: Horizon): Outcome {
  if (later === null) return "unclear";
  const halves = HALVES_NEEDED[horizon];
  /** Twice what was gained since, less what was needed. Each count may be more than is shown. */
  const margin = (from: bigint, to: bigint, then: bigint) => 2n * (then - to) - halves * (to - from);
  if (margin(BigInt(before), mostOf(after), BigInt(later)) >= 0n) return "held";
  return margin(mostOf(before), BigInt(after), mostOf(later)) < 0n ? "faded" : "unclear";
}

function mostOf(shown: number): bigint {
  return BigInt(shown) + BigInt(hiddenByRounding(shown));
}
