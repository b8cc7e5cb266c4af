import { pairs, sum } from "d3-array";
import { type Day, toDayNumber } from "@/core/time";
import { type Curve, interpolate } from "./calibration.rules";
import { computeRoundingError, estimateCounts } from "./rules";
import type { ScoreParts } from "./schema";

/** How many days growth and score look back at most. */
export const HISTORY_DAYS = 28;

export interface ScoreSnapshot {
  day: Day;
  subscribers: number | null;
  views: number | null;
}

/**
 * The constants were fitted on one half of 1,500 real channels and tested on the other (docs/score.md). Changing any of
 * them by a third moves precision at 5% and rank correlation by at most about .015.
 */
const WEIGHT = { recent: 0.65, month: 0.15, byViews: 0.2 };
/** Above this weekly growth a window counts by its logarithm, so growth in all windows beats a burst in one. */
const GROWTH_SCALE = 0.01;
/** Age in days at which a day weighs 1/e in recent growth. */
const MEMORY_DAYS = 4;
/** Larger daily falls (log) are clean-ups by the platform, not the audience. */
const WORST_DAY = -0.002;
/** Added to counts before the logarithm, to damp the growth of tiny channels. */
const TINY = 30;
/** Prior rate of subscribers per view, for channels with few views. */
const PRIOR = { subscribers: 1, views: 500 };
const PERSISTENCE_GAIN = 0.3;
const REACH_GAIN = 0.1;
const REACH_SCALE = 0.003;
/** Views per subscriber and week from which reach counts no further, 99 of 100 channels have less. */
const MAX_REACH = 3;
/** Loss per factor e of size: at the same pace a smaller channel has more room to grow, within the bounds. */
const SIZE_LOSS = 0.12;
const SIZE_BOUNDS = [100, 10_000] as const;

/** The score at a strength, linear in between. Fitted so that the next week's growth at least doubles per level. */
const SCALE: Curve = { at: [0, 1.3, 2.1, 3, 5.5], values: [0, 25, 50, 75, 100] };

/**
 * Measures a channel by its snapshots of the 28 days up to and including `day`; null with fewer than two counts.
 *
 * strength = growth - 0.12 ln(size / 1000) (1 - e^-growth) + 0.3 persistence + 0.1 ln(1 + reach / 0.003), where
 * growth = 0.65 c(recent) + 0.15 c(28 days) + 0.2 c(by views) and c(g) = ln(1 + g / 0.01), none below 0. Growth is
 * measured on {@link estimateCounts}, so the steps of rounding do not raise it.
 * @param snapshots of one channel, in any order; only those of the 28 days up to `day` count
 * @returns `raw`: 0 to 100, before {@link toComparableScore} allows for the length of the history; `hasGrown`: over 7
 * or 28 days
 */
export function measureChannel(snapshots: readonly ScoreSnapshot[], day: Day) {
  if (snapshots.length < 2) return null;
  const subscribers = new Array<number | null>(HISTORY_DAYS + 1).fill(null);
  const views = [...subscribers];
  const first = toDayNumber(day) - HISTORY_DAYS;
  for (const snapshot of snapshots) {
    const index = toDayNumber(snapshot.day) - first;
    if (index < 0 || index > HISTORY_DAYS) continue;
    subscribers[index] = snapshot.subscribers;
    views[index] = snapshot.views;
  }
  if (subscribers.filter((count) => count !== null).length < 2) return null;
  const lasting = fillDips(subscribers);
  const { parts, strength } = measureStrength(lasting, views);
  return { parts, raw: interpolate(SCALE, strength), hasGrown: hasGrown(lasting) };
}

/** Lifts a count that fell for one day only to the lower of its neighbours, so that its return is no growth. */
export function fillDips(subscribers: readonly (number | null)[]): (number | null)[] {
  const known = subscribers.flatMap((count, day) => (count === null ? [] : [{ day, count }]));
  const filled = [...subscribers];
  known.forEach(({ day, count }, index) => {
    const [before, after] = [known[index - 1], known[index + 1]];
    if (before && after) filled[day] = Math.max(count, Math.min(before.count, after.count));
  });
  return filled;
}

function measureStrength(subscribers: readonly (number | null)[], views: readonly (number | null)[]) {
  const first = subscribers.findIndex((count) => count !== null);
  const likely = estimateCounts(subscribers).map((count) => count ?? 0);
  const [start, end] = [likely[first] ?? 0, likely[HISTORY_DAYS] ?? 0];
  const days = likely.map((count, day) =>
    day <= first ? 0 : Math.log((count + TINY) / ((likely[day - 1] ?? 0) + TINY)),
  );
  const month = sum(days) / 4;
  const recent = computeRecentGrowth(days);
  const traffic = computeTraffic(views);
  const rate = traffic && (Math.max(0, end - start) + PRIOR.subscribers) / (traffic.month + PRIOR.views);
  const parts: ScoreParts = {
    growth_28d: month,
    growth_7d: sum(days.slice(-7)),
    growth_recent: recent,
    // Relative to the larger count, so that a higher count after a fall never means less.
    growth_by_views: traffic && rate && Math.log(1 + (traffic.week * rate) / (Math.max(start, end) + TINY)),
    persistence: computePersistence(subscribers),
    reach: traffic && traffic.month / 4 / Math.max(1, start),
    confidence: computeConfidence(subscribers),
    size: start,
    history_days: HISTORY_DAYS - first,
    ...measureShape(days, first),
  };
  return { parts, strength: sum(listContributions(parts), ({ value }) => value) };
}

/** What each part adds to the strength. What the size takes off or adds, the three parts of growth share. */
export function listContributions(parts: ScoreParts) {
  const [recent, month] = [compressGrowth(parts.growth_recent), compressGrowth(parts.growth_28d)];
  const byViews = parts.growth_by_views === null ? null : compressGrowth(parts.growth_by_views);
  const known = byViews === null ? WEIGHT.recent + WEIGHT.month : 1;
  const weighted = [WEIGHT.recent * recent, WEIGHT.month * month, WEIGHT.byViews * (byViews ?? 0)].map(
    (value) => value / known,
  );
  const growth = sum(weighted);
  const [min, max] = SIZE_BOUNDS;
  const magnitude = Math.log(Math.min(Math.max(parts.size, min), max) / 1000);
  const scale = growth > 0 ? 1 - (SIZE_LOSS * magnitude * (1 - Math.exp(-growth))) / growth : 1;
  const [recentPace = 0, lastMonth = 0, views = 0] = weighted.map((value) => scale * value);
  return [
    { part: "recent_pace", value: recentPace },
    { part: "last_28_days", value: lastMonth },
    { part: "views", value: views },
    { part: "persistence", value: PERSISTENCE_GAIN * parts.persistence },
    { part: "reach", value: REACH_GAIN * Math.log(1 + Math.min(parts.reach ?? 0, MAX_REACH) / REACH_SCALE) },
  ] as const;
}

function compressGrowth(growth: number): number {
  return Math.log(1 + Math.max(0, growth) / GROWTH_SCALE);
}

const RECENCY = Array.from({ length: HISTORY_DAYS + 1 }, (_, day) =>
  day === 0 ? 0 : Math.exp((day - HISTORY_DAYS) / MEMORY_DAYS),
);
const TOTAL_RECENCY = sum(RECENCY);

function computeRecentGrowth(days: readonly number[]): number {
  const weighted = days.map((growth, day) => Math.max(growth, WORST_DAY) * (RECENCY[day] ?? 0));
  return (7 * sum(weighted)) / TOTAL_RECENCY;
}

/** Views of the last 28 and 7 days. A falling total counts as no views. */
function computeTraffic(views: readonly (number | null)[]): { month: number; week: number } | null {
  const known = views.flatMap((count, day) => (count === null ? [] : [{ day, count }]));
  if (known.length < 2) return null;
  const gains = pairs(known, (before, { day, count }) => ({ day, gained: Math.max(0, count - before.count) }));
  const sumGainsSince = (since: number) => sum(gains, ({ day, gained }) => (day > since ? gained : 0));
  return { month: sumGainsSince(0), week: sumGainsSince(HISTORY_DAYS - 7) };
}

function computePersistence(subscribers: readonly (number | null)[]): number {
  const grown = [28, 21, 14, 7].filter((ago) => {
    const [before, after] = [getShownAgo(subscribers, ago), getShownAgo(subscribers, ago - 7)];
    return before !== null && after !== null && after > before;
  });
  return grown.length / 4;
}

function computeConfidence(subscribers: readonly (number | null)[]): number {
  const first = subscribers.findIndex((count) => count !== null);
  const last = subscribers.findLastIndex((count) => count !== null);
  const count = subscribers[last] ?? 0;
  const error = ((computeRoundingError(count) / Math.max(1, count)) * 7) / (last - first);
  return ((last - first) / HISTORY_DAYS) * (GROWTH_SCALE / (GROWTH_SCALE + error));
}

function hasGrown(subscribers: readonly (number | null)[]): boolean {
  const now = getShownAgo(subscribers, 0);
  const first = subscribers.find((count) => count !== null);
  return [7, HISTORY_DAYS].some((ago) => (now ?? 0) > (getShownAgo(subscribers, ago) ?? first ?? 0));
}

function getShownAgo(subscribers: readonly (number | null)[], ago: number): number | null {
  return subscribers.slice(0, HISTORY_DAYS + 1 - ago).findLast((count) => count !== null) ?? null;
}

/** Of days that grew almost as much as the largest, the first counts, so that steady growth is growth since it. */
const ALIKE = 0.8;

/** How growth is spread over log growth by day, oldest first. @param first index of the first known count */
function measureShape(days: readonly number[], first: number) {
  const rises = sum(days, (growth) => Math.max(0, growth));
  const most = Math.max(...days);
  const largest = most > 0 ? days.findIndex((growth) => growth >= ALIKE * most) : 0;
  const weeks = [1, 2, 3, 4].flatMap((week) => {
    const from = days.length - 7 * week;
    return from > first ? [sum(days.slice(from, from + 7))] : [];
  });
  return {
    largest_day_share: rises > 0 ? (days[largest] ?? 0) / rises : 0,
    growth_since_largest_day: sum(days.slice(largest + 1)),
    slowest_week: weeks.length > 0 ? Math.min(...weeks) : null,
  };
}
