import { addDays, countDaysBetween, type Day } from "@/core/time";
import type { HistorySnapshot } from "@/features/creators/schema";
import type { SnapshotDay } from "./snapshot-days";

/** Views of each day from the channel's total; null on a day without a count of its own or of the day before. */
export function getDailyViews(days: readonly SnapshotDay[]): (number | null)[] {
  const totals = days.map(({ snapshot }) => snapshot?.views ?? null);
  return totals.map((total, index) => {
    const before = totals[index - 1] ?? null;
    return total === null || before === null ? null : total - before;
  });
}

/** The views of a usual day: the median; null with fewer than three days. */
export function getUsualViews(views: readonly (number | null)[]): number | null {
  const known = views.filter((count) => count !== null).toSorted((one, other) => one - other);
  return known.length < 3 ? null : (known[Math.floor((known.length - 1) / 2)] ?? null);
}

interface ViewRate {
  views: number;
  days: number;
}

const RECENT_DAYS = 7;
/** Days before the recent ones that these are compared with. */
const PAST_DAYS = 28;

/**
 * The mean views a day of the last 7 days, and of up to 28 days before them, from the channel's total; null with fewer
 * than two totals.
 * @param history oldest first
 */
export function getViewsADay(history: readonly HistorySnapshot[]): (ViewRate & { before: ViewRate | null }) | null {
  const known = history.flatMap(({ day, views }) => (views === null ? [] : [{ day, views }]));
  const last = known.at(-1);
  const [first] = known;
  if (!last || !first) return null;
  const start = known.findLast(({ day }) => day <= addDays(last.day, -RECENT_DAYS)) ?? first;
  const recent = computeRate(start, last);
  const earlier = known.find(({ day }) => day >= addDays(start.day, -PAST_DAYS));
  return recent && { ...recent, before: earlier ? computeRate(earlier, start) : null };
}

type Total = { day: Day; views: number };

function computeRate(from: Total, to: Total): ViewRate | null {
  const days = countDaysBetween(from.day, to.day);
  return days < 1 ? null : { views: (to.views - from.views) / days, days };
}
