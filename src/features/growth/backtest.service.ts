import { OperatorError } from "@/core/errors";
import { addDays, daysBetween } from "@/core/time";
import type { History } from "@/platform/history";
import {
  averageFigures,
  baselines,
  byFigure,
  byName,
  countAlerts,
  halfOf,
  judgeBy,
  logGrowth,
  type Origin,
  originOf,
  type Series,
} from "./backtest.rules";
import {
  type BacktestReport,
  type Figures,
  type Half,
  HORIZONS,
  type Horizon,
  RANKINGS,
  type RankingName,
} from "./backtest.schema";
import { sizeBand } from "./rules";
import { ALERT_LEVELS, alertLevel, HISTORY_DAYS, SCORE_VERSION, scoreChannel } from "./score.rules";
import { drawWeights, interval, mean, type Ranked, ranked, seededRandom } from "./statistics.rules";

const ORIGIN_EVERY = 7;
/** Minimum number of channels of a size band on an origin. */
const LEAST_IN_BAND = 20;
const SEED = 20_260_101;

export interface BacktestOptions {
  /** Use only one half of the channels. */
  half?: Half | undefined;
  /** Bootstrap samples of the channels. */
  samples: number;
}

interface Member extends Origin {
  /** Index of its channel. */
  channel: number;
  score: number;
  /** Log growth over the horizon. */
  target: number;
}

interface Pool {
  members: readonly Member[];
  target: Ranked;
  rankings: Record<RankingName, Ranked>;
}

/**
 * Measures on real histories how well the score predicts growth. On origins seven days apart, channels are ranked by
 * what was known on that day, and the rankings are compared with the growth that followed.
 * @throws OperatorError when the histories are too short or too few
 */
export function runBacktest(history: History, { half, samples }: BacktestOptions): BacktestReport {
  const days = daysBetween(history.first, history.last) + 1;
  const needed = HISTORY_DAYS + Math.max(...HORIZONS) + 1;
  if (days < needed)
    throw new OperatorError(`CSV: a backtest needs at least ${needed} days, the file has ${days}`);
  const series = readSeries(history, days).filter(({ id }) => !half || halfOf(id) === half);
  const scores = series.map((one) => scoreDays(one, days));
  const random = seededRandom(SEED);
  const at = (horizon: Horizon) =>
    originsOf(days, horizon).map((origin) => rankPool(membersOn(series, scores, origin, horizon), random));
  const pools = { 7: at(7), 28: at(28) };
  const everybody = [...pools[7], ...pools[28]].map(({ members }) => members);
  if (everybody.some(({ length }) => length === 0))
    throw new OperatorError("CSV: on one of the test days no channel has the counts that a backtest needs");
  const forBoth = <T>(judged: (pools: readonly Pool[]) => T) => ({
    7: judged(pools[7]),
    28: judged(pools[28]),
  });
  return {
    horizons: forBoth(judgeRankings),
    levels: judgeLevels(pools[7].flatMap(({ members }) => members)),
    origins: pools[7].length,
    channels: new Set(everybody.flat().map(({ channel }) => channel)).size,
    best_possible: forBoth(bestPossible),
    intervals: forBoth((of) => bootstrap(of, series.length, samples)),
    bands: forBoth((of) => judgeBands(of, random)),
    quiet_days: judgeQuietDays(series, scores),
    alerts: series.reduce((total, { subscribers }) => total + countAlerts(subscribers), 0),
    half: half ?? null,
    score_version: SCORE_VERSION,
  };
}

/** The counts of each channel by day. */
export function readSeries(history: History, days: number): Series[] {
  const calendar = Array.from({ length: days }, (_, index) => addDays(history.first, index));
  return history.channelIds.map((id) => {
    const counts = calendar.map((day) => history.counts(id, day));
    return {
      id,
      subscribers: counts.map((count) => count?.subscribers ?? null),
      views: counts.map((count) => count?.views ?? null),
    };
  });
}

function scoreDays({ subscribers, views }: Series, days: number): (number | null)[] {
  // Any calendar works: the score depends on the distance of days only.
  const calendar = Array.from({ length: days }, (_, index) => addDays("2000-01-01", index));
  const readings = calendar.map((day, index) => ({
    day,
    subscribers: subscribers[index] ?? null,
    views: views[index] ?? null,
  }));
  return readings.map(({ day, ...counts }, index) => {
    if (index < HISTORY_DAYS) return null;
    const known = readings.slice(index - HISTORY_DAYS, index + 1);
    return scoreChannel(known, day, counts).exact;
  });
}

function originsOf(days: number, horizon: Horizon): number[] {
  const count = Math.ceil((days - HISTORY_DAYS - horizon) / ORIGIN_EVERY);
  return Array.from({ length: count }, (_, index) => HISTORY_DAYS + index * ORIGIN_EVERY);
}

function membersOn(
  series: readonly Series[],
  scores: readonly (number | null)[][],
  origin: number,
  horizon: Horizon,
): Member[] {
  return series.flatMap((one, channel) => {
    const known = originOf(one, origin);
    const target = logGrowth(one.subscribers[origin] ?? null, one.subscribers[origin + horizon] ?? null);
    const score = scores[channel]?.[origin] ?? null;
    return known && target !== null && score !== null ? [{ ...known, channel, score, target }] : [];
  });
}

function rankPool(members: readonly Member[], random: () => number): Pool {
  const values = { score: members.map(({ score }) => score), ...baselines(members) };
  return {
    members,
    target: ranked(
      members.map(({ target }) => target),
      random,
    ),
    rankings: byName((name) => ranked(values[name], random)),
  };
}

function judgeRankings(
  pools: readonly Pool[],
  weightOf = (_channel: number) => 1,
): Record<RankingName, Figures> {
  const judges = pools.map(({ members, target }) =>
    judgeBy(
      target,
      members.map(({ channel }) => weightOf(channel)),
    ),
  );
  return byName((name) =>
    averageFigures(pools.flatMap(({ rankings }, index) => judges[index]?.(rankings[name]) ?? [])),
  );
}

function bestPossible(pools: readonly Pool[]): { mean1: number; mean5: number } {
  const perfect = pools.map(({ members, target }) =>
    judgeBy(target, new Array(members.length).fill(1))(target),
  );
  const { mean1, mean5 } = averageFigures(perfect);
  return { mean1, mean5 };
}

/** Intervals over samples of the channels. A channel is in all origins or in none. */
function bootstrap(pools: readonly Pool[], channels: number, samples: number) {
  const random = seededRandom(SEED);
  const measured = judgeRankings(pools);
  const drawn = Array.from({ length: samples }, () => {
    const weights = drawWeights(channels, random);
    return judgeRankings(pools, (channel) => weights[channel] ?? 0);
  });
  const lead = (figure: keyof Figures) => {
    const baseline = RANKINGS.filter((name) => name !== "score").reduce((best, name) =>
      measured[name][figure] > measured[best][figure] ? name : best,
    );
    const ahead = (of: Record<RankingName, Figures>) => of.score[figure] - of[baseline][figure];
    return { baseline, value: ahead(measured), ...interval(drawn.map(ahead)) };
  };
  return {
    score: byFigure((figure) => interval(drawn.map(({ score }) => score[figure]))),
    lead: byFigure(lead),
  };
}

function judgeBands(pools: readonly Pool[], random: () => number): BacktestReport["bands"][7] {
  const sizes = pools.flatMap(({ members }) => members.map(({ size }) => size)).sort((a, b) => a - b);
  const names = new Set(sizes.map(sizeBand));
  const judged = [...names].flatMap((name) => {
    const parts = pools
      .map(({ members }) => members.filter(({ size }) => sizeBand(size) === name))
      .filter(({ length }) => length >= LEAST_IN_BAND);
    const channels = Math.round(mean(parts.map(({ length }) => length)) ?? 0);
    const rankings = () => judgeRankings(parts.map((members) => rankPool(members, random)));
    return parts.length > 0 ? [[name, { channels, rankings: rankings() }] as const] : [];
  });
  return Object.fromEntries(judged);
}

function judgeLevels(members: readonly Member[]): BacktestReport["levels"] {
  const judged = ALERT_LEVELS.toReversed().map((level) => {
    const of = members.filter(({ score }) => alertLevel(score) === level);
    return [
      level,
      { share: of.length / members.length, mean7: mean(of.map(({ target }) => target)) },
    ] as const;
  });
  // `fromEntries` loses the names in its type.
  return Object.fromEntries(judged) as BacktestReport["levels"];
}

function judgeQuietDays(
  series: readonly Series[],
  scores: readonly (number | null)[][],
): BacktestReport["quiet_days"] {
  const changes = series.flatMap(({ subscribers, views }, channel) =>
    subscribers.flatMap((_, day) => {
      const isQuiet = [subscribers, views].every((counts) => !counts[day] || counts[day] === counts[day - 1]);
      const [before, after] = [scores[channel]?.[day - 1] ?? null, scores[channel]?.[day] ?? null];
      return isQuiet && before !== null && after !== null ? [Math.abs(after - before)] : [];
    }),
  );
  const largest = changes.reduce((most, change) => Math.max(most, change), 0);
  return {
    days: changes.length,
    mean_change: mean(changes),
    largest_change: changes.length > 0 ? largest : null,
  };
}
