import { rollup, sum } from "d3-array";
import { hasReachedGrowth } from "@/features/backtest/chances.rules";
import { mapNames } from "@/features/backtest/rules";
import { HORIZONS } from "@/features/backtest/schema";
import {
  type Curve,
  compressGrowth,
  type Fitted,
  type Horizon,
  interpolate,
  type Measures,
  type Term,
  toComparableScore,
  toMeasures,
} from "@/features/growth/calibration.rules";
import type { ScoreParts } from "@/features/growth/schema";
import { limitScore } from "@/features/growth/score.rules";
import { createDesign, fitLogistic, fitQuantile, type TermForm, toTerms } from "./models";

/** A channel on a day, with a part of its history and its later growth. */
export interface Sample {
  /** Index of its channel over all files. */
  channel: number;
  /** Index of its file. Files weigh the same. */
  file: number;
  parts: ScoreParts;
  /** On the day. */
  subscribers: number;
  raw: number;
  hasGrown: boolean;
  /** Log growth over the horizon; null when unknown. */
  grown: Record<Horizon, number | null>;
  /** Mean over the horizons of -ln(share of the day's channels that grew as much or more); null on a day of few channels. */
  rarity: number | null;
}

export const HISTORY_LENGTHS = [1, 2, 3, 5, 7, 10, 14, 21, 28] as const;
const RAW_POINTS = [0, 2, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 35, 40, 50, 60, 75, 100];
/** Quantiles of the raw score that bound the bins of a length, finer where the strong channels are. */
const QUANTILES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.965, 0.98, 0.99, 0.995, 1];
/** Keeps order where the data are level. */
const MIN_SLOPE = 0.001;

const compressPercent = (percent: number) => compressGrowth(Math.log1p(percent / 100));
const SCORE_POINTS = [0, 4, 8, 12, 16, 20, 25, 30, 37, 44, 50, 58, 66, 75, 85, 100];
const AXES = {
  days: [1, 3, 7, 14, 28],
  size: [200, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000].map(Math.log),
  pace: [-1.2, -0.4, -0.1, 0, 0.1, 0.4, 1, 2.5, 6, 15, 45].map(compressPercent),
};
/** What chances and ranges follow from: `of` one measure or two, at the points of each. */
const COMMON_TERMS: readonly TermForm[] = [
  // The same score means less growth in a large channel, and surer growth.
  {
    of: ["score", "size"],
    at: [SCORE_POINTS, [300, 3000, 30_000, 300_000].map(Math.log)],
    smoothness: 20,
  },
  { of: ["days"], at: [AXES.days], smoothness: 5 },
  { of: ["size"], at: [AXES.size], smoothness: 5 },
  // A lone jump that stands still since says less than growth since.
  {
    of: ["largest_day_share", "growth_since_largest_day"],
    at: [[0.1, 0.4, 0.7, 1], [-2, 0, 1, 5].map(compressPercent)],
    smoothness: 0,
  },
  { of: ["slowest_week"], at: [[-2, -0.5, 0, 0.5, 2, 5, 10].map(compressPercent)], smoothness: 0 },
];
const CHANCE_TERMS = COMMON_TERMS;
const RANGE_TERMS: readonly TermForm[] = [
  ...COMMON_TERMS,
  { of: ["recent"], at: [AXES.pace], smoothness: 0 },
  { of: ["pace"], at: [AXES.pace], smoothness: 0 },
];
const QUANTILES_OF_RANGE = { low: 0.1, high: 0.9 };
/** Ranges are fitted to every fourth sample, because a fit of quantiles takes many rounds. */
const RANGE_EVERY = 4;

/** Fits the table of comparable scores, then the chances and ranges on it. */
export function fitAll(samples: readonly Sample[]): Fitted {
  const weights = computeWeights(samples);
  const comparable = fitComparable(samples, weights);
  const measures = samples.map((sample) =>
    toMeasures(sample.parts, scoreSample(sample, comparable), sample.subscribers),
  );
  return {
    comparable,
    chances: fitChances(samples, measures, weights),
    ranges: fitRanges(samples, measures, weights),
  };
}

/** The score of a sample by a table of comparable scores. */
export function scoreSample(sample: Sample, comparable: Fitted["comparable"]): number {
  const { raw, parts, hasGrown, subscribers } = sample;
  return limitScore(toComparableScore(raw, parts.history_days, comparable), hasGrown, subscribers);
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
    const isNear = ({ parts: { history_days: days } }: Sample) =>
      days >= (length + shorter) / 2 && days <= (length + longer) / 2;
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
    isNear(sample) && sample.rarity !== null ? [{ x: sample.raw, y: sample.rarity, weight: weights[index] ?? 0 }] : [],
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

/** Fits the log odds of each growth. */
function fitChances(samples: readonly Sample[], measures: readonly Measures[], weights: readonly number[]) {
  return mapNames(HORIZONS, (horizon) => {
    const known = listKnown(samples, measures, weights, horizon);
    const hits = known.growth.map((growth) => hasReachedGrowth(growth, horizon));
    const design = createDesign(CHANCE_TERMS, known.measures);
    return keepRising(toTerms(CHANCE_TERMS, fitLogistic(design, hits, known.weights)));
  });
}

/** Pools values so that log odds never fall with the score, whatever the size, nor with the slowest week. */
function keepRising(terms: readonly Term[]): Term[] {
  return terms.map((term) => {
    const [scores = [], sizes = [0]] = term.at;
    if (term.of[0] !== "score" && term.of[0] !== "slowest_week") return term;
    const columns = sizes.map((_, size) => {
      const odds = scores.map((_, score) => term.values[score * sizes.length + size] ?? 0);
      return fitIsotonic(odds, new Array<number>(odds.length).fill(1));
    });
    return { ...term, values: scores.flatMap((_, score) => columns.map((odds) => round(odds[score] ?? 0, 3))) };
  });
}

/** Fits the growth that 1 of 10 channels stays below, and the growth that 1 of 10 exceeds. */
function fitRanges(samples: readonly Sample[], measures: readonly Measures[], weights: readonly number[]) {
  return mapNames(HORIZONS, (horizon) => {
    const known = listKnown(samples, measures, weights, horizon, RANGE_EVERY);
    const targets = known.growth.map(compressGrowth);
    const design = createDesign(RANGE_TERMS, known.measures);
    return mapNames(["low", "high"], (side) =>
      toTerms(RANGE_TERMS, fitQuantile(design, targets, known.weights, QUANTILES_OF_RANGE[side])),
    );
  });
}

/** The samples whose growth over the horizon is known. */
function listKnown(
  samples: readonly Sample[],
  measures: readonly Measures[],
  weights: readonly number[],
  horizon: Horizon,
  every = 1,
) {
  const indices = [...samples.keys()].filter((index) => index % every === 0 && samples[index]?.grown[horizon] != null);
  const pick = <T>(list: readonly T[]) => indices.flatMap((index) => list[index] ?? []);
  return {
    growth: indices.map((index) => samples[index]?.grown[horizon] ?? 0),
    measures: pick(measures),
    weights: pick(weights),
  };
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
