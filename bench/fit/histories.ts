import { group, mean, range } from "d3-array";
import { countDaysBetween } from "@/core/time";
import { computeReliability, hasReachedGrowth, isInRange, tallyGroups } from "@/features/backtest/chances.rules";
import { drawHistoryGroup } from "@/features/backtest/groups.rules";
import {
  averageFigures,
  computeLogGrowth,
  createEvaluator,
  getHalf,
  LAST_DAY,
  listSnapshots,
  MIN_SUBSCRIBERS,
  mapNames,
  ORIGIN_EVERY,
  type Series,
} from "@/features/backtest/rules";
import { type Figures, HISTORY_GROUPS, HORIZONS } from "@/features/backtest/schema";
import { readSeries } from "@/features/backtest/service";
import {
  type Chances,
  computeChances,
  computeRanges,
  FITTED,
  type Horizon,
  type Ranges,
  toMeasures,
} from "@/features/growth/calibration.rules";
import { ALERT_LEVELS, type AlertLevel, classifyLevel, limitScore } from "@/features/growth/score.rules";
import { computeAverageRanks, createEqualWeights, createRandom, rankValues } from "@/features/growth/statistics.rules";
import { measureChannel } from "@/features/growth/strength.rules";
import type { History } from "@/platform/history";
import { fitAll, HISTORY_LENGTHS, type Sample, scoreSample } from "./fit";

/** An origin with fewer channels says nothing about ranks. */
const MIN_CHANNELS = 50;
const FOLDS = 3;
const DRAWS = 8;

interface FitSample extends Sample {
  origin: number;
}

/** A sample with what a fit without its channel makes of it. */
interface ScoredSample extends FitSample {
  score: number;
  chances: Chances | null;
  ranges: Ranges;
}

/** What cross-validation by channel says of a file's channels. */
interface Validation {
  file: number;
  /** Mean over draws of 3, 7, 14 or 28 days of history per channel, for the raw and the comparable score. */
  mixed: Record<"raw" | "score", { p5_7: number; rho_7: number; p5_28: number; rho_28: number }>;
  /** Brier score of the chances, that of always giving the mean, and the share of it that the chances save. */
  chances: Record<keyof Chances, { brier: number; base_brier: number; skill: number; error: number }>;
  /** Channel-days, sums of chance_7d and how many grew so much, by group. */
  groups: ReturnType<typeof tallyGroups>;
  /** Share of channel-days whose growth was in the range. */
  coverage: Record<Horizon, number>;
  /** Channel-days and share that grew 5% in a week, by level and days of history. */
  hit_rates: { level: AlertLevel; days: number; channels: number; rate: number | null }[];
}

/**
 * Fits the tables of calibration.rules.ts on real histories. Channels of half a of the last file are held out
 * of every file for evaluation.
 */
export function fitHistories(histories: readonly History[]) {
  const { samples, channels } = collectSamples(histories);
  const random = createRandom(1);
  const folds = range(channels).map(() => Math.floor(FOLDS * random()));
  const fits = range(FOLDS).map((fold) => fitAll(samples.filter(({ channel }) => folds[channel] !== fold)));
  const scored = samples.map((sample): ScoredSample => {
    const fitted = fits[folds[sample.channel] ?? 0] ?? FITTED;
    const score = scoreSample(sample, fitted.comparable);
    const measures = toMeasures(sample.parts, score, sample.subscribers);
    return { ...sample, score, chances: computeChances(measures, fitted), ranges: computeRanges(measures, fitted) };
  });
  const byFile = group(scored, ({ file }) => file);
  const validation = histories.map((_, file) => validate(byFile.get(file) ?? [], file));
  return { fitted: fitAll(samples), validation, samples: samples.length };
}

/** Every channel and day that the fit may see, and the number of channels. */
export function collectSamples(histories: readonly History[]): { samples: FitSample[]; channels: number } {
  const heldOut = new Set(histories.at(-1)?.channelIds.filter((id) => getHalf(id) === "a"));
  const indices = new Map<string, number>();
  const samples = histories.flatMap((history, file) => {
    const days = countDaysBetween(history.first, history.last) + 1;
    const series = readSeries(history, days).filter(({ id }) => !heldOut.has(id));
    for (const { id } of series) if (!indices.has(id)) indices.set(id, indices.size);
    return createSamples(series, file, days, (id) => indices.get(id) ?? 0);
  });
  return { samples, channels: indices.size };
}

function createSamples(series: readonly Series[], file: number, days: number, getIndex: (id: string) => number) {
  return range(0, days - 7, ORIGIN_EVERY).flatMap((origin) => {
    const here = series.flatMap((one) => {
      const size = one.subscribers[origin] ?? null;
      if (size === null || size < MIN_SUBSCRIBERS) return [];
      const computeGrowthAfter = (horizon: number) => computeLogGrowth(size, one.subscribers[origin + horizon] ?? null);
      const grown = { 7: computeGrowthAfter(7), 28: computeGrowthAfter(28) };
      return grown[7] === null && grown[28] === null ? [] : [{ one, size, grown }];
    });
    const rare7 = computeRarities(here.map(({ grown }) => grown[7]));
    const rare28 = computeRarities(here.map(({ grown }) => grown[28]));
    return here.flatMap(({ one, size, grown }, index) => {
      const rarity = mean([rare7[index], rare28[index]]) ?? null;
      const common = { channel: getIndex(one.id), file, origin, grown, subscribers: size, rarity };
      return measureHistories(one, origin).map((measured) => ({ ...common, ...measured }));
    });
  });
}

/** The raw score of a channel on an origin had its history begun later. */
function measureHistories(one: Series, origin: number) {
  const seen = new Set<number>();
  return HISTORY_LENGTHS.flatMap((length) => {
    const measured = measureChannel(listSnapshots(one, origin, length), LAST_DAY);
    if (!measured || seen.has(measured.parts.history_days)) return [];
    const { parts, hasGrown, raw } = measured;
    seen.add(parts.history_days);
    return [{ parts, hasGrown, raw: limitScore(raw, hasGrown, one.subscribers[origin] ?? 0) }];
  });
}

function computeRarities(growth: readonly (number | null)[]): (number | null)[] {
  const known = growth.filter((one) => one !== null);
  if (known.length < MIN_CHANNELS) return growth.map(() => null);
  const ranks = computeAverageRanks(rankValues(known, createRandom(1)), createEqualWeights(known.length));
  let next = 0;
  return growth.map((one) => (one === null ? null : -Math.log((ranks[next++] ?? 1) / (known.length + 1))));
}

function validate(samples: readonly ScoredSample[], file: number): Validation {
  const draws = range(DRAWS).map((seed) => drawSamples(samples, seed));
  return {
    file,
    mixed: mapNames(["raw", "score"], (name) => {
      const evaluateDraws = (horizon: Horizon) =>
        averageFigures(draws.map((members) => evaluateDraw(members, name, horizon)));
      const [week, month] = [evaluateDraws(7), evaluateDraws(28)];
      return { p5_7: week.p5, rho_7: week.rho, p5_28: month.p5, rho_28: month.rho };
    }),
    chances: { chance_7d: validateChance(samples, 7), chance_28d: validateChance(samples, 28) },
    groups: tallyGroups(
      samples.flatMap(({ chances, grown: { 7: growth }, parts, subscribers: size }) =>
        growth === null || !chances
          ? []
          : [
              {
                parts,
                size,
                history_days: parts.history_days,
                chance: chances.chance_7d,
                came: hasReachedGrowth(growth, 7),
              },
            ],
      ),
    ),
    coverage: mapNames(HORIZONS, (horizon) => {
      const known = samples.flatMap(({ grown: { [horizon]: growth }, ranges }) =>
        growth === null ? [] : [isInRange(growth, ranges[`expected_${horizon}d`])],
      );
      return mean(known, Number) ?? 0;
    }),
    hit_rates: ALERT_LEVELS.flatMap((level) =>
      HISTORY_GROUPS.map((days) => {
        const grown = samples.flatMap(({ parts, grown: { 7: growth }, score }) =>
          parts.history_days === days && growth !== null && classifyLevel(score) === level ? [growth] : [],
        );
        const rate = mean(grown, (growth) => Number(hasReachedGrowth(growth, 7))) ?? null;
        return { level, days, channels: grown.length, rate };
      }),
    ),
  };
}

function validateChance(samples: readonly ScoredSample[], horizon: Horizon) {
  const pairs = samples.flatMap(({ grown: { [horizon]: growth }, chances }) =>
    growth === null || !chances
      ? []
      : [{ chance: chances[`chance_${horizon}d`], came: hasReachedGrowth(growth, horizon) }],
  );
  const { error, brier, base_brier } = computeReliability(pairs);
  return { brier, base_brier, skill: 1 - brier / base_brier, error };
}

/** One sample per channel and origin, with at most the days of history that the channel drew. */
function drawSamples(samples: readonly ScoredSample[], seed: number): ScoredSample[] {
  const random = createRandom(seed + 1);
  const lengths = new Map<number, number>();
  const chosen = new Map<string, ScoredSample>();
  for (const sample of samples) {
    const { channel, origin, parts } = sample;
    const { history_days: historyDays } = parts;
    const length = lengths.get(channel) ?? drawHistoryGroup(random);
    lengths.set(channel, length);
    const key = `${channel} ${origin}`;
    if (historyDays <= length && (chosen.get(key)?.parts.history_days ?? 0) < historyDays) chosen.set(key, sample);
  }
  return [...chosen.values()];
}

function evaluateDraw(members: readonly ScoredSample[], rankBy: "raw" | "score", horizon: Horizon): Figures {
  const random = createRandom(7);
  const known = members.flatMap(({ origin, grown: { [horizon]: growth }, [rankBy]: value }) =>
    growth === null ? [] : [{ origin, growth, value }],
  );
  const origins = [...group(known, ({ origin }) => origin).values()].filter(({ length }) => length >= MIN_CHANNELS);
  const figures = origins.map((ranked) => {
    const rank = (name: "growth" | "value") => {
      const values = ranked.map((member) => member[name]);
      return rankValues(values, random);
    };
    return createEvaluator(rank("growth"), createEqualWeights(ranked.length))(rank("value"));
  });
  return averageFigures(figures);
}
