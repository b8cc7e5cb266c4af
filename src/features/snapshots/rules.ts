import { addDays, countSecondsBetween, type Day, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { RunSummary } from "./schema";

/** Time of day at which the daily run is due. */
export const RUN_AT = 6 * HOUR;

/** The instant of a day's run: 06:00 UTC. */
export function getRunTime(day: Day): Date {
  return toDate(startOfDay(day).getTime() + RUN_AT);
}

/** When the next daily run is due: the next 06:00 UTC. */
export function getNextRunTime(now: Date): Date {
  const today = toUtcDay(now);
  return getRunTime(now < getRunTime(today) ? today : addDays(today, 1));
}

/** Seconds that a run took; null while it is running. */
export function countRunSeconds({ started_at, finished_at }: RunSummary): number | null {
  return finished_at === null ? null : countSecondsBetween(toDate(started_at), toDate(finished_at));
}

/** Share of a run's channels, 0 to 1, that were read or unavailable; null without channels. */
export function computeCoverage({ planned, read, unavailable }: RunSummary): number | null {
  return planned > 0 ? (read + unavailable) / planned : null;
}

/** The UTC day is over, so nothing more is written for it. */
export class DayOverError extends Error {
  constructor(day: Day) {
    super(`the day ${day} is over`);
    this.name = "DayOverError";
  }
}

/** The current instant. @throws DayOverError when it is not on the day */
export function requireDay({ clock }: CoreContext, day: Day): Date {
  const now = clock.now();
  if (toUtcDay(now) !== day) throw new DayOverError(day);
  return now;
}
