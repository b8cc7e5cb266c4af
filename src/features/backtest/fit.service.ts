import { addDays, countDaysBetween } from "@/core/time";
import { computeChances, type Fitted, toComparableScore } from "@/features/growth/calibration.rules";
import { ALERT_LEVELS, type AlertLevel, classifyLevel } from "@/features/growth/score.rules";
import {
  computeAverageRanks,
  computeMean,
  createEqualWeights,
  createRandom,
  rankValues,
} from "@/features/growth/statistics.rules";
import { HISTORY_DAYS, measureChannel } from "@/features/growth/strength.rules";
import type { History } from "@/platform/history";
import { fitAll, HISTORY_LENGTHS, type Sample } from "./fit.rules";
import { computeLogGrowth, createEvaluator, getHalf, type Series } from "./rules";
import { readSeries } from "./service";

const ORIGIN_EVERY = 7;
const MIN_SUBSCRIBERS = 100;
/** An origin with fewer channels says nothing about ranks. */
const MIN_CHANNELS = 50;
const FOLDS = 5;
const DRAWS = 8;
const DRAWN_LENGTHS = [3, 7, 14, 28];
const FIRST = "2000-01-01";
const DAYS = Array.from({ length: HISTORY_DAYS + 1 }, (_, index) => addDays(FIRST, index));

interface FitSample extends Sample {
  origin: number;
}

/** What cross-validation by channel says of a file's channels. */
export interface Validation {
  file: number;
  /** Mean over draws of 3, 7, 14 or 28 days of history per channel, for the raw and the comparable score. */
  mixed: Record<"raw" | "score", { p5_7: number; rho_7: number; p5_28: number; rho_28: number }>;
  /** Weighted mean distance of chance and outcome in ten bins. */
  calibration_error: { chance_7d: number; chance_28d: number };
  /** Channel-days and share that grew 5% in a week, by level and days of history. */
  hit_rates: { level: AlertLevel; days: number; channels: number; rate: number | null }[];
}

/**
 * Fits the tables of calibration.rules.ts on real histories. Channels of half a of the last file are held out
 * of every file for evaluation.
 */
export function fitHistories(histories: readonly History[]): {
  fitted: Fitted;
  validation: Validation[];
  samples: number;
} {
  const heldOut = new Set(histories.at(-1)?.channelIds.filter((id) => getHalf(id) === "a"));
  const indices = new Map<string, number>();
  const samples = histories.flatMap((history, file) => {
    const days = countDaysBetween(history.first, history.last) + 1;
    const series = readSeries(history, days).filter(({ id }) => !heldOut.has(id));
    for (const { id } of series) if (!indices.has(id)) indices.set(id, indices.size);
    return createSamples(series, file, days, (id) => indices.get(id) ?? 0);
  });
  const folds = drawFolds([...indices.keys()]);
  const scores = new Array<number>(samples.length).fill(0);
  const chances = samples.map(() => ({ chance_7d: 0, chance_28d: 0 }));
  for (let fold = 0; fold < FOLDS; fold++) {
    const fitted = fitAll(samples.filter(({ channel }) => folds[channel] !== fold));
    samples.forEach(({ channel, raw, historyDays, hasGrown, size }, index) => {
      if (folds[channel] !== fold) return;
      const score = toComparableScore(raw, historyDays, fitted);
      scores[index] = hasGrown ? score : Math.min(24.999, score);
      chances[index] = computeChances(scores[index] ?? 0, historyDays, size, fitted);
    });
  }
  const validation = histories.map((_, file) => validate(samples, scores, chances, file));
  return { fitted: fitAll(samples), validation, samples: samples.length };
}

function drawFolds(ids: readonly string[]): number[] {
  const random = createRandom(1);
  return ids.map(() => Math.floor(FOLDS * random()));
}

function createSamples(
  series: readonly Series[],
  file: number,
  days: number,
  getIndex: (id: string) => number,
): FitSample[] {
  const samples: FitSample[] = [];
  for (let origin = 0; origin < days - 7; origin += ORIGIN_EVERY) {
    const here = series.flatMap((one) => {
      const size = one.subscribers[origin] ?? null;
      if (size === null || size < MIN_SUBSCRIBERS) return [];
      const computeGrowthAfter = (horizon: number) =>
        computeLogGrowth(size, one.subscribers[origin + horizon] ?? null);
      const grown = { 7: computeGrowthAfter(7), 28: computeGrowthAfter(28) };
      return grown[7] === null && grown[28] === null ? [] : [{ one, size, grown }];
    });
    if (here.length < MIN_CHANNELS) continue;
    const rare7 = computeRarities(here.map(({ grown }) => grown[7]));
    const rare28 = computeRarities(here.map(({ grown }) => grown[28]));
    here.forEach(({ one, size, grown }, index) => {
      const rarity =
        computeMean([rare7[index] ?? null, rare28[index] ?? null].filter((rare) => rare !== null)) ?? 0;
      const common = { channel: getIndex(one.id), file, origin, grown, size, rarity };
      for (const measured of measureHistories(one, origin)) samples.push({ ...common, ...measured });
    });
  }
  return samples;
}

/** The raw score of a channel on an origin had its history begun later. */
function measureHistories({ subscribers, views }: Series, origin: number) {
  const seen = new Set<number>();
  return HISTORY_LENGTHS.flatMap((length) => {
    const snapshots = DAYS.map((day, index) => {
      const at = origin - HISTORY_DAYS + index;
      const isKnown = at >= 0 && HISTORY_DAYS - index <= length;
      return {
        day,
        subscribers: isKnown ? (subscribers[at] ?? null) : null,
        views: isKnown ? (views[at] ?? null) : null,
      };
    });
    const measured = measureChannel(snapshots, DAYS[HISTORY_DAYS] ?? FIRST);
    if (!measured || seen.has(measured.historyDays)) return [];
    seen.add(measured.historyDays);
    const { historyDays, hasGrown } = measured;
    const raw = hasGrown ? measured.raw : Math.min(24.999, measured.raw);
    return [{ historyDays, hasGrown, raw }];
  });
}

function computeRarities(growth: readonly (number | null)[]): (number | null)[] {
  const known = growth.flatMap((one) => (one === null ? [] : [one]));
  if (known.length < MIN_CHANNELS) return growth.map(() => null);
  const ranks = computeAverageRanks(rankValues(known, createRandom(1)), createEqualWeights(known.length));
  let next = 0;
  return growth.map((one) => (one === null ? null : -Math.log((ranks[next++] ?? 1) / (known.length + 1))));
}

function validate(
  samples: readonly FitSample[],
  scores: readonly number[],
  chances: readonly { chance_7d: number; chance_28d: number }[],
  file: number,
): Validation {
  const fileSamples = samples.flatMap((sample, index) => (sample.file === file ? [{ sample, index }] : []));
  const draws = Array.from({ length: DRAWS }, (_, seed) => {
    const members = drawSamples(samples, fileSamples, seed);
    const evaluate = (values: (index: number) => number, horizon: 7 | 28) =>
      evaluateDraw(samples, members, values, horizon);
    const evaluateBoth = (values: (index: number) => number) => {
      const [week, month] = [evaluate(values, 7), evaluate(values, 28)];
      return { p5_7: week.p5, rho_7: week.rho, p5_28: month.p5, rho_28: month.rho };
    };
    return {
      raw: evaluateBoth((index) => samples[index]?.raw ?? 0),
      score: evaluateBoth((index) => scores[index] ?? 0),
    };
  });
  const average = (name: "raw" | "score") => {
    const averageFigure = (figure: "p5_7" | "rho_7" | "p5_28" | "rho_28") =>
      computeMean(draws.map((draw) => draw[name][figure])) ?? 0;
    return {
      p5_7: averageFigure("p5_7"),
      rho_7: averageFigure("rho_7"),
      p5_28: averageFigure("p5_28"),
      rho_28: averageFigure("rho_28"),
    };
  };
  const listPairs = (horizon: 7 | 28, name: "chance_7d" | "chance_28d", min: number) =>
    fileSamples.flatMap(({ sample, index }) => {
      const growth = sample.grown[horizon];
      return growth === null ? [] : [{ chance: chances[index]?.[name] ?? 0, hit: growth >= min - 1e-9 }];
    });
  return {
    file,
    mixed: { raw: average("raw"), score: average("score") },
    calibration_error: {
      chance_7d: computeCalibrationError(listPairs(7, "chance_7d", Math.log(1.05))),
      chance_28d: computeCalibrationError(listPairs(28, "chance_28d", Math.log(1.2))),
    },
    hit_rates: ALERT_LEVELS.flatMap((level) =>
      DRAWN_LENGTHS.map((days) => {
        const group = fileSamples.filter(
          ({ sample, index }) =>
            sample.historyDays === days &&
            sample.grown[7] !== null &&
            classifyLevel(scores[index] ?? 0) === level,
        );
        const hits = group.map(({ sample }) => ((sample.grown[7] ?? 0) >= Math.log(1.05) - 1e-9 ? 1 : 0));
        return { level, days, channels: group.length, rate: computeMean(hits) };
      }),
    ),
  };
}

/** Indices of one sample per channel and origin, with at most the days of history that the channel drew. */
function drawSamples(
  samples: readonly FitSample[],
  fileSamples: readonly { sample: FitSample; index: number }[],
  seed: number,
): number[] {
  const random = createRandom(seed + 1);
  const lengths = new Map<number, number>();
  const chosen = new Map<string, number>();
  for (const { sample, index } of fileSamples) {
    const { channel, origin, historyDays } = sample;
    const length = lengths.get(channel) ?? DRAWN_LENGTHS[Math.floor(4 * random())] ?? HISTORY_DAYS;
    lengths.set(channel, length);
    const key = `${channel} ${origin}`;
    const held = chosen.get(key);
    if (historyDays <= length && (held === undefined || (samples[held]?.historyDays ?? 0) < historyDays))
      chosen.set(key, index);
  }
  return [...chosen.values()];
}

function evaluateDraw(
  samples: readonly FitSample[],
  members: readonly number[],
  rankBy: (index: number) => number,
  horizon: 7 | 28,
): { p5: number; rho: number } {
  const random = createRandom(7);
  const byOrigin = new Map<number, number[]>();
  for (const index of members) {
    const { grown, origin = 0 } = samples[index] ?? {};
    if (grown && grown[horizon] !== null) byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), index]);
  }
  const figures = [...byOrigin.values()]
    .filter(({ length }) => length >= MIN_CHANNELS)
    .map((group) => {
      const target = rankValues(
        group.map((index) => samples[index]?.grown[horizon] ?? 0),
        random,
      );
      return createEvaluator(target, createEqualWeights(group.length))(rankValues(group.map(rankBy), random));
    });
  return {
    p5: computeMean(figures.map(({ p5 }) => p5)) ?? 0,
    rho: computeMean(figures.map(({ rho }) => rho)) ?? 0,
  };
}

function computeCalibrationError(pairs: readonly { chance: number; hit: boolean }[]): number {
  const bins = Array.from({ length: 10 }, () => ({ chance: 0, hits: 0 }));
  for (const { chance, hit } of pairs) {
    const bin = bins[Math.min(9, Math.floor(10 * chance))];
    if (bin) {
      bin.chance += chance;
      bin.hits += hit ? 1 : 0;
    }
  }
  return bins.reduce((sum, { chance, hits }) => sum + Math.abs(chance - hits), 0) / pairs.length;
}
