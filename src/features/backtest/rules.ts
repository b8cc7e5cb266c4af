import { createHash } from "node:crypto";
import { greatest, mean, median, pairs, sum } from "d3-array";
import { addDays } from "@/core/time";
import { isHighGrowth } from "@/features/growth/rules";
import { createRankCorrelation, type Ranked } from "@/features/growth/statistics.rules";
import { HISTORY_DAYS, type ScoreSnapshot } from "@/features/growth/strength.rules";
import { FIGURES, type Figures, type Half, RANKINGS, type RankingName } from "./schema";

/** A channel's counts by day, from the first day of the file. */
export interface Series {
  id: string;
  subscribers: readonly (number | null)[];
  views: readonly (number | null)[];
}

/** What is known of a channel on an origin. */
export type Origin = NonNullable<ReturnType<typeof createOrigin>>;

/** Days between two origins. */
export const ORIGIN_EVERY = 7;
/** A smaller channel is not ranked. */
export const MIN_SUBSCRIBERS = 100;
/** Views at which a channel's own subscribers per view weigh as much as the median rate. */
const VIEWS_FOR_OWN_RATE = 500;
/** Shares of the pool that a ranking picks. */
const SHARES = { one: 0.01, five: 0.05 };

/** The half that a channel belongs to, by its id. */
export function getHalf(channelId: string): Half {
  const [byte = 0] = createHash("sha256").update(`half ${channelId}`).digest();
  return byte % 2 === 0 ? "a" : "b";
}

/**
 * A channel on an origin by the last days of its history; null with fewer than two counts or 100 subscribers. Where a
 * window begins before the history, growth since the first known count stands in.
 */
export function createOrigin({ subscribers, views }: Series, origin: number, days = 28) {
  const size = subscribers[origin] ?? null;
  const first = findFirstKnown(subscribers, origin - days, origin);
  if (size === null || size < MIN_SUBSCRIBERS || first === null || first === origin) return null;
  const getCountSince = (counts: Series["views"], ago: number) =>
    counts[findFirstKnown(counts, origin - Math.min(ago, days), origin) ?? origin] ?? null;
  const computeGrowthSince = (ago: number) => computeLogGrowth(getCountSince(subscribers, ago), size) ?? 0;
  const countViewsSince = (ago: number) =>
    (views[origin] ?? 0) - (views[origin] == null ? 0 : (getCountSince(views, ago) ?? 0));
  const computeWeeklyViews = (ago: number) => {
    const from = findFirstKnown(views, origin - Math.min(ago, days), origin) ?? origin;
    return from === origin ? 0 : (countViewsSince(ago) * 7) / (origin - from);
  };
  return {
    size,
    /** Days since the first known count of its history. */
    historyDays: origin - first,
    /** Log growth of subscribers over 1, 7, 14 and 28 days up to the origin; 0 when unknown. */
    g1: computeGrowthSince(1),
    g7: computeGrowthSince(7),
    g14: computeGrowthSince(14),
    g28: computeGrowthSince(28),
    /** Growth of all known days, per week. */
    pace: (7 * computeGrowthSince(28)) / (origin - first),
    /** Subscribers and views gained in the 28 days. */
    gained: size - (getCountSince(subscribers, 28) ?? size),
    viewed: countViewsSince(28),
    /** Views a week: the mean of the last 7 days and, where lower, the last 3. */
    weeklyViews: 0.5 * computeWeeklyViews(7) + 0.5 * Math.min(computeWeeklyViews(7), computeWeeklyViews(3)),
  };
}

// Any calendar works: the score depends on the distance of days only.
export const LAST_DAY = "2000-01-29";
const DAYS = Array.from({ length: HISTORY_DAYS + 1 }, (_, index) => addDays(LAST_DAY, index - HISTORY_DAYS));

/** The counts of a day and of the `historyDays` before it, as if that day were {@link LAST_DAY}. */
export function listSnapshots({ subscribers, views }: Series, on: number, historyDays: number): ScoreSnapshot[] {
  return DAYS.slice(HISTORY_DAYS - historyDays).map((day, index) => {
    const at = on - historyDays + index;
    return { day, subscribers: subscribers[at] ?? null, views: views[at] ?? null };
  });
}

function findFirstKnown(counts: readonly (number | null)[], from: number, to: number): number | null {
  for (let day = Math.max(0, from); day <= to; day++) if (counts[day] != null) return day;
  return null;
}

/** Log growth from one count to another, 0 taken as 1; null when one is unknown. */
export function computeLogGrowth(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : Math.log(Math.max(1, after) / Math.max(1, before));
}

/**
 * The values of each simple ranking: size, growth over a window, and the growth expected from views at the channel's own
 * subscribers per view, blended with the median rate for few views.
 */
export function computeBaselines(pool: readonly Origin[]): Record<Exclude<RankingName, "score">, number[]> {
  const rates = pool.filter(({ viewed }) => viewed >= VIEWS_FOR_OWN_RATE);
  const common = median(rates, ({ gained, viewed }) => gained / viewed) ?? 0;
  const predictFromViews = ({ size, gained, viewed, weeklyViews }: Origin) => {
    const rate = (gained + common * VIEWS_FOR_OWN_RATE) / (Math.max(0, viewed) + VIEWS_FOR_OWN_RATE);
    return Math.log(Math.max(Number.MIN_VALUE, 1 + (weeklyViews * rate) / size));
  };
  const listValues = (name: "size" | "g1" | "g7" | "g14" | "g28" | "pace") => pool.map((origin) => origin[name]);
  const known = mapNames(["size", "g1", "g7", "g14", "g28", "pace"], listValues);
  return { ...known, views: pool.map(predictFromViews) };
}

/**
 * Prepares the evaluation of rankings against the target.
 * @param weights of the members: 1 each, or how often a bootstrap sample drew each
 * @returns a function that gives the figures of a ranking
 */
export function createEvaluator(target: Ranked, weights: Int32Array): (ranking: Ranked) => Figures {
  const correlate = createRankCorrelation(target, weights);
  const members = sum(weights);
  const pickTop = (of: Ranked, share: number) => pickMembers(of, weights, Math.max(1, Math.round(share * members)));
  const [best1, best5] = [pickTop(target, SHARES.one), pickTop(target, SHARES.five)];
  return (ranking) => {
    const [chosen1, chosen5] = [pickTop(ranking, SHARES.one), pickTop(ranking, SHARES.five)];
    return {
      p1: computeOverlap(chosen1, best1),
      p5: computeOverlap(chosen5, best5),
      mean1: computeWeightedMean(target.values, chosen1),
      mean5: computeWeightedMean(target.values, chosen5),
      rho: correlate(ranking),
    };
  };
}

/** The mean of each figure. */
export function averageFigures(figures: readonly Figures[]): Figures {
  return mapNames(FIGURES, (name) => mean(figures, (one) => one[name]) ?? 0);
}

/** The simple ranking with the highest figure. */
export function findBestBaseline(rankings: Record<RankingName, Figures>, figure: keyof Figures): RankingName {
  const baselines = RANKINGS.filter((name) => name !== "score");
  return greatest(baselines, (name) => rankings[name][figure]) ?? "size";
}

/** The number of alerts that daily counts make. */
export function countAlerts(subscribers: readonly (number | null)[]): number {
  const isAlert = ([before, after]: (number | null)[]) =>
    before != null && after != null && isHighGrowth(before, after);
  return pairs(subscribers).filter(isAlert).length;
}

/** A record with a value for each name, computed in their order. */
export function mapNames<Name extends PropertyKey, Value>(
  names: readonly Name[],
  compute: (name: Name) => Value,
): Record<Name, Value> {
  // `fromEntries` loses the names in its type.
  return Object.fromEntries(names.map((name) => [name, compute(name)])) as Record<Name, Value>;
}

function pickMembers({ order }: Ranked, weights: Int32Array, count: number): Map<number, number> {
  let left = count;
  const chosen = new Map<number, number>();
  for (const member of order) {
    const times = Math.min(left, weights[member] ?? 0);
    if (times > 0) chosen.set(member, times);
    left -= times;
    if (left === 0) break;
  }
  return chosen;
}

function computeOverlap(chosen: ReadonlyMap<number, number>, best: ReadonlyMap<number, number>): number {
  let [both, all] = [0, 0];
  for (const [member, times] of chosen) {
    both += Math.min(times, best.get(member) ?? 0);
    all += times;
  }
  return both / all;
}

function computeWeightedMean(values: readonly number[], chosen: ReadonlyMap<number, number>): number {
  let [total, all] = [0, 0];
  for (const [member, times] of chosen) {
    total += times * (values[member] ?? 0);
    all += times;
  }
  return total / all;
}
