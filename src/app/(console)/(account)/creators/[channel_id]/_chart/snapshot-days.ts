import { addDays, countDaysBetween, type Day } from "@/core/time";
import type { HistorySnapshot } from "@/features/creators/schema";

/** A UTC day of a chart with its snapshot, or null. */
export interface SnapshotDay {
  day: Day;
  snapshot: HistorySnapshot | null;
}

/**
 * The last `count` days, oldest first, including missed days. Ends today if today has a snapshot or yesterday has
 * none, else yesterday. Starts at the first snapshot.
 * @param snapshots oldest first
 */
export function listSnapshotDays(snapshots: readonly HistorySnapshot[], count: number, today: Day): SnapshotDay[] {
  const [first, last] = [snapshots[0]?.day, snapshots.at(-1)?.day];
  if (!first || !last) return [];
  const yesterday = addDays(today, -1);
  const end = last < yesterday ? today : last;
  const byDay = new Map(snapshots.map((snapshot) => [snapshot.day, snapshot]));
  return Array.from({ length: count }, (_, index) => addDays(end, index - count + 1))
    .filter((day) => day >= first)
    .map((day) => ({ day, snapshot: byDay.get(day) ?? null }));
}

/**
 * The days of the snapshots in a period, the periods to choose from, and which of them it is.
 * @param wanted its days, or `all`
 * @param today of the server; an open page may get later snapshots
 */
export function getShownDays(snapshots: readonly HistorySnapshot[], wanted: string, today: Day) {
  const last = [today, snapshots.at(-1)?.day ?? today].toSorted().at(-1) ?? today;
  const count = countDaysBetween(snapshots[0]?.day ?? last, last) + 1;
  const spans = listSpans(count);
  // The longest where the wanted one is not offered.
  const span = spans.find(({ value }) => value === wanted)?.value ?? "all";
  return { spans, span, days: listSnapshotDays(snapshots, span === "all" ? count : Number(span), last) };
}

/** The periods that the kept days cover, and all of them where that is more. */
function listSpans(count: number) {
  const periods = [7, 14, 30, 90].filter((days) => days <= count);
  const spans = periods.map((days) => ({ value: String(days), label: `${days} days` }));
  return periods.at(-1) === count ? spans : [...spans, { value: "all", label: "All" }];
}
