import type { Session } from "@/core/session";
import { DAY, HOUR, MINUTE, SECOND } from "@/core/time";

/** A session that is not used ends after a week, any session after a month. */
const IDLE = 7 * DAY;
const LONGEST = 30 * DAY;
/** A session in use is renewed no more often than this. */
const RENEW_AFTER = HOUR;

/** Failures of one address that are answered as such, in each quarter of an hour. */
const FAILURES_ALLOWED = 10;
export const FAILURE_WINDOW = 15 * MINUTE;

/** When a session ends unless it is used, in milliseconds since the epoch. */
export function sessionEnd({ begunAt, seenAt }: Pick<Session, "begunAt" | "seenAt">): number {
  return Math.min(seenAt + IDLE, begunAt + LONGEST);
}

/** Whether a session in use is due to have its end moved on. */
export function isRenewalDue({ seenAt }: Pick<Session, "seenAt">, now: Date): boolean {
  return now.getTime() - seenAt >= RENEW_AFTER;
}

/** Seconds for which an address is told nothing more about its keys; 0 while it may go on. */
export function secondsToWait({ failures, since }: { failures: number; since: Date }, now: Date): number {
  if (failures <= FAILURES_ALLOWED) return 0;
  return Math.max(1, Math.ceil((since.getTime() + FAILURE_WINDOW - now.getTime()) / SECOND));
}
