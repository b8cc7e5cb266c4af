import { createHash } from "node:crypto";
import { addDays, DAY, type Day, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";

export const MAX_SESSIONS = 1000;
export const SESSIONS_PER_ADDRESS = 50;
/** Requests of an address in its sessions, which last an hour each. */
export const REQUESTS_PER_ADDRESS = 2000;
export const SESSION_LASTS = HOUR;
/** Days with daily runs before a session begins. */
export const HISTORY_DAYS = 30;
/** Maximum daily runs of one request. A longer jump leaves a gap before them. */
export const RUNS_PER_REQUEST = 60;

/** Prefix of the sandbox creators' public ids. The database has the session's prefix instead. */
export const PUBLIC_PREFIX = "UCsandbox_";

/** Prefix of a session's channel ids in the database, where creators belong to no key. */
export function getSessionPrefix(sessionId: string): string {
  return `UC${sessionId.slice(0, 8)}`;
}

export function hashTexts(form: "hex" | "base64url", ...texts: string[]): string {
  return createHash("sha256").update(texts.join("\n")).digest(form);
}

/** Replaces a text in all texts of a value. */
export function replaceTexts<T>(value: T, from: string, to: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(from, to));
}

/** The days whose 06:00 is after one instant and not after another, the latest only. */
export function listRunDays(after: Date, until: Date): Day[] {
  const first = toUtcDay(toDate(after.getTime() + DAY - 6 * HOUR));
  const last = toUtcDay(toDate(until.getTime() - 6 * HOUR));
  const earliest = addDays(last, 1 - RUNS_PER_REQUEST);
  const days: Day[] = [];
  for (let day = first < earliest ? earliest : first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

export function getRunTime(day: Day): Date {
  return toDate(startOfDay(day).getTime() + 6 * HOUR);
}
