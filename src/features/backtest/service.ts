import { range, sum } from "d3-array";
import { OperatorError } from "@/core/errors";
import { addDays, countDaysBetween } from "@/core/time";
import { SCORE_VERSION, scoreChannel } from "@/features/growth/score.rules";
import { createRandom } from "@/features/growth/statistics.rules";
import { HISTORY_DAYS } from "@/features/growth/strength.rules";
import type { History } from "@/platform/history";
import { evaluateCalibration, evaluateRange } from "./chances.rules";
import {
  computeBestPossible,
  computeIntervals,
  drawHistoryGroup,
  evaluateBands,
  evaluateHistory,
  evaluateLevels,
  evaluateQuietDays,
  evaluateRankings,
  getHistoryGroup,
  type Pool,
  rankPool,
  type Sampling,
} from "./groups.rules";
import {
  computeLogGrowth,
  countAlerts,
  createOrigin,
  getHalf,
  LAST_DAY,
  listSnapshots,
  mapNames,
  ORIGIN_EVERY,
  type Series,
} from "./rules";
import { CHANCE_DAYS, type Half, HORIZONS, type Horizon } from "./schema";

const SEED = 20_260_101;

export interface BacktestOptions extends Sampling {
  /** Use only one half of the channels. */
  half?: Half | undefined;
  /** Cut each channel's history to 3, 7, 14 or 28 days, drawn from this seed. */
  mixedHistory?: number | undefined;
}

/** The result of a backtest. Each figure is the mean over its origins. */
export type BacktestReport = ReturnType<typeof runBacktest>;

/**
 * Measures on real histories how well the score predicts growth. On origins seven days apart, channels are ranked by
 * what was known on that day, and the rankings are compared with the growth that followed.
 * @throws OperatorError when the histories are too short or too few
 */
export function runBacktest(history: History, options: BacktestOptions) {
  const { half, mixedHistory } = options;
  const days = countDaysBetween(history.first, history.last) + 1;
  const needed = HISTORY_DAYS + Math.max(...HORIZONS) + 1;
  if (days < needed) throw new OperatorError(`CSV: a backtest needs at least ${needed} days, the file has ${days}`);
  const series = readSeries(history, days).filter(({ id }) => !half || getHalf(id) === half);
  const random = createRandom(SEED);
  const draw = mixedHistory === undefined ? null : createRandom(mixedHistory);
  const drawn = series.map(() => draw && drawHistoryGroup(draw));
  const pools = mapNames(HORIZONS, (horizon) =>
    range(HISTORY_DAYS, days - horizon, ORIGIN_EVERY).map((origin) =>
      rankPool(listMembers(series, drawn, origin, horizon), random),
    ),
  );
  const members = mapNames(HORIZONS, (horizon) => pools[horizon].flatMap((pool) => pool.members));
  const cut = mapNames(CHANCE_DAYS, (length) => {
    const lengths = series.map(() => length);
    const all = range(HISTORY_DAYS, days - 7, ORIGIN_EVERY).flatMap((on) => listMembers(series, lengths, on, 7));
    return all.filter(({ historyDays }) => historyDays === length);
  });
  const allMembers = [...pools[7], ...pools[28]].map(({ members }) => members);
  if (allMembers.some(({ length }) => length === 0))
    throw new OperatorError("CSV: on one of the test days no channel has the counts that a backtest needs");
  const evaluateBoth = <T>(evaluate: (pools: readonly Pool[]) => T) =>
    mapNames(HORIZONS, (horizon) => evaluate(pools[horizon]));
  return {
    horizons: evaluateBoth(evaluateRankings),
    levels: evaluateLevels(members[7]),
    /** Days from which growth was predicted. */
    origins: pools[7].length,
    /** Channels that were ranked at least once. */
    channels: new Set(allMembers.flat().map(({ channel }) => channel)).size,
    /** What a perfect ranking would pick. */
    best_possible: evaluateBoth(computeBestPossible),
    intervals: evaluateBoth((of) => computeIntervals(of, series.length, createRandom(SEED), options)),
    bands: evaluateBoth((of) => evaluateBands(of, random)),
    by_history: evaluateHistory(pools[7], random),
    /** Its by_history is of all channels, as if only that many days of history were known. */
    calibration: evaluateCalibration(members, cut),
    ranges: mapNames(HORIZONS, (horizon) => evaluateRange(members[horizon], horizon)),
    /** Seed of the drawn histories; null for whole ones. */
    mixed_history: mixedHistory ?? null,
    quiet_days: evaluateQuietDays(series, (one, day) => computeScore(one, day, HISTORY_DAYS).exact),
    /** Alerts by the rule: one-day growth above 10%. */
    alerts: sum(series, ({ subscribers }) => countAlerts(subscribers)),
    /** The half of the channels that was used; null for all. */
    half: half ?? null,
    score_version: SCORE_VERSION,
  };
}

/** The counts of each channel by day. */
export function readSeries(history: History, days: number): Series[] {
  const calendar = Array.from({ length: days }, (_, index) => addDays(history.first, index));
  return history.channelIds.map((id) => {
    const counts = calendar.map((day) => history.getCounts(id, day));
    return {
      id,
      subscribers: counts.map((count) => count?.subscribers ?? null),
      views: counts.map((count) => count?.views ?? null),
    };
  });
}

function listMembers(series: readonly Series[], lengths: readonly (number | null)[], origin: number, horizon: Horizon) {
  return series.flatMap((whole, channel) => {
    const target = computeLogGrowth(whole.subscribers[origin] ?? null, whole.subscribers[origin + horizon] ?? null);
    if (target === null) return [];
    const known = createOrigin(whole, origin, lengths[channel] ?? HISTORY_DAYS);
    if (!known) return [];
    const { exact: score, chances, ranges, parts } = computeScore(whole, origin, known.historyDays);
    if (!chances || !ranges || !parts) return [];
    const group = getHistoryGroup(lengths[channel] ?? known.historyDays);
    return [{ ...known, channel, score, chances, ranges, parts, group, target }];
  });
}

/** The score on a day, by the counts of that day and the `historyDays` before it. */
function computeScore(one: Series, on: number, historyDays: number) {
  const totals = { subscribers: one.subscribers[on] ?? null, views: one.views[on] ?? null };
  return scoreChannel(listSnapshots(one, on, historyDays), LAST_DAY, totals);
}
