import { sum } from "d3-array";

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
 * One summand of a model: a curve of one measure, or a surface over two. Values lie at the points of each measure, those
 * of the last measure side by side; between points they are linear, outside constant.
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
