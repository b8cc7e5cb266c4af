import { addDays, type Day } from "@/core/time";
import type { HistoryReading } from "@/features/creators/schema";

/** A UTC day of a chart with its reading, or null. */
export interface ReadingDay {
  day: Day;
  reading: HistoryReading | null;
}

/**
 * The last `count` days of readings, oldest first, with missed days. Ends today if today has a reading or yesterday has
 * none, else yesterday. Starts at the first reading.
 * @param readings oldest first
 */
export function readingDays(readings: readonly HistoryReading[], count: number, today: Day): ReadingDay[] {
  const [first, last] = [readings[0]?.day, readings.at(-1)?.day];
  if (!first || !last) return [];
  const yesterday = addDays(today, -1);
  const end = last < yesterday ? today : last;
  const byDay = new Map(readings.map((reading) => [reading.day, reading]));
  return Array.from({ length: count }, (_, place) => addDays(end, place - count + 1))
    .filter((day) => day >= first)
    .map((day) => ({ day, reading: byDay.get(day) ?? null }));
}
