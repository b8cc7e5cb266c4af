import { max, mean, range, sum } from "d3-array";
import type { Chances, Ranges } from "@/features/growth/calibration.rules";
import { formatSizeBand } from "@/features/growth/rules";
import type { ScoreParts } from "@/features/growth/schema";
import { ALERT_LEVELS, classifyLevel } from "@/features/growth/score.rules";
import { computeInterval, createEqualWeights, drawWeights, rankValues } from "@/features/growth/statistics.rules";
import { HISTORY_DAYS } from "@/features/growth/strength.rules";
import {
  averageFigures,
  computeBaselines,
  createEvaluator,
  findBestBaseline,
  mapNames,
  type Origin,
  type Series,
} from "./rules";
import { FIGURES, type Figures, HISTORY_GROUPS, type HistoryGroup, RANKINGS, type RankingName } from "./schema";

/** Minimum number of channels of a size band on an origin. */
const MIN_IN_BAND = 20;
/** Share of channels that count as the fastest. */
const FASTEST = 0.05;

export interface Member extends Origin {
  channel: number;
  score: number;
  chances: Chances;
  ranges: Ranges;
  parts: ScoreParts;
  /** The days of history that the channel drew, or the nearest group to what it has. */
  group: HistoryGroup;
  /** Log growth over the horizon. */
  target: number;
}

export type Pool = ReturnType<typeof rankPool>;

export function rankPool(members: readonly Member[], random: () => number) {
  const values = { score: members.map(({ score }) => score), ...computeBaselines(members) };
  const targets = members.map(({ target }) => target);
  return {
    members,
    channels: Int32Array.from(members, ({ channel }) => channel),
    target: rankValues(targets, random),
    rankings: mapNames(RANKINGS, (name) => rankValues(values[name], random)),
  };
}

/** @param weights of the channels, by index: 1 each unless given */
export function evaluateRankings(pools: readonly Pool[], weights?: Int32Array): Record<RankingName, Figures> {
  const weigh = (channels: Int32Array) =>
    weights ? channels.map((channel) => weights[channel] ?? 0) : createEqualWeights(channels.length);
  const evaluators = pools.map(({ channels, target }) => createEvaluator(target, weigh(channels)));
  return mapNames(RANKINGS, (name) =>
    averageFigures(pools.flatMap(({ rankings }, index) => evaluators[index]?.(rankings[name]) ?? [])),
  );
}

/** What a perfect ranking would pick. */
export function computeBestPossible(pools: readonly Pool[]): { mean1: number; mean5: number } {
  const perfect = pools.map(({ members, target }) =>
    createEvaluator(target, createEqualWeights(members.length))(target),
  );
  const { mean1, mean5 } = averageFigures(perfect);
  return { mean1, mean5 };
}

export interface Sampling {
  samples: number;
  onSample?(): void;
}

/**
 * Intervals in which 95% of bootstrap samples of the channels lie. A channel is in all origins or in none. `lead` is
 * the score's figure minus that of the best baseline.
 */
export function computeIntervals(pools: readonly Pool[], channels: number, random: () => number, sampling: Sampling) {
  const measured = evaluateRankings(pools);
  const drawn = range(sampling.samples).map(() => {
    sampling.onSample?.();
    return evaluateRankings(pools, drawWeights(channels, random));
  });
  const computeLead = (figure: keyof Figures) => {
    const baseline = findBestBaseline(measured, figure);
    const computeAhead = (of: Record<RankingName, Figures>) => of.score[figure] - of[baseline][figure];
    return { baseline, value: computeAhead(measured), ...computeInterval(drawn.map(computeAhead)) };
  };
  return {
    score: mapNames(FIGURES, (figure) => computeInterval(drawn.map(({ score }) => score[figure]))),
    lead: mapNames(FIGURES, computeLead),
  };
}

/** Ranks a part of each pool by itself, where it has enough channels; null without any. */
function evaluateSome(pools: readonly Pool[], isIn: (member: Member) => boolean, random: () => number) {
  const parts = pools.map(({ members }) => members.filter(isIn)).filter(({ length }) => length >= MIN_IN_BAND);
  if (parts.length === 0) return null;
  const rankings = evaluateRankings(parts.map((members) => rankPool(members, random)));
  return { channels: Math.round(mean(parts, ({ length }) => length) ?? 0), rankings };
}

/** The rankings by subscribers at the origin. */
export function evaluateBands(pools: readonly Pool[], random: () => number) {
  const sizes = pools.flatMap(({ members }) => members.map(({ size }) => size)).sort((a, b) => a - b);
  const names = new Set(sizes.map(formatSizeBand));
  const evaluated = [...names].flatMap((name) => {
    const found = evaluateSome(pools, ({ size }) => formatSizeBand(size) === name, random);
    return found ? [[name, found] as const] : [];
  });
  return Object.fromEntries(evaluated);
}

/** The share of all channels on all origins, and their mean log growth in the next 7 days; null without channels. */
export function evaluateLevels(members: readonly Member[]) {
  return mapNames(ALERT_LEVELS.toReversed(), (level) => {
    const inLevel = members.filter(({ score }) => classifyLevel(score) === level);
    return {
      share: inLevel.length / members.length,
      mean7: mean(inLevel, ({ target }) => target) ?? null,
    };
  });
}

/** By how much scores change on days without new counts. @param scoreOn the score of a channel on a day */
export function evaluateQuietDays(series: readonly Series[], scoreOn: (one: Series, day: number) => number) {
  const changes = series.flatMap((one) =>
    one.subscribers.flatMap((_, day) => {
      const isQuiet = [one.subscribers, one.views].every((counts) => !counts[day] || counts[day] === counts[day - 1]);
      return isQuiet && day > HISTORY_DAYS ? [Math.abs(scoreOn(one, day) - scoreOn(one, day - 1))] : [];
    }),
  );
  return { days: changes.length, mean_change: mean(changes) ?? null, largest_change: max(changes) ?? null };
}

/** By days of history: how well the next week is predicted, and how many of the fastest channels are found. */
export function evaluateHistory(pools: readonly Pool[], random: () => number) {
  return mapNames(HISTORY_GROUPS, (group) => {
    const found = evaluateSome(pools, (member) => member.group === group, random);
    const score = found?.rankings.score;
    const recall = computeRecall(pools, group);
    return { channels: found?.channels ?? 0, p5: score?.p5 ?? null, rho: score?.rho ?? null, recall };
  });
}

function computeRecall(pools: readonly Pool[], group: HistoryGroup): number | null {
  const counted = pools.map(({ members, target, rankings }) =>
    countFound(target.order, rankings.score.order, (index) => members[index]?.group === group),
  );
  const fastest = sum(counted, (one) => one.fastest);
  return fastest > 0 ? sum(counted, ({ found }) => found) / fastest : null;
}

/**
 * How many of the fastest 5% belong to a part of the channels, and how many of those the score has in its top 5%.
 * @param best indices, the fastest first
 * @param scored indices, the highest score first
 */
export function countFound(best: Int32Array, scored: Int32Array, isIn: (index: number) => boolean) {
  const count = countFastest(best.length);
  const top = new Set(scored.slice(0, count));
  const fastest = best.slice(0, count).filter(isIn);
  return { fastest: fastest.length, found: fastest.filter((index) => top.has(index)).length };
}

/** How many of some channels are the fastest 5%. */
export function countFastest(channels: number): number {
  return Math.max(1, Math.round(FASTEST * channels));
}

/** Draws the days of history that a channel may show. */
export function drawHistoryGroup(random: () => number): HistoryGroup {
  return HISTORY_GROUPS[Math.floor(HISTORY_GROUPS.length * random())] ?? HISTORY_DAYS;
}

/** The group of a channel by its days of history. */
export function getHistoryGroup(days: number): HistoryGroup {
  return HISTORY_GROUPS.findLast((group) => days >= 0.75 * group) ?? 3;
}
