import { greatest, pairs, sum } from "d3-array";
import { addDays, countDaysBetween, type Day } from "@/core/time";
import { computeGrowthPercent } from "./rules";
import { HISTORY_DAYS, type ScoreSnapshot } from "./strength.rules";

const WEEK = 7;
/** One-day growth in percent that is a jump if it made this share of all gains, and one that is a jump on its day. */
const JUMP = { percent: 5, share: 0.5, today: 10 };

/** What is known of a channel's last 28 days. */
export type Past = NonNullable<ReturnType<typeof measurePast>>;

interface Count {
  day: Day;
  subscribers: number;
}

/**
 * Measures the last 28 days by the counts that were shown.
 * @param snapshots in any order
 * @returns null without two counts, the latest of `day`, or from a count of zero
 */
export function measurePast(snapshots: readonly ScoreSnapshot[], day: Day) {
  const oldest = addDays(day, -HISTORY_DAYS);
  const known = snapshots
    .filter((one) => one.day >= oldest && one.day <= day)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
  const counts = known.flatMap(({ day, subscribers }) => (subscribers === null ? [] : [{ day, subscribers }]));
  const [first, last] = [counts[0], counts.at(-1)];
  if (!first || !last || counts.length < 2 || last.day !== day || first.subscribers === 0) return null;
  const jump = findJump(counts);
  const start = jump && counts.findLast((count) => countDaysBetween(count.day, jump.day) > WEEK);
  const beforeJump = jump && counts.findLast((count) => count.day < jump.day);
  return {
    day,
    latest: last.subscribers,
    /** Days from the first count to the latest. */
    days: countDaysBetween(first.day, day),
    /** How many of the days between two counts rose. */
    rises: pairs(counts).filter(([before, after]) => after.subscribers > before.subscribers).length,
    /** Growth in percent of whole weeks, the newest first: four at most. */
    weeks: measureWeeks(counts, day),
    jump,
    /** Growth in percent of the week before the jump; null without a whole one. */
    weekBeforeJump: start ? computeGrowthPercent(start.subscribers, jump.before) : null,
    /** Daily growth in percent since the jump, and before it; null without such days. */
    paceSinceJump: jump && computePace(jump.day, jump.after, last),
    paceBeforeJump: beforeJump ? computePace(first.day, first.subscribers, beforeJump) : null,
    views: measureViews(known, day),
  };
}

/** The largest day of a channel, where it made most of the growth, with the lowest count since, today's included. */
function findJump(counts: readonly Count[]) {
  const steps = pairs(counts).filter(([before, after]) => countDaysBetween(before.day, after.day) === 1);
  const step = greatest(steps, ([before, after]) => after.subscribers - before.subscribers);
  const gains = sum(pairs(counts), ([before, after]) => Math.max(0, after.subscribers - before.subscribers));
  if (!step) return null;
  const [{ subscribers: before }, { day, subscribers: after }] = step;
  const percent = computeGrowthPercent(before, after) ?? 0;
  const isLargest = percent >= JUMP.percent && after - before >= JUMP.share * gains;
  if (!isLargest && !(percent >= JUMP.today && day === counts.at(-1)?.day)) return null;
  const since = counts.filter((count) => count.day >= day).map(({ subscribers }) => subscribers);
  return { day, before, after, percent, lowestSince: Math.min(...since) };
}

function measureWeeks(counts: readonly Count[], day: Day): number[] {
  const at = (ago: number) => {
    const until = addDays(day, -ago);
    return counts.findLast((count) => count.day <= until)?.subscribers ?? null;
  };
  const weeks = [0, 1, 2, 3].map((week) => computeGrowthPercent(at(WEEK * (week + 1)), at(WEEK * week)));
  const unknown = weeks.indexOf(null);
  return weeks.slice(0, unknown < 0 ? weeks.length : unknown).flatMap((week) => week ?? []);
}

/** Daily growth in percent; null over less than three days. */
function computePace(from: Day, before: number, { day, subscribers }: Count): number | null {
  const days = countDaysBetween(from, day);
  return days < 3 || before === 0 ? null : (100 * (subscribers / before - 1)) / days;
}

/** Null with under two weeks before this one, or where a total fell. */
function measureViews(known: readonly ScoreSnapshot[], day: Day) {
  const at = (ago: number) => {
    const until = addDays(day, -ago);
    return known.findLast((one) => one.day <= until && one.views !== null);
  };
  const weeks = [4, 3].find((count) => at(WEEK * count)) ?? 0;
  const [start, weekAgo, now] = [at(WEEK * weeks), at(WEEK), at(0)];
  if (weeks === 0 || !start?.views || !weekAgo?.views || !now?.views || !now.subscribers) return null;
  const [week, all] = [now.views - weekAgo.views, now.views - start.views];
  const usual = (weekAgo.views - start.views) / (weeks - 1);
  if (week < 0 || usual <= 0) return null;
  return {
    /** This week's views, as a multiple of a week of the weeks before. */
    timesUsual: week / usual,
    /** Subscribers gained in all known weeks, for 1,000 views. */
    gainedPerThousand: (1000 * (now.subscribers - (start.subscribers ?? now.subscribers))) / all,
    /** Views of a week by subscriber. */
    perSubscriber: all / weeks / now.subscribers,
  };
}
