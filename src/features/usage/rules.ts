import { startOfDay, toDate, toUtcDay } from "@/core/time";

const REQUESTS_FOR_PROJECTION = 10;

/** When the quota runs out at today's rate; null when it lasts, has run out or has too few requests to project. */
export function projectRunOut(used: number, limit: number, now: Date): Date | null {
  const midnight = startOfDay(toUtcDay(now)).getTime();
  const elapsed = now.getTime() - midnight;
  if (used < REQUESTS_FOR_PROJECTION || used >= limit || elapsed <= 0) return null;
  const runsOut = toDate(midnight + Math.round((elapsed * limit) / used));
  return toUtcDay(runsOut) === toUtcDay(now) ? runsOut : null;
}
