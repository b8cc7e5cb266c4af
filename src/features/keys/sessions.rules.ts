import type { Session } from "@/core/http/session";
import { parseUrl } from "@/core/http/url";
import { DAY, HOUR, MINUTE, SECOND } from "@/core/time";

/** A session that is not used ends after a week, any session after a month. */
const IDLE = 7 * DAY;
export const LONGEST = 30 * DAY;
/** Sessions a key may have at a time; one more ends the oldest. */
export const MOST_SESSIONS = 100;
/** A session in use is renewed no more often than this. */
const RENEW_AFTER = HOUR;

/** Failures of one address that are answered as such, in each quarter of an hour. */
const FAILURES_ALLOWED = 10;
export const FAILURE_WINDOW = 15 * MINUTE;

/** The header by which a page's calls name the id of the key that it was made for. */
export const PAGE_KEY_HEADER = "x-page-key";

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

const START = "/overview";
/** Stands for this service, whatever its address. */
const OWN_ORIGIN = "http://own.invalid";
/** Pages that show a key's data: where signing in may lead. */
const CONSOLE_PAGE = /^\/(overview|discover|alerts|creators|usage|requests|settings)(\/|$)/;

/**
 * Where signing in leads: the page that was asked for, if it is one of the console's own, else its start. Whatever an
 * address may carry, it never leads to another site.
 */
export function returnPath(asked: string | null | undefined): string {
  const url = asked?.startsWith("/") ? parseUrl(asked, OWN_ORIGIN) : null;
  if (url?.origin !== OWN_ORIGIN || !CONSOLE_PAGE.test(url.pathname)) return START;
  return `${url.pathname}${url.search}`;
}

/** The address of the sign-in page that leads back to a path of the console. @param ended a session has just ended */
export function signInPath(path: string, { ended = false } = {}): string {
  const to = returnPath(path);
  const query = new URLSearchParams({ ...(ended && { ended: "" }), ...(to !== START && { to }) });
  return query.size > 0 ? `/sign-in?${query}` : "/sign-in";
}
