import { createHash } from "node:crypto";
import { addDays, DAY, type Day, HOUR, instant, startOfDay, utcDay } from "@/core/time";

export const MAX_SESSIONS = 1000;
export const SESSIONS_PER_ADDRESS = 50;
/** Requests of an address in its sessions, which last an hour each. */
export const REQUESTS_PER_ADDRESS = 2000;
export const SESSION_LASTS = HOUR;
/** Days with daily runs before a session begins. */
export const HISTORY_DAYS = 30;
/** The most daily runs that one request makes. A longer jump leaves a gap before them. */
export const RUNS_PER_REQUEST = 60;

/** What the public ids of the sandbox's creators begin with. In the database, the session's own text is in its place. */
export const PUBLIC_PREFIX = "UCsandbox_";

/** What the channel ids of a session begin with in the database, where creators belong to no key. */
export function getSessionPrefix(sessionId: string): string {
  return `UC${sessionId.slice(0, 8)}`;
}

export function hashTexts(form: "hex" | "base64url", ...texts: string[]): string {
  return createHash("sha256").update(texts.join("\n")).digest(form);
}

/** The same value with each text in place of another, in all of its texts. */
export function replaceTexts<T>(value: T, from: string, to: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(from, to));
}

/** The days whose 06:00 is after one instant and not after another, the latest only. */
export function listRunDays(after: Date, until: Date): Day[] {
  const first = utcDay(instant(after.getTime() + DAY - 6 * HOUR));
  const last = utcDay(instant(until.getTime() - 6 * HOUR));
  const earliest = addDays(last, 1 - RUNS_PER_REQUEST);
  const days: Day[] = [];
  for (let day = first < earliest ? earliest : first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

export function getRunTime(day: Day): Date {
  return instant(startOfDay(day).getTime() + 6 * HOUR);
}
