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

const MAX_STEPS = 5;
/** So that one step of the platform's rounding does not fill the chart. */
const MIN_SPAN = 0.04;
const UNITS = [
  { size: 1e9, letter: "B" },
  { size: 1e6, letter: "M" },
  { size: 1e3, letter: "K" },
  { size: 1, letter: "" },
];

/** Percent are compared by what 100 became. */
const PERCENT_BASE = 100;
const MIN_PERCENT_SPAN = 1;
/** A logarithmic axis has no zero. */
const MIN_PERCENT = -99;

/**
 * An axis that holds all counts. A linear one has evenly spaced ticks, whose first and last are the domain.
 * @param counts at least one, none negative
 */
export function createAxis(counts: readonly number[], scale: AxisScale = "linear"): Axis {
  return scale === "log" ? createLogAxis(counts) : createLinearAxis(counts);
}

/** An axis of growth in percent that holds all values and zero. @param percents none below -100 */
export function createPercentAxis(percents: readonly number[], scale: AxisScale = "linear"): Axis {
  const [low, high] = [Math.min(0, ...percents), Math.max(0, ...percents)];
  const step = roundUpStep(Math.max(high - low, MIN_PERCENT_SPAN) / (MAX_STEPS - 1), 0.1);
  const last = Math.max(Math.ceil(high / step - 1e-9), Math.floor(low / step + 1e-9) + 1);
  const all = listSteps(Math.floor(low / step + 1e-9), last, step);
  const ticks = scale === "log" ? all.filter((tick) => tick > -PERCENT_BASE) : all;
  const from = Math.min(low, ticks[0] ?? low);
  const digits = step < 1 ? 1 : 0;
  return {
    ...createScale(
      scale,
      PERCENT_BASE,
      scale === "log" ? Math.max(MIN_PERCENT, from) : from,
      ticks.at(-1) ?? high,
    ),
    ticks,
    format: (tick) =>
      `${tick > 0 ? "+" : tick < 0 ? "−" : ""}${Math.abs(tick).toFixed(tick === 0 ? 0 : digits)}%`,
  };
}

function createLinearAxis(counts: readonly number[]): Axis {
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const spare = Math.max(0, high * MIN_SPAN - (high - low)) / 2;
  const [from, to] = [Math.max(0, low - spare), Math.max(high + spare, 1)];
  const step = roundUpStep((to - from) / (MAX_STEPS - 1), 1);
  const first = Math.floor(from / step);
  const last = Math.max(Math.ceil(to / step), first + 1);
  return {
    ...createScale("linear", 0, first * step, last * step),
    ticks: listSteps(first, last, step),
    format: createFormatter(step, last * step),
  };
}

/** Linear ticks within a power of ten; beyond it, powers of ten and their parts. */
function createLogAxis(counts: readonly number[]): Axis {
  const [low, high] = [Math.max(1, Math.min(...counts)), Math.max(1, ...counts)];
  if (high < 10 * low) {
    const { ticks, format } = createLinearAxis(counts.map((count) => Math.max(1, count)));
    const above = ticks.filter((tick) => tick > 0);
    return {
      ...createScale("log", 0, Math.min(low, above[0] ?? low), above.at(-1) ?? high),
      ticks: above,
      format,
    };
  }
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const parts = high < 1000 * low ? [1, 2, 5] : [1];
  const powers = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  const ticks = powers.flatMap((power) => parts.map((part) => part * power));
  const [below, above] = [
    ticks.findLastIndex((tick) => tick <= low),
    ticks.findIndex((tick) => tick >= high),
  ];
  const held = ticks.slice(below, above + 1);
  return {
    ...createScale("log", 0, held[0] ?? low, held.at(-1) ?? high),
    ticks: held,
    format: (tick) => createFormatter(tick, tick)(tick),
  };
}

/** @param offset what is added before the logarithm */
function createScale(
  scale: AxisScale,
  offset: number,
  from: number,
  to: number,
): Pick<Axis, "domain" | "share"> {
  const project = (value: number) => (scale === "log" ? Math.log10(Math.max(value, from) + offset) : value);
  return {
    domain: [from, to],
    share: (value) => (project(value) - project(from)) / (project(to) - project(from)),
  };
}

/** Multiples of a step without what floating point adds to them. */
function listSteps(first: number, last: number, step: number): number[] {
  return Array.from(
    { length: last - first + 1 },
    (_, index) => Number(((first + index) * step).toFixed(1)) + 0,
  );
}

/** The next larger of 1, 2 and 5 times a power of ten. */
function roundUpStep(step: number, min: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, min)) + 1e-9);
  return ([1, 2, 5].find((factor) => factor * power >= step) ?? 10) * power;
}

/** Uses just enough decimals to tell two ticks apart. */
function createFormatter(step: number, max: number): Axis["format"] {
  const { size, letter } = UNITS.find((unit) => max >= unit.size) ?? { size: 1, letter: "" };
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return (tick) => (tick === 0 ? "0" : `${(tick / size).toFixed(digits)}${letter}`);
}
