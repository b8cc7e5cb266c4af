import { addDays, type Day } from "@/core/time";
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
