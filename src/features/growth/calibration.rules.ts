import { sum } from "d3-array";
import fitted from "./fitted.json" with { type: "json" };
import type { ScoreParts } from "./schema";

/** What `npm run tools -- fit` makes of real histories. */
export interface Fitted {
  /** For each number of days of history, the comparable score at each raw score. */
  comparable: { days: readonly number[]; raw: readonly number[]; scores: readonly (readonly number[])[] };
  /** Log odds of a growth, by days ahead. */
  chances: Record<Horizon, readonly Term[]>;
  /** Growth that 1 of 10 channels stays below and 1 of 10 exceeds, after {@link compressGrowth}, by days ahead. */
  ranges: Record<Horizon, Record<keyof Range, readonly Term[]>>;
}

export type Horizon = 7 | 28;

/** Chances from 0 to 1, with three decimals. */
export interface Chances {
  /** That subscribers grow by 5% or more within 7 days. */
  chance_7d: number;
  /** That they grow by 20% or more within 28 days. */
  chance_28d: number;
}

/** Growth in percent with one decimal that 8 in 10 channels stay within. */
export interface Range {
  low: number;
  high: number;
}

export interface Ranges {
  expected_7d: Range;
  expected_28d: Range;
}

/** The tables in use. */
export const FITTED = fitted as Fitted;

/** Growth whose chance is given, by days ahead. */
export const CHANCE_GROWTH = { 7: 0.05, 28: 0.2 } as const;

/** A smaller channel has no chances: they were fitted on channels from this size on. */
export const MIN_CHANCE_SIZE = 100;

/** Days over which `growth_28d` is the mean of four weeks. */
const WINDOW = 28;
/** Growth (log) from which {@link compressGrowth} turns from linear to logarithmic. */
const COMPRESSION = 0.004;

/**
 * The score with 28 days of history of channels that grow as much afterwards. A short history shows less growth than a
 * long one, so the same raw score means more. It never changes the order of channels with the same days of history.
 */
export function toComparableScore(raw: number, historyDays: number, table = FITTED.comparable): number {
  const [below, above, share] = findSegment(table.days, historyDays);
  const getScore = (index: number) => interpolate({ at: table.raw, values: table.scores[index] ?? [] }, raw);
  return getScore(below) + share * (getScore(above) - getScore(below));
}

/** @param score after {@link toComparableScore} */
export function toMeasures(parts: ScoreParts, score: number, subscribers: number): Measures {
  const { history_days: days, slowest_week: slowest } = parts;
  return {
    score,
    days,
    size: Math.log(Math.max(1, subscribers)),
    recent: compressGrowth(parts.growth_recent),
    pace: compressGrowth((parts.growth_28d * WINDOW) / days),
    slowest_week: slowest && compressGrowth(slowest),
    largest_day_share: parts.largest_day_share,
    growth_since_largest_day: compressGrowth(parts.growth_since_largest_day),
  };
}

/** @returns null for a channel with fewer than 100 subscribers */
export function computeChances(measures: Measures, { chances } = FITTED): Chances | null {
  if (measures.size < Math.log(MIN_CHANCE_SIZE)) return null;
  const computeChance = (horizon: Horizon) =>
    Math.round(1000 / (1 + Math.exp(-sumTerms(chances[horizon], measures)))) / 1000;
  return { chance_7d: computeChance(7), chance_28d: computeChance(28) };
}

/** The growth in percent that is likely: 8 in 10 channels like it end inside. */
export function computeRanges(measures: Measures, { ranges } = FITTED): Ranges {
  const computeRange = (horizon: Horizon): Range => {
    const [one, other] = [ranges[horizon].low, ranges[horizon].high].map((terms) =>
      roundPercent(100 * Math.expm1(expandGrowth(sumTerms(terms, measures)))),
    );
    return { low: Math.min(one ?? 0, other ?? 0), high: Math.max(one ?? 0, other ?? 0) };
  };
  return { expected_7d: computeRange(7), expected_28d: computeRange(28) };
}

/** Log growth on a scale that is linear near zero and logarithmic beyond, in both directions. */
export function compressGrowth(growth: number): number {
  return Math.asinh(growth / COMPRESSION);
}

function expandGrowth(compressed: number): number {
  return COMPRESSION * Math.sinh(compressed);
}

function roundPercent(percent: number): number {
  // Without the sum, a small loss would be -0.
  return Math.round(10 * percent) / 10 + 0;
}

/** What a channel shows, for the models of chances and ranges. Null is unknown, and adds nothing. */
export interface Measures {
  /** 0 to 100, after the days of history are allowed for. */
  score: number;
  /** Of history. */
  days: number;
  /** Natural logarithm of the subscribers. */
  size: number;
  /** The rest is growth, compressed: recently, over all known days and in the slowest week, each per week. */
  recent: number;
  pace: number;
  slowest_week: number | null;
  /** Of the window's rises, 0 to 1. */
  largest_day_share: number;
  growth_since_largest_day: number;
}

/** Points of a curve that is linear between them and constant outside. */
export interface Curve {
  at: readonly number[];
  values: readonly number[];
}

/**
 * One summand of a model: a curve of one measure, or a surface over two. Values lie at the points of each measure,
 * those of the last measure side by side; between points they are linear, outside constant.
 */
export interface Term {
  of: readonly (keyof Measures)[];
  at: readonly (readonly number[])[];
  values: readonly number[];
}

/** What a model says of a channel. */
export function sumTerms(terms: readonly Term[], measures: Measures): number {
  return sum(terms, (term) => evaluateTerm(term, measures));
}

/** What a term adds: 0 if a measure is unknown. The measures before `axis` led to `row`. */
function evaluateTerm(term: Term, measures: Measures, axis = 0, row = 0): number {
  const name = term.of[axis];
  if (name === undefined) return term.values[row] ?? 0;
  const points = term.at[axis] ?? [];
  const x = measures[name];
  if (x === null) return 0;
  const [below, above, share] = findSegment(points, x);
  const start = row * points.length;
  const low = evaluateTerm(term, measures, axis + 1, start + below);
  return share === 0 ? low : (1 - share) * low + share * evaluateTerm(term, measures, axis + 1, start + above);
}

export function interpolate({ at, values }: Curve, x: number): number {
  const [below, above, share] = findSegment(at, x);
  const [low, high] = [values[below] ?? 0, values[above] ?? 0];
  return low + share * (high - low);
}

/** The indices of the points around x, and how far x lies from the first to the second. */
export function findSegment(at: readonly number[], x: number): [below: number, above: number, share: number] {
  const above = at.findIndex((point) => point >= x);
  if (above === -1) return [at.length - 1, at.length - 1, 0];
  if (above === 0) return [0, 0, 0];
  const [low, high] = [at[above - 1] ?? 0, at[above] ?? 0];
  return [above - 1, above, (x - low) / (high - low)];
}
