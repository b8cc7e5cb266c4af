/** The value axis of a chart. */
export interface Axis {
  domain: [number, number];
  /** Evenly spaced whole numbers, lowest first; the first and the last are the domain. */
  ticks: number[];
  /** A tick as a short text; two ticks never have the same one. */
  format(tick: number): string;
}

const MOST_STEPS = 5;
/** So that one step of the platform's rounding does not fill the chart. */
const LEAST_SPAN = 0.04;
const UNITS = [
  { size: 1e9, letter: "B" },
  { size: 1e6, letter: "M" },
  { size: 1e3, letter: "K" },
  { size: 1, letter: "" },
];

/** An axis that holds all counts. @param counts at least one, none negative */
export function axisOf(counts: readonly number[]): Axis {
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const spare = Math.max(0, high * LEAST_SPAN - (high - low)) / 2;
  const [from, to] = [Math.max(0, low - spare), Math.max(high + spare, 1)];
  const step = niceStep((to - from) / (MOST_STEPS - 1));
  const first = Math.floor(from / step);
  const last = Math.max(Math.ceil(to / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
  return { domain: [first * step, last * step], ticks, format: formatter(step, last * step) };
}

/** The next larger of 1, 2 and 5 times a power of ten; 1 at least. */
function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, 1)));
  return ([1, 2, 5].find((factor) => factor * power >= step) ?? 10) * power;
}

/** As many decimals as tell two ticks apart. */
function formatter(step: number, most: number): Axis["format"] {
  const { size, letter } = UNITS.find((unit) => most >= unit.size) ?? { size: 1, letter: "" };
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return (tick) => (tick === 0 ? "0" : `${(tick / size).toFixed(digits)}${letter}`);
}
