import { addDays, type Day } from "@/core/time";
import type { Measure } from "@/features/creators/chart.schema";
import type { HistorySnapshot } from "@/features/creators/schema";
import type { Values } from "./paths";
import type { SnapshotDay } from "./snapshot-days";

/** Lines in percent since the first day on which each of them has a count. */
export interface Comparison {
  /** The index of that day; null where the lines have no day in common. */
  base: number | null;
  /** Null before that day, and on days without a count. */
  percents: (number | null)[][];
}

/** The counts of a creator on the days of a chart. @param shift days between the chart's day and the counted one */
export function getCounts(
  days: readonly Day[],
  snapshots: readonly HistorySnapshot[],
  measure: Measure,
  shift = 0,
): (number | null)[] {
  const byDay = new Map(snapshots.map((snapshot) => [snapshot.day, snapshot[measure]]));
  return days.map((day) => byDay.get(addDays(day, -shift)) ?? null);
}

/** The counts of the preceding period of the same length; null with fewer than two counts. */
export function getCountsBefore(
  days: readonly Day[],
  snapshots: readonly HistorySnapshot[],
  measure: Measure,
): (number | null)[] | null {
  const counts = getCounts(days, snapshots, measure, days.length);
  return counts.filter((count) => count !== null).length < 2 ? null : counts;
}

/** Puts lines on one scale. A line that starts from zero has no percentage. */
export function compare(lines: readonly Values[]): Comparison {
  const isCommon = (_: unknown, index: number) => lines.every((line) => (line[index] ?? 0) > 0);
  const common = (lines[0] ?? []).findIndex(isCommon);
  const base = common < 0 ? null : common;
  const percents = lines.map((line) => line.map((count, index) => computePercent(line, base, index, count)));
  return { base, percents };
}

function computePercent(line: Values, base: number | null, index: number, count: number | null): number | null {
  const start = base === null ? null : line[base];
  if (base === null || !start || count === null || index < base) return null;
  return (count / start - 1) * 100;
}

/** The counts of the chart's own snapshots. */
export function getOwnCounts(days: readonly SnapshotDay[], measure: Measure): (number | null)[] {
  return days.map(({ snapshot }) => snapshot?.[measure] ?? null);
}
