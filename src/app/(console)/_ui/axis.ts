import { extent, nice, tickStep, ticks } from "d3-array";
import { formatRoundCount } from "@/core/format";

export interface Axis {
  ticks: number[];
  /** A tick as a short text; two ticks never have the same one. */
  format(tick: number): string;
  /** Where a value lies: 0 at the lower end, 1 at the upper one. */
  share(value: number): number;
}

/** Whether equal distances are equal differences or equal ratios. */
export type AxisScale = "linear" | "log";

const STEPS = 4;
/** Of the highest count, so that one step of the platform's rounding does not fill the chart. */
const MIN_SPAN = 0.04;
/** Percent are compared by what 100 became. */
const PERCENT_BASE = 100;
/** A logarithmic axis has no zero. */
const MIN_PERCENT = -99;

/** An axis that holds all counts. @param counts at least one, none negative */
export function createAxis(counts: readonly number[], kind: AxisScale = "linear"): Axis {
  const [low = 0, high = 0] = extent(counts);
  const spare = Math.max(0, high * MIN_SPAN - (high - low)) / 2;
  const [from, to] = [Math.floor(Math.max(0, low - spare)), Math.ceil(Math.max(high + spare, 1))];
  const linear = createLinear(from, to);
  const whole = linear.ticks.filter(Number.isInteger);
  if (kind === "linear") return { ticks: whole, format: formatRoundCount, share: linear.share };
  const [first, last] = [Math.max(1, from), Math.max(2, to)];
  const shown = last < 10 * first ? whole : listPowers(Math.log10(first), Math.log10(last));
  return {
    ticks: shown.filter((tick) => tick >= first && tick <= last),
    format: formatRoundCount,
    share: createLogShare(first, last),
  };
}

/** An axis of growth in percent that holds all values and zero. @param percents none below -100 */
export function createPercentAxis(percents: readonly number[], kind: AxisScale = "linear"): Axis {
  const [low = 0, high = 0] = extent([0, ...percents]);
  const linear = createLinear(low, Math.max(high, low + 1));
  const { min, max, share } = linear;
  const decimals = Math.max(0, -Math.floor(Math.log10(tickStep(min, max, STEPS))));
  const format = (tick: number) => (tick === 0 ? "0%" : `${tick > 0 ? "+" : "−"}${Math.abs(tick).toFixed(decimals)}%`);
  if (kind === "linear") return { ticks: linear.ticks, format, share };
  const log = createLogShare(Math.max(MIN_PERCENT, min) + PERCENT_BASE, max + PERCENT_BASE);
  return {
    ticks: linear.ticks.filter((tick) => tick >= MIN_PERCENT),
    format,
    share: (percent) => log(percent + PERCENT_BASE),
  };
}

/** Even bounds around two values. Not by d3-scale, which weighs more than the rest of the chart. */
function createLinear(from: number, to: number) {
  const [min, max] = nice(from, to, STEPS);
  return { min, max, ticks: ticks(min, max, STEPS), share: (value: number) => (value - min) / (max - min) };
}

/** Values outside of the bounds are at the nearer end. */
function createLogShare(first: number, last: number): Axis["share"] {
  return (value) => Math.min(1, Math.max(0, Math.log(Math.max(value, first) / first) / Math.log(last / first)));
}

const DECADES = 3;

/** Powers of ten between two exponents; their double and fivefold too where the exponents are close. */
function listPowers(from: number, to: number): number[] {
  if (to - from >= DECADES) return ticks(from, to, DECADES).map((exponent) => 10 ** exponent);
  const exponents = Array.from({ length: DECADES + 2 }, (_, index) => Math.floor(from) + index);
  return exponents.flatMap((exponent) => [1, 2, 5].map((factor) => factor * 10 ** exponent));
}
