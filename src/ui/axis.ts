/** The value axis of a chart. */
export interface Axis {
  domain: [number, number];
  /** Lowest first. */
  ticks: number[];
  /** A tick as a short text; two ticks never have the same one. */
  format(tick: number): string;
  /** Where a value lies: 0 at the lower end of the domain, 1 at the upper one. */
  share(value: number): number;
}

/** Whether equal distances are equal differences or equal ratios. */
export type AxisScale = "linear" | "log";

const MOST_STEPS = 5;
/** So that one step of the platform's rounding does not fill the chart. */
const LEAST_SPAN = 0.04;
const UNITS = [
  { size: 1e9, letter: "B" },
  { size: 1e6, letter: "M" },
  { size: 1e3, letter: "K" },
  { size: 1, letter: "" },
];

/** Percent are compared by what 100 became. */
const PERCENT_BASE = 100;
const LEAST_PERCENT_SPAN = 1;
/** A count that fell to zero has no place on a logarithmic axis. */
const LEAST_PERCENT = -99;

/**
 * An axis that holds all counts. A linear one has evenly spaced ticks, whose first and last are the domain.
 * @param counts at least one, none negative
 */
export function axisOf(counts: readonly number[], scale: AxisScale = "linear"): Axis {
  return scale === "log" ? logAxis(counts) : linearAxis(counts);
}

/** An axis of growth in percent that holds all values and zero. @param percents none below -100 */
export function percentAxisOf(percents: readonly number[], scale: AxisScale = "linear"): Axis {
  const [low, high] = [Math.min(0, ...percents), Math.max(0, ...percents)];
  const step = niceStep(Math.max(high - low, LEAST_PERCENT_SPAN) / (MOST_STEPS - 1), 0.1);
  const last = Math.max(Math.ceil(high / step - 1e-9), Math.floor(low / step + 1e-9) + 1);
  const all = steps(Math.floor(low / step + 1e-9), last, step);
  const ticks = scale === "log" ? all.filter((tick) => tick > -PERCENT_BASE) : all;
  const from = Math.min(low, ticks[0] ?? low);
  const digits = step < 1 ? 1 : 0;
  return {
    ...positions(
      scale,
      PERCENT_BASE,
      scale === "log" ? Math.max(LEAST_PERCENT, from) : from,
      ticks.at(-1) ?? high,
    ),
    ticks,
    format: (tick) =>
      `${tick > 0 ? "+" : tick < 0 ? "−" : ""}${Math.abs(tick).toFixed(tick === 0 ? 0 : digits)}%`,
  };
}

function linearAxis(counts: readonly number[]): Axis {
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const spare = Math.max(0, high * LEAST_SPAN - (high - low)) / 2;
  const [from, to] = [Math.max(0, low - spare), Math.max(high + spare, 1)];
  const step = niceStep((to - from) / (MOST_STEPS - 1), 1);
  const first = Math.floor(from / step);
  const last = Math.max(Math.ceil(to / step), first + 1);
  return {
    ...positions("linear", 0, first * step, last * step),
    ticks: steps(first, last, step),
    format: formatter(step, last * step),
  };
}

/** Within a power of ten the ticks of a linear axis, which tell more; beyond it, powers of ten and their parts. */
function logAxis(counts: readonly number[]): Axis {
  const [low, high] = [Math.max(1, Math.min(...counts)), Math.max(1, ...counts)];
  if (high < 10 * low) {
    const { ticks, format } = linearAxis(counts.map((count) => Math.max(1, count)));
    const above = ticks.filter((tick) => tick > 0);
    return {
      ...positions("log", 0, Math.min(low, above[0] ?? low), above.at(-1) ?? high),
      ticks: above,
      format,
    };
  }
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const parts = high < 1000 * low ? [1, 2, 5] : [1];
  const powers = Array.from({ length: last - first + 1 }, (_, place) => 10 ** (first + place));
  const ticks = powers.flatMap((power) => parts.map((part) => part * power));
  const [below, above] = [
    ticks.findLastIndex((tick) => tick <= low),
    ticks.findIndex((tick) => tick >= high),
  ];
  const held = ticks.slice(below, above + 1);
  return {
    ...positions("log", 0, held[0] ?? low, held.at(-1) ?? high),
    ticks: held,
    format: (tick) => formatter(tick, tick)(tick),
  };
}

/** @param offset what is added before the logarithm */
function positions(
  scale: AxisScale,
  offset: number,
  from: number,
  to: number,
): Pick<Axis, "domain" | "share"> {
  const of = (value: number) => (scale === "log" ? Math.log10(Math.max(value, from) + offset) : value);
  return { domain: [from, to], share: (value) => (of(value) - of(from)) / (of(to) - of(from)) };
}

/** Multiples of a step without what floating point adds to them. */
function steps(first: number, last: number, step: number): number[] {
  return Array.from(
    { length: last - first + 1 },
    (_, place) => Number(((first + place) * step).toFixed(1)) + 0,
  );
}

/** The next larger of 1, 2 and 5 times a power of ten. */
function niceStep(step: number, least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, least)) + 1e-9);
  return ([1, 2, 5].find((factor) => factor * power >= step) ?? 10) * power;
}

/** As many decimals as tell two ticks apart. */
function formatter(step: number, most: number): Axis["format"] {
  const { size, letter } = UNITS.find((unit) => most >= unit.size) ?? { size: 1, letter: "" };
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return (tick) => (tick === 0 ? "0" : `${(tick / size).toFixed(digits)}${letter}`);
}
