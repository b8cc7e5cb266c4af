import { CHANCE_GROWTH, type Chances } from "@/features/growth/calibration.rules";
import { formatSizeBand } from "@/features/growth/rules";
import { ALERT_LEVELS, classifyLevel } from "@/features/growth/score.rules";
import { computeMean, createEqualWeights, type Ranked, rankValues } from "@/features/growth/statistics.rules";
import { HISTORY_DAYS } from "@/features/growth/strength.rules";
import type { Bins } from "./comparison.schema";
import { averageFigures, computeBaselines, createEvaluator, mapNames, type Origin, type Series } from "./rules";
import { type BacktestReport, type Figures, RANKINGS, type RankingName, type Reliability } from "./schema";

/** Minimum number of channels of a size band on an origin. */
const MIN_IN_BAND = 20;
/** Days of history that channels are grouped by. */
export const HISTORY_GROUPS = [3, 7, 14, 28] as const;
export type HistoryGroup = (typeof HISTORY_GROUPS)[number];
/** Share of channels that count as the fastest. */
export const FASTEST = 0.05;
const BINS = 10;

export interface Member extends Origin {
  /** Index of its channel. */
  channel: number;
  score: number;
  chances: Chances;
  /** The days of history that the channel drew, or the nearest group to what it has. */
  group: HistoryGroup;
  /** Log growth over the horizon. */
  target: number;
}

export interface Pool {
  members: readonly Member[];
  /** The channel of each member. */
  channels: Int32Array;
  target: Ranked;
  rankings: Record<RankingName, Ranked>;
}

export function rankPool(members: readonly Member[], random: () => number): Pool {
  const values = { score: members.map(({ score }) => score), ...computeBaselines(members) };
  return {
    members,
    channels: Int32Array.from(members, ({ channel }) => channel),
    target: rankValues(
      members.map(({ target }) => target),
      random,
    ),
    rankings: mapNames(RANKINGS, (name) => rankValues(values[name], random)),
  };
}

/** @param weights of the channels, by index: 1 each unless given */
export function evaluateRankings(pools: readonly Pool[], weights?: Int32Array): Record<RankingName, Figures> {
  const evaluators = pools.map(({ channels, target }) =>
    createEvaluator(
      target,
      weights ? channels.map((channel) => weights[channel] ?? 0) : createEqualWeights(channels.length),
    ),
  );
  return mapNames(RANKINGS, (name) =>
    averageFigures(pools.flatMap(({ rankings }, index) => evaluators[index]?.(rankings[name]) ?? [])),
  );
}

export function evaluateBands(pools: readonly Pool[], random: () => number): BacktestReport["bands"][7] {
  const sizes = pools.flatMap(({ members }) => members.map(({ size }) => size)).sort((a, b) => a - b);
  const names = new Set(sizes.map(formatSizeBand));
  const evaluated = [...names].flatMap((name) => {
    const parts = pools
      .map(({ members }) => members.filter(({ size }) => formatSizeBand(size) === name))
      .filter(({ length }) => length >= MIN_IN_BAND);
    const channels = Math.round(computeMean(parts.map(({ length }) => length)) ?? 0);
    const evaluate = () => evaluateRankings(parts.map((members) => rankPool(members, random)));
    return parts.length > 0 ? [[name, { channels, rankings: evaluate() }] as const] : [];
  });
  return Object.fromEntries(evaluated);
}

export function evaluateLevels(members: readonly Member[]): BacktestReport["levels"] {
  return mapNames(ALERT_LEVELS.toReversed(), (level) => {
    const inLevel = members.filter(({ score }) => classifyLevel(score) === level);
    return {
      share: inLevel.length / members.length,
      mean7: computeMean(inLevel.map(({ target }) => target)),
    };
  });
}

/** By how much scores change on days without new counts. @param scoreOn the score of a channel on a day */
export function evaluateQuietDays(
  series: readonly Series[],
  scoreOn: (one: Series, day: number) => number,
): BacktestReport["quiet_days"] {
  const changes = series.flatMap((one) =>
    one.subscribers.flatMap((_, day) => {
      const isQuiet = [one.subscribers, one.views].every((counts) => !counts[day] || counts[day] === counts[day - 1]);
      return isQuiet && day > HISTORY_DAYS ? [Math.abs(scoreOn(one, day) - scoreOn(one, day - 1))] : [];
    }),
  );
  const largest = changes.reduce((max, change) => Math.max(max, change), 0);
  return {
    days: changes.length,
    mean_change: computeMean(changes),
    largest_change: changes.length > 0 ? largest : null,
  };
}

/**
 * By days of history: how well the next week is predicted, and how many of the fastest channels are found.
 */
export function evaluateHistory(pools: readonly Pool[], random: () => number): BacktestReport["by_history"] {
  return mapNames(HISTORY_GROUPS, (group) => {
    const parts = pools
      .map(({ members }) => members.filter((member) => member.group === group))
      .filter(({ length }) => length >= MIN_IN_BAND);
    const { p5, rho } = evaluateRankings(parts.map((members) => rankPool(members, random))).score;
    const isEmpty = parts.length === 0;
    return {
      channels: Math.round(computeMean(parts.map(({ length }) => length)) ?? 0),
      p5: isEmpty ? null : p5,
      rho: isEmpty ? null : rho,
      recall: computeRecall(pools, group),
    };
  });
}

function computeRecall(pools: readonly Pool[], group: HistoryGroup): number | null {
  const fastest = pools.flatMap(({ members, target, rankings }) => {
    const count = Math.max(1, Math.round(FASTEST * members.length));
    const found = new Set(rankings.score.order.slice(0, count));
    const best = target.order.slice(0, count).filter((index) => members[index]?.group === group);
    return Array.from(best, (index) => (found.has(index) ? 1 : 0));
  });
  return computeMean(fastest);
}

/** How often predicted growth happened, in ten bins of equal width. */
export function evaluateChances(pools: Record<7 | 28, readonly Pool[]>): BacktestReport["calibration"] {
  const evaluateChance = (horizon: 7 | 28, name: keyof Chances) => {
    const pairs = pools[horizon]
      .flatMap(({ members }) => members)
      .map(({ chances, target }) => ({ chance: chances[name], came: hasReachedGrowth(target, horizon) }));
    return computeReliability(pairs);
  };
  return { chance_7d: evaluateChance(7, "chance_7d"), chance_28d: evaluateChance(28, "chance_28d") };
}

/** Whether the predicted growth happened. @param growth log growth over the horizon */
export function hasReachedGrowth(growth: number, horizon: 7 | 28): boolean {
  return growth >= Math.log(1 + CHANCE_GROWTH[horizon]) - 1e-9;
}

/** Chances and their outcomes in ten bins of equal width. */
export function binChances(pairs: readonly { chance: number; came: boolean }[]): Bins {
  const bins = Array.from({ length: BINS }, () => ({ channels: 0, chances: 0, came: 0 }));
  for (const { chance, came } of pairs) {
    const bin = bins[Math.min(BINS - 1, Math.floor(BINS * chance))];
    if (!bin) continue;
    bin.channels += 1;
    bin.chances += chance;
    bin.came += came ? 1 : 0;
  }
  return bins;
}

/** The sum of the squared distances of chances and outcomes. */
export function sumSquaredErrors(pairs: readonly { chance: number; came: boolean }[]): number {
  return pairs.reduce((sum, { chance, came }) => sum + (chance - (came ? 1 : 0)) ** 2, 0);
}

/** The reliability of chances: the mean distance of chance and outcome over ten bins, and the Brier score. */
export function computeReliability(pairs: readonly { chance: number; came: boolean }[]): Reliability {
  return summarizeBins(binChances(pairs), sumSquaredErrors(pairs));
}

/** {@link computeReliability} of pairs that are summed in bins. @param squared see {@link sumSquaredErrors} */
export function summarizeBins(bins: Bins, squared: number): Reliability {
  const all = Math.max(
    1,
    bins.reduce((sum, { channels }) => sum + channels, 0),
  );
  return {
    error: bins.reduce((sum, { chances, came }) => sum + Math.abs(chances - came), 0) / all,
    brier: squared / all,
    bins: bins.map(({ channels, chances, came }, bin) => ({
      from: bin / BINS,
      to: (bin + 1) / BINS,
      channels,
      predicted: channels > 0 ? chances / channels : null,
      seen: channels > 0 ? came / channels : null,
    })),
  };
}

/** The group of a channel by its days of history. */
export function getHistoryGroup(days: number): HistoryGroup {
  return HISTORY_GROUPS.findLast((group) => days >= 0.75 * group) ?? 3;
}
