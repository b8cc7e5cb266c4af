import { addDays, type Day, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { RunSummary } from "./schema";

/** Time of day at which the daily run is due. */
export const RUN_AT = 6 * HOUR;

/** When the next daily run is due: the next 06:00 UTC. */
export function getNextRunTime(now: Date): Date {
  const today = toDate(startOfDay(toUtcDay(now)).getTime() + RUN_AT);
  return now < today ? today : toDate(startOfDay(addDays(toUtcDay(now), 1)).getTime() + RUN_AT);
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
