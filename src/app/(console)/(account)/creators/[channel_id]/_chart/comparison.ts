import { addDays, type Day } from "@/core/time";
import type { Measure } from "@/features/creators/chart.schema";
import type { HistoryReading } from "@/features/creators/schema";
import type { ReadingDay } from "../reading-days";
import type { Values } from "./paths";

/** Lines in percent since the first day on which each of them has a count. */
export interface Comparison {
  /** The place of that day; null where the lines have no day in common. */
  base: number | null;
  /** Null before that day, and on days without a count. */
  percents: (number | null)[][];
}

/** The counts of a creator on the days of a chart. @param shift days between the chart's day and the counted one */
export function countsOn(
  days: readonly Day[],
  readings: readonly HistoryReading[],
  measure: Measure,
  shift = 0,
): (number | null)[] {
  const byDay = new Map(readings.map((reading) => [reading.day, reading[measure]]));
  return days.map((day) => byDay.get(addDays(day, -shift)) ?? null);
}

/**
 * The counts of the period before the chart's, as long as it and on its places. Null unless it has two counts at least,
 * which is never where readings are not kept that long.
 */
export function countsBefore(
  days: readonly Day[],
  readings: readonly HistoryReading[],
  measure: Measure,
): (number | null)[] | null {
  const counts = countsOn(days, readings, measure, days.length);
  return counts.filter((count) => count !== null).length < 2 ? null : counts;
}

/** Puts lines on one scale. A line that starts from zero has no percentage. */
export function compare(lines: readonly Values[]): Comparison {
  const days = lines[0]?.length ?? 0;
  const isCommon = (place: number) => lines.every((line) => (line[place] ?? 0) > 0);
  const base = Array.from({ length: days }, (_, place) => place).find(isCommon) ?? null;
  const percents = lines.map((line) => line.map((count, place) => percentSince(line, base, place, count)));
  return { base, percents };
}

function percentSince(line: Values, base: number | null, place: number, count: number | null): number | null {
  const start = base === null ? null : line[base];
  if (base === null || !start || count === null || place < base) return null;
  return (count / start - 1) * 100;
}

/** The chart's own readings as counts. */
export function ownCounts(days: readonly ReadingDay[], measure: Measure): (number | null)[] {
  return days.map(({ reading }) => reading?.[measure] ?? null);
}
