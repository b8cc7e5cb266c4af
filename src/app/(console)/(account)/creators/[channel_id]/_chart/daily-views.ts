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
