import { DAY, HOUR, MINUTE } from "./time";

/** All texts are English, so numbers and times are too. */
const LOCALE = "en-GB";
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const oneDecimal = new Intl.NumberFormat(LOCALE, ONE_DECIMAL);
const signed = new Intl.NumberFormat(LOCALE, { ...ONE_DECIMAL, signDisplay: "exceptZero" });
const plurals = new Intl.PluralRules(LOCALE);
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" });

/** An instant, or the start of a UTC day: a Date, its milliseconds, or ISO 8601 (`2026-11-21` is a day). */
export type Instant = Date | number | string;

const createCountFormat = (locale: string, options?: Intl.NumberFormatOptions): ((count: number) => string) =>
  new Intl.NumberFormat(locale, options).format;

function createUtcFormat(options: Intl.DateTimeFormatOptions): (at: Instant) => string {
  const { format } = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: "UTC" });
  return (at) => format(toMilliseconds(at));
}

/** `1,234,567` */
export const formatCount = createCountFormat(LOCALE);

const compact = createCountFormat("en-US", {
  notation: "compact",
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

/** Three digits, as the platform publishes: `1.23M`, `75.0K`, `763`. */
export function formatShortCount(count: number): string {
  const rounded = Math.round(count);
  return rounded < 1000 ? String(rounded) : compact(rounded);
}

/** A round number, such as a bound or a tick: `50K`, `1.5M`. */
export const formatRoundCount = createCountFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** Growth in percent with its sign and one decimal: `+12.5%`, `−0.4%`, `0.0%`. */
export function formatGrowth(growth: number): string {
  return `${signed.format(growth).replace("-", "−")}%`;
}

/** A range of growth in percent, with signs: `+16.2 to +17.7%`. */
export function formatGrowthRange(low: number, high: number): string {
  return `${formatGrowth(low).replace("%", "")} to ${formatGrowth(high)}`;
}

/** A share from 0 to 1: `97.5%`. */
export const formatShare = createCountFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });

/** A number with its noun: `1 alert`, `3 alerts`. */
export function formatQuantity(count: number, one: string, other = `${one}s`): string {
  return `${formatCount(count)} ${plurals.select(count) === "one" ? one : other}`;
}

/** A UTC day: `21 Nov`. */
export const formatDay = createUtcFormat({ day: "numeric", month: "short" });

/** A UTC day with its year: `21 Nov 2026`. */
export const formatDate = createUtcFormat({ dateStyle: "medium" });

/** The month of a UTC day: `November 2026`. */
export const formatMonth = createUtcFormat({ month: "long", year: "numeric" });

const formatWeekday = createUtcFormat({ weekday: "short" });
const formatClock = {
  minute: createUtcFormat({ timeStyle: "short" }),
  second: createUtcFormat({ timeStyle: "medium" }),
};

type Precision = keyof typeof formatClock;

/** Date, time and zone: `21 Nov, 06:00 GMT`. @param timeZone defaults to the reader's */
export function formatInstant(at: Instant, timeZone?: string, precision: Precision = "minute"): string {
  return new Intl.DateTimeFormat(LOCALE, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: precision === "second" ? "2-digit" : undefined,
    timeZone,
    timeZoneName: "short",
  }).format(toMilliseconds(at));
}

/** `21 Nov 2026, 06:00 UTC` */
export function formatUtc(at: Instant, precision: Precision = "minute"): string {
  return `${formatDate(at)}, ${formatClock[precision](at)} UTC`;
}

/** A time of day: `06:20 UTC` */
export function formatTime(at: Instant): string {
  return `${formatClock.minute(at)} UTC`;
}

/** A time to come: `Thu 06:20 UTC`, or with its date from a week on: `Thu 3 Dec, 06:20 UTC`. */
export function formatExpected(at: Instant, now: Instant): string {
  const isFar = toMilliseconds(at) - toMilliseconds(now) >= 6 * DAY;
  return `${formatWeekday(at)}${isFar ? ` ${formatDay(at)},` : ""} ${formatTime(at)}`;
}

/** A time span: `0.8 ms`, `12 ms`, `1,240 ms`. */
export function formatMilliseconds(span: number): string {
  return `${span < 10 ? oneDecimal.format(span) : formatCount(Math.round(span))} ms`;
}

/** The length of a video: `0:40`, `18:42`, `1:02:03`. */
export function formatLength(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, String(minutes).padStart(2, "0")] : [minutes];
  return [...parts, String(seconds % 60).padStart(2, "0")].join(":");
}

/** A duration: `0 s`, `42 s`, `2 min 17 s`, `1 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const all = Math.round(seconds);
  const minutes = Math.floor(all / 60);
  if (minutes === 0) return `${all} s`;
  return minutes < 60 ? `${minutes} min ${all % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Distance to an instant in its largest whole unit: `in 11 hours`, `3 minutes ago`, `now`. */
export function formatDistance(at: Instant, now: Instant): string {
  const distance = toMilliseconds(at) - toMilliseconds(now);
  const size = Math.abs(distance);
  if (size < MINUTE) return "now";
  if (size < HOUR) return relative.format(Math.trunc(distance / MINUTE), "minute");
  if (size < 2 * DAY) return relative.format(Math.trunc(distance / HOUR), "hour");
  return relative.format(Math.trunc(distance / DAY), "day");
}

function toMilliseconds(at: Instant): number {
  return typeof at === "string" ? Date.parse(at) : Number(at);
}
