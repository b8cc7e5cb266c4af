import { addDays, HOUR, instant, startOfDay, utcDay } from "@/core/time";
import type { RunSummary } from "./schema";

/** When the next daily run is due: the next 06:00 UTC after the given instant. */
export function nextRunAt(now: Date): Date {
  const today = instant(startOfDay(utcDay(now)).getTime() + 6 * HOUR);
  return now < today ? today : instant(startOfDay(addDays(utcDay(now), 1)).getTime() + 6 * HOUR);
}

/** Share of its channels, 0 to 1, that a run read or found unavailable; null when it had none. */
export function coverage({ planned, read, unavailable }: RunSummary): number | null {
  return planned > 0 ? (read + unavailable) / planned : null;
}
