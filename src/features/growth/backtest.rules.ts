import { createHash } from "node:crypto";
import type { Figures, Half, RankingName } from "./backtest.schema";
import { isHighGrowth } from "./rules";
import { averageRanks, correlation, mean, median, type Ranked } from "./statistics.rules";

/** A channel's counts by day, from the first day of the file. */
export interface Series {
  id: string;
  subscribers: readonly (number | null)[];
  views: readonly (number | null)[];
}

/** What is known of a channel on an origin. */
export interface Origin {
  size: number;
  /** Log growth of subscribers over the days up to the origin; 0 when unknown. */
  grown: Record<1 | 7 | 14 | 28, number>;
  /** Subscribers and views gained in the 28 days. */
  gained: number;
  viewed: number;
  /** Views a week: the mean of the last 7 days and, where lower, the last 3. */
  pace: number;
}

const LEAST_SUBSCRIBERS = 100;
/** Views at which a channel's own subscribers per view weigh as much as the median rate. */
const VIEWS_FOR_OWN_RATE = 500;
/** Shares of the pool that a ranking picks. */
const SHARES = { one: 0.01, five: 0.05 };

/** The half that a channel belongs to, by its id. */
export function halfOf(channelId: string): Half {
  const [byte = 0] = createHash("sha256").update(`half ${channelId}`).digest();
  return byte % 2 === 0 ? "a" : "b";
}

/** A channel on an origin; null when a ranking lacks a count. */
export function originOf({ subscribers, views }: Series, origin: number): Origin | null {
  const counts = [subscribers[origin], subscribers[origin - 28]] as const;
  const [size, before] = counts.map((count) => count ?? null);
  const seen = [0, 3, 7, 28].map((ago) => views[origin - ago] ?? null);
  const [now, ago3, ago7, ago28] = seen;
  if (size == null || before == null || size < LEAST_SUBSCRIBERS) return null;
  if (now == null || ago3 == null || ago7 == null || ago28 == null) return null;
  const since = (days: number) => logGrowth(subscribers[origin - days] ?? null, size) ?? 0;
  const [week, half] = [now - ago7, ((now - ago3) * 7) / 3];
  return {
    size,
    grown: { 1: since(1), 7: since(7), 14: since(14), 28: since(28) },
    gained: size - before,
    viewed: now - ago28,
    pace: 0.5 * week + 0.5 * Math.min(week, half),
  };
}

/** Log growth from one count to another, 0 taken as 1; null when one is unknown. */
export function logGrowth(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : Math.log(Math.max(1, after) / Math.max(1, before));
}

/**
 * The values of each simple ranking: size, growth over a window, and the growth expected from views at the channel's own
 * subscribers per view, blended with the median rate for few views.
 */
export function baselines(pool: readonly Origin[]): Record<Exclude<RankingName, "score">, number[]> {
  const rates = pool.filter(({ viewed }) => viewed >= VIEWS_FOR_OWN_RATE);
  const common = median(rates.map(({ gained, viewed }) => gained / viewed)) ?? 0;
  const byViews = ({ size, gained, viewed, pace }: Origin) => {
    const rate = (gained + common * VIEWS_FOR_OWN_RATE) / (Math.max(0, viewed) + VIEWS_FOR_OWN_RATE);
    return Math.log(Math.max(Number.MIN_VALUE, 1 + (pace * rate) / size));
  };
  return {
    size: pool.map(({ size }) => size),
    g1: pool.map(({ grown }) => grown[1]),
    g7: pool.map(({ grown }) => grown[7]),
    g14: pool.map(({ grown }) => grown[14]),
    g28: pool.map(({ grown }) => grown[28]),
    views: pool.map(byViews),
  };
}

/**
 * Prepares the figures of rankings against the target.
 * @param weights of the members: 1 each, or how often a bootstrap sample drew each
 * @returns a function that gives the figures of a ranking
 */
export function judgeBy(target: Ranked, weights: readonly number[]): (ranking: Ranked) => Figures {
  const happened = averageRanks(target, weights);
  const [best1, best5] = [picked(target, weights, SHARES.one), picked(target, weights, SHARES.five)];
  return (ranking) => {
    const [chosen1, chosen5] = [picked(ranking, weights, SHARES.one), picked(ranking, weights, SHARES.five)];
    return {
      p1: overlap(chosen1, best1),
      p5: overlap(chosen5, best5),
      mean1: meanOf(target.values, chosen1),
      mean5: meanOf(target.values, chosen5),
      rho: correlation(averageRanks(ranking, weights), happened, weights),
    };
  };
}

/** The mean of each figure. */
export function averageFigures(figures: readonly Figures[]): Figures {
  return byFigure((name) => mean(figures.map((one) => one[name])) ?? 0);
}

/** The number of alerts that daily counts make. */
export function countAlerts(subscribers: readonly (number | null)[]): number {
  return subscribers.filter((after, day) => {
    const before = subscribers[day - 1] ?? null;
    return before !== null && after !== null && isHighGrowth(before, after);
  }).length;
}

/** A record with a value for each ranking. */
export function byName<T>(of: (name: RankingName) => T): Record<RankingName, T> {
  const [score, size, g1, g7] = [of("score"), of("size"), of("g1"), of("g7")];
  return { score, size, g1, g7, g14: of("g14"), g28: of("g28"), views: of("views") };
}

/** A record with a value for each figure. */
export function byFigure<T>(of: (figure: keyof Figures) => T): Record<keyof Figures, T> {
  return { p1: of("p1"), p5: of("p5"), mean1: of("mean1"), mean5: of("mean5"), rho: of("rho") };
}

function picked({ order }: Ranked, weights: readonly number[], share: number): Map<number, number> {
  const all = weights.reduce((total, weight) => total + weight, 0);
  let left = Math.max(1, Math.round(share * all));
  const chosen = new Map<number, number>();
  for (const member of order) {
    const times = Math.min(left, weights[member] ?? 0);
    if (times > 0) chosen.set(member, times);
    left -= times;
    if (left === 0) break;
  }
  return chosen;
}

function overlap(chosen: ReadonlyMap<number, number>, best: ReadonlyMap<number, number>): number {
  let [both, all] = [0, 0];
  for (const [member, times] of chosen) {
    both += Math.min(times, best.get(member) ?? 0);
    all += times;
  }
  return both / all;
}

function meanOf(values: readonly number[], chosen: ReadonlyMap<number, number>): number {
  let [total, all] = [0, 0];
  for (const [member, times] of chosen) {
    total += times * (values[member] ?? 0);
    all += times;
  }
  return total / all;
}
