import { instant, startOfDay, utcDay } from "@/core/time";

/** Fewer requests than this say nothing about the rest of the day. */
const REQUESTS_FOR_PROJECTION = 10;

/**
 * When a key's day would run out if it went on as it did since midnight UTC; null when it lasts, or when there is too
 * little to go by.
 */
export function projectedRunOut(used: number, limit: number, now: Date): Date | null {
  const midnight = startOfDay(utcDay(now)).getTime();
  const elapsed = now.getTime() - midnight;
  if (used < REQUESTS_FOR_PROJECTION || used >= limit || elapsed <= 0) return null;
  const runsOut = instant(midnight + Math.round((elapsed * limit) / used));
  return utcDay(runsOut) === utcDay(now) ? runsOut : null;
}
