import { extent } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { formatRoundCount } from "@/core/format";

/** The value axis of a chart. */
export interface Axis {
  /** Lowest first. */
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
  const linear = scaleLinear([from, to], [0, 1]).nice(STEPS);
  const ticks = linear.ticks(STEPS).filter(Number.isInteger);
  if (kind === "linear") return { ticks, format: formatRoundCount, share: linear };
  const [first, last] = [Math.max(1, from), Math.max(2, to)];
  const log = scaleLog([first, last], [0, 1]).clamp(true);
  const isNarrow = last < 10 * first;
  return {
    ticks: isNarrow
      ? ticks.filter((tick) => tick >= first && tick <= last)
      : log.ticks(3).filter((tick) => /^[125]/.test(String(tick))),
    format: formatRoundCount,
    share: log,
  };
}

/** An axis of growth in percent that holds all values and zero. @param percents none below -100 */
export function createPercentAxis(percents: readonly number[], kind: AxisScale = "linear"): Axis {
  const [low = 0, high = 0] = extent([0, ...percents]);
  const linear = scaleLinear([low, Math.max(high, low + 1)], [0, 1]).nice(STEPS);
  const formatTick = linear.tickFormat(STEPS, "+f");
  const format = (tick: number) => (tick === 0 ? "0%" : `${formatTick(tick)}%`);
  const ticks = linear.ticks(STEPS);
  if (kind === "linear") return { ticks, format, share: linear };
  const [from = 0, to = 0] = linear.domain();
  const log = scaleLog([Math.max(MIN_PERCENT, from) + PERCENT_BASE, to + PERCENT_BASE], [0, 1]).clamp(true);
  return {
    ticks: ticks.filter((tick) => tick >= MIN_PERCENT),
    format,
    share: (percent) => log(percent + PERCENT_BASE),
  };
}
