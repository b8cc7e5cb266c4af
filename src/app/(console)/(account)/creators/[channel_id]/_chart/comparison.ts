import { addDays, type Day } from "@/core/time";
import type { HistorySnapshot } from "@/features/creators/schema";
import type { Values } from "./paths";

/** The subscribers of a creator on the days of a chart. @param shift days between the chart's day and the counted one */
export function getCounts(days: readonly Day[], snapshots: readonly HistorySnapshot[], shift = 0): (number | null)[] {
  const byDay = new Map(snapshots.map((snapshot) => [snapshot.day, snapshot.subscribers]));
  return days.map((day) => byDay.get(addDays(day, -shift)) ?? null);
}

/** The counts of the preceding period of the same length; null with fewer than two counts. */
export function getCountsBefore(days: readonly Day[], snapshots: readonly HistorySnapshot[]): (number | null)[] | null {
  const counts = getCounts(days, snapshots, days.length);
  return counts.filter((count) => count !== null).length < 2 ? null : counts;
}

/**
 * Lines in percent since the first day on which each of them has a count above zero.
 * @returns the index of that day, null where there is none; percents are null before it and without a count
 */
export function compare(lines: readonly Values[]): { base: number | null; percents: (number | null)[][] } {
  const base = (lines[0] ?? []).findIndex((_, index) => lines.every((line) => (line[index] ?? 0) > 0));
  const percents = lines.map((line) => {
    const start = line[base];
    return line.map((count, index) => (start && count !== null && index >= base ? (count / start - 1) * 100 : null));
  });
  return { base: base < 0 ? null : base, percents };
}
