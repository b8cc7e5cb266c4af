import { parseUrl } from "@/core/http/url";
import { DAY, HOUR, MINUTE, SECOND } from "@/core/time";
import type { Session } from "./seal.rules";

/** Milliseconds after which an unused session, and any session, ends. */
const IDLE = 7 * DAY;
export const MAX_SESSION_AGE = 30 * DAY;
/** Sessions of a key; one more ends the oldest. */
export const MAX_SESSIONS = 100;
/** Minimum milliseconds between two renewals of a session. */
const RENEW_AFTER = HOUR;

/** Failed sign-ins that an address may have in 15 minutes. */
const FAILURES_ALLOWED = 10;
export const FAILURE_WINDOW = 15 * MINUTE;

/** Request header with the id of the key that a page was rendered for. */
export const PAGE_KEY_HEADER = "x-page-key";

/** When an unused session ends, in milliseconds since the epoch. */
export function getSessionEnd({ begunAt, seenAt }: Pick<Session, "begunAt" | "seenAt">): number {
  return Math.min(seenAt + IDLE, begunAt + MAX_SESSION_AGE);
}

/** Whether a session is due for renewal. */
export function isRenewalDue({ seenAt }: Pick<Session, "seenAt">, now: Date): boolean {
  return now.getTime() - seenAt >= RENEW_AFTER;
}

/** Seconds until an address may try again; 0 while it may. */
export function getSecondsToWait({ failures, since }: { failures: number; since: Date }, now: Date): number {
  if (failures <= FAILURES_ALLOWED) return 0;
  return Math.max(1, Math.ceil((since.getTime() + FAILURE_WINDOW - now.getTime()) / SECOND));
}

const START = "/overview";
/** Placeholder for this service's address. */
const OWN_ORIGIN = "http://own.invalid";
/** Pages that a sign-in may lead to. */
const CONSOLE_PAGE = /^\/(overview|discover|alerts|creators|usage|requests|settings)(\/|$)/;

/** Where a sign-in leads: the requested page of the console, or the overview. Never to another site. */
export function getReturnPath(requested: string | null | undefined): string {
  const url = requested?.startsWith("/") ? parseUrl(requested, OWN_ORIGIN) : null;
  if (url?.origin !== OWN_ORIGIN || !CONSOLE_PAGE.test(url.pathname)) return START;
  return `${url.pathname}${url.search}`;
}

/** The sign-in page that leads back to a path of the console. @param ended whether a session has just ended */
export function getSignInPath(path: string, { ended = false } = {}): string {
  const to = getReturnPath(path);
  const query = new URLSearchParams({ ...(ended && { ended: "" }), ...(to !== START && { to }) });
  return query.size > 0 ? `/sign-in?${query}` : "/sign-in";
}
