import { HOUR, toDate } from "@/core/time";

/** Remembers the list last shown, and when the reader was last here. */
const COOKIE = "overview";
const KEPT_SECONDS = 365 * 24 * 3600;
/** Time away from the page after which a visit ends. */
const PAUSE = HOUR;

export interface Visits {
  /** Id of the list last shown; empty for all creators. */
  list: string;
  /** When the visit before this one ended, in ISO 8601; null for the first. */
  lastVisit: string | null;
}

/** @param cookies the header of a request, or `document.cookie` */
export function readVisits(cookies: string, now: Date): Visits {
  const value = cookies.split("; ").find((one) => one.startsWith(`${COOKIE}=`)) ?? "";
  const [list = "", seen, before] = value.slice(COOKIE.length + 1).split(".");
  const [seenAt, lastVisit] = [toTime(seen), toTime(before)];
  if (seenAt === null) return { list, lastVisit: null };
  const ended = now.getTime() - seenAt.getTime() > PAUSE ? seenAt : lastVisit;
  return { list, lastVisit: ended?.toISOString() ?? null };
}

/** The cookie of a reader who is here now. */
export function formatVisits({ list, lastVisit }: Visits, now: Date): string {
  const before = lastVisit === null ? "" : Date.parse(lastVisit);
  return `${COOKIE}=${list}.${now.getTime()}.${before}; path=/overview; max-age=${KEPT_SECONDS}; samesite=lax`;
}

/** Remembers in the browser that the reader is here now. */
export function saveVisits(visits: Visits, now: Date): void {
  writeCookie(formatVisits(visits, now));
}

export function forgetVisits(): void {
  writeCookie(`${COOKIE}=; path=/overview; max-age=0`);
}

function writeCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
  document.cookie = cookie;
}

function toTime(text = ""): Date | null {
  return /^\d{13}$/.test(text) ? toDate(Number(text)) : null;
}
