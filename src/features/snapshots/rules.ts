import { addDays, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { RunSummary } from "./schema";

/** When the next daily run is due: the next 06:00 UTC. */
export function getNextRunTime(now: Date): Date {
  const today = toDate(startOfDay(toUtcDay(now)).getTime() + 6 * HOUR);
  return now < today ? today : toDate(startOfDay(addDays(toUtcDay(now), 1)).getTime() + 6 * HOUR);
}

/** Share of a run's channels, 0 to 1, that were read or unavailable; null without channels. */
export function computeCoverage({ planned, read, unavailable }: RunSummary): number | null {
  return planned > 0 ? (read + unavailable) / planned : null;
}
