import { rollup, sum } from "d3-array";
import {
  type ChanceModel,
  type Curve,
  type Fitted,
  findSegment,
  interpolate,
  toComparableScore,
} from "@/features/growth/calibration.rules";
import { limitScore } from "@/features/growth/score.rules";
import { hasReachedGrowth } from "./groups.rules";

/** A channel on a day, with a part of its history and its later growth. */
export interface Sample {
  /** Index of its channel over all files. */
  channel: number;
  /** Index of its file. Files weigh the same. */
  file: number;
  historyDays: number;
  raw: number;
  hasGrown: boolean;
  /** Log growth over the horizon; null when unknown. */
  grown: { 7: number | null; 28: number | null };
  /** Mean over the horizons of -ln(share of the day's channels that grew as much or more). */
  rarity: number;
  size: number;
}

export const HISTORY_LENGTHS = [1, 2, 3, 5, 7, 10, 14, 21, 28] as const;
const RAW_POINTS = [0, 2, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 35, 40, 50, 60, 75, 100];
/** Quantiles of the raw score that bound the bins of a length, finer where the strong channels are. */
const QUANTILES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.965, 0.98, 0.99, 0.995, 1];
/** Keeps order where the data are level. */
const MIN_SLOPE = 0.001;
const SCORE_POINTS = [0, 4, 8, 12, 16, 20, 25, 30, 37, 44, 50, 58, 66, 75, 85, 100];
const DAY_POINTS = [1, 3, 7, 14, 28];
const SIZE_POINTS = [200, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000].map(Math.log);
/** Rounds of Newton's method; more change no decimal that is kept. */
const ROUNDS = 80;
/** Weight, in channel-days with even odds, that draws each shift to 0. */
const PRIOR = 20;
/** Share of Newton's step, since neighbouring points move together. */
const STEP = 0.3;
/** Largest change of log odds in one round. */
const MAX_CHANGE = 0.5;

/** Fits the table of comparable scores, then the chances on it. */
export function fitAll(samples: readonly Sample[]): Fitted {
  const weights = computeWeights(samples);
  const comparable = fitComparable(samples, weights);
  const exact = samples.map(({ raw, historyDays, hasGrown }) =>
    limitScore(toComparableScore(raw, historyDays, comparable), hasGrown),
  );
  const fitHorizon = (horizon: 7 | 28) => fitChance(samples, exact, weights, horizon);
  return { comparable, chances: { 7: fitHorizon(7), 28: fitHorizon(28) } };
}

const NONE: Curve = { at: [0], values: [0] };

/** Each file weighs the same in total. */
function computeWeights(samples: readonly Sample[]): number[] {
  const counts = rollup(
    samples,
    ({ length }) => length,
    ({ file }) => file,
  );
  return samples.map(({ file }) => samples.length / counts.size / (counts.get(file) ?? 1));
}

/** For each length, the score at which channels with 28 days are as strong afterwards. */
function fitComparable(samples: readonly Sample[], weights: readonly number[]): Fitted["comparable"] {
  const curves = HISTORY_LENGTHS.map((length, index) => {
    const [shorter, longer] = [HISTORY_LENGTHS[index - 1] ?? length, HISTORY_LENGTHS[index + 1] ?? length];
    const isNear = ({ historyDays }: Sample) =>
      historyDays >= (length + shorter) / 2 && historyDays <= (length + longer) / 2;
    return fitStrengthCurve(samples, weights, isNear);
  });
  const full = curves.at(-1) ?? NONE;
  const scores = curves.map((curve, index) =>
    index === curves.length - 1
      ? RAW_POINTS
      : makeIncreasing(RAW_POINTS.map((raw) => findEquivalentScore(curve, full, raw))),
  );
  return { days: HISTORY_LENGTHS, raw: RAW_POINTS, scores };
}

/** Mean rarity by raw score, never falling. */
function fitStrengthCurve(
  samples: readonly Sample[],
  weights: readonly number[],
  isNear: (sample: Sample) => boolean,
): Curve {
  const near = samples.flatMap((sample, index) =>
    isNear(sample) ? [{ x: sample.raw, y: sample.rarity, weight: weights[index] ?? 0 }] : [],
  );
  near.sort((one, other) => one.x - other.x);
  const total = sum(near, ({ weight }) => weight);
  const bins = QUANTILES.slice(1).map(() => ({ x: 0, y: 0, weight: 0 }));
  let before = 0;
  for (const { x, y, weight } of near) {
    const bin = bins[Math.max(0, QUANTILES.findIndex((bound) => bound >= before / total) - 1)];
    before += weight;
    if (!bin) continue;
    bin.x += weight * x;
    bin.y += weight * y;
    bin.weight += weight;
  }
  const known = bins.filter(({ weight }) => weight > 0);
  const values = fitIsotonic(
    known.map(({ y, weight }) => y / weight),
    known.map(({ weight }) => weight),
  );
  return { at: known.map(({ x, weight }) => x / weight), values };
}

function findEquivalentScore(curve: Curve, full: Curve, raw: number): number {
  const [lastRaw, lastScore] = [curve.at.at(-1) ?? 0, full.at.at(-1) ?? 0];
  const getScore = (at: number) => interpolate({ at: full.values, values: full.at }, interpolate(curve, at));
  if (raw <= lastRaw) return getScore(raw);
  // Beyond the data the curve runs straight to 100.
  const reached = Math.min(getScore(lastRaw), lastScore);
  return reached + ((raw - lastRaw) / (100 - lastRaw)) * (100 - reached);
}

function makeIncreasing(scores: readonly number[]): number[] {
  let last = -1;
  return scores.map((score, index) => {
    const min = index === 0 ? 0 : last + MIN_SLOPE * ((RAW_POINTS[index] ?? 0) - (RAW_POINTS[index - 1] ?? 0)) * 20;
    last = Math.min(100, Math.max(score, min));
    return round(last, 2);
  });
}

/** Weighted isotonic regression (pool adjacent violators). */
export function fitIsotonic(values: readonly number[], weights: readonly number[]): number[] {
  const pools: { value: number; weight: number; count: number }[] = [];
  values.forEach((value, index) => {
    let pool = { value, weight: weights[index] ?? 0, count: 1 };
    for (let last = pools.at(-1); last && last.value >= pool.value; last = pools.at(-1)) {
      const weight = last.weight + pool.weight;
      const mean = (last.value * last.weight + pool.value * pool.weight) / weight;
      pool = { value: mean, weight, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  });
  return pools.flatMap(({ value, count }) => new Array<number>(count).fill(value));
}

/** Logistic regression on piecewise linear curves; that of the score never falls. */
function fitChance(
  samples: readonly Sample[],
  scores: readonly number[],
  weights: readonly number[],
  horizon: 7 | 28,
): ChanceModel {
  const grids = [SCORE_POINTS, DAY_POINTS, SIZE_POINTS];
  const rows = samples.flatMap(({ grown, historyDays, size }, index) => {
    const growth = grown[horizon];
    if (growth === null) return [];
    const positions = [scores[index] ?? 0, historyDays, Math.log(size)].map((x, curve) =>
      findSegment(grids[curve] ?? [], x),
    );
    return [{ positions, weight: weights[index] ?? 0, hit: hasReachedGrowth(growth, horizon) ? 1 : 0 }];
  });
  const curves: number[][] = grids.map((grid, curve) => grid.map(() => (curve === 0 ? -3 : 0)));
  for (let round = 0; round < ROUNDS; round++) improve(curves, rows);
  const [score = NONE, days = NONE, size = NONE] = grids.map((grid, index) => ({
    at: grid.map((at) => round(at, 3)),
    values: (curves[index] ?? []).map((value) => round(value, 3)),
  }));
  return { score, days, size };
}

interface Row {
  /** On each curve, the points around and the share of the second. */
  positions: readonly [number, number, number][];
  weight: number;
  hit: number;
}

/** One step of Newton's method on all points. */
function improve(curves: number[][], rows: readonly Row[]): void {
  const slopes = curves.map((values) => new Float64Array(values.length));
  const bends = curves.map((values) => new Float64Array(values.length));
  for (const { positions, weight, hit } of rows) {
    let odds = 0;
    for (let curve = 0; curve < positions.length; curve++) {
      const [below, above, share] = positions[curve] ?? [0, 0, 0];
      odds += (1 - share) * (curves[curve]?.[below] ?? 0) + share * (curves[curve]?.[above] ?? 0);
    }
    const chance = 1 / (1 + Math.exp(-odds));
    const [slope, bend] = [weight * (hit - chance), weight * chance * (1 - chance)];
    for (let curve = 0; curve < positions.length; curve++) {
      const [below, above, share] = positions[curve] ?? [0, 0, 0];
      add(slopes[curve], below, slope * (1 - share));
      add(slopes[curve], above, slope * share);
      add(bends[curve], below, bend * (1 - share));
      add(bends[curve], above, bend * share);
    }
  }
  curves.forEach((values, curve) => {
    const prior = curve === 0 ? 0 : PRIOR / 4;
    const moved = values.map((value, point) => {
      const [slope, bend] = [slopes[curve]?.[point] ?? 0, bends[curve]?.[point] ?? 0];
      const change = (STEP * (slope - prior * value)) / (bend + prior + 0.01);
      return value + Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, change));
    });
    const mass = Array.from(bends[curve] ?? [], (bend) => bend + 0.01);
    curves[curve] = curve === 0 ? fitIsotonic(moved, mass) : moved;
  });
}

function add(sums: Float64Array | undefined, at: number, value: number): void {
  if (sums) sums[at] = (sums[at] ?? 0) + value;
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
