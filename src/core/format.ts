/** All texts are English, so numbers and times are too. */
const LOCALE = "en-GB";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const whole = new Intl.NumberFormat(LOCALE);
const oneDecimal = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat("en-US", {
  notation: "compact",
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});
const bound = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
const share = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
const plurals = new Intl.PluralRules(LOCALE);
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" });
const dayAndMonth = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" });
const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" });
const month = new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric", timeZone: "UTC" });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: "short", timeZone: "UTC" });
const longWeekday = new Intl.DateTimeFormat(LOCALE, { weekday: "long", timeZone: "UTC" });
const clock = {
  minute: new Intl.DateTimeFormat(LOCALE, { timeStyle: "short", timeZone: "UTC" }),
  second: new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium", timeZone: "UTC" }),
};

/** An instant, or the start of a UTC day: a Date, its milliseconds, or ISO 8601 (`2026-11-21` is a day). */
export type Instant = Date | number | string;

/** `1,234,567` */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Three digits, as the platform publishes: `1.23M`, `75.0K`, `763`. */
export function formatShortCount(count: number): string {
  const rounded = Math.round(count);
  return rounded < 1000 ? String(rounded) : compact.format(rounded);
}

/** A round number, such as a bound or a tick: `50K`, `1.5M`. */
export function formatRoundCount(count: number): string {
  return bound.format(count);
}

/** Growth in percent with its sign and one decimal: `+12.5%`, `−0.4%`, `0.0%`. */
export function formatGrowth(growth: number): string {
  return `${percent.format(growth).replace("-", "−")}%`;
}

/** A range of growth in percent, with signs: `+16.2 to +17.7%`. */
export function formatGrowthRange(low: number, high: number): string {
  return `${formatGrowth(low).replace("%", "")} to ${formatGrowth(high)}`;
}

/** A share from 0 to 1: `97.5%`. */
export function formatShare(value: number): string {
  return share.format(value);
}

/** A number with its noun: `1 alert`, `3 alerts`. */
export function formatQuantity(count: number, one: string, other = `${one}s`): string {
  return `${formatCount(count)} ${plurals.select(count) === "one" ? one : other}`;
}

/** A UTC day: `21 Nov`. */
export function formatDay(day: Instant): string {
  return dayAndMonth.format(toMilliseconds(day));
}

/** The weekday of a UTC day: `Thursday`. */
export function formatWeekday(day: Instant): string {
  return longWeekday.format(toMilliseconds(day));
}

/** A UTC day with its year: `21 Nov 2026`. */
export function formatDate(day: Instant): string {
  return date.format(toMilliseconds(day));
}

/** The month of a UTC day: `November 2026`. */
export function formatMonth(day: Instant): string {
  return month.format(toMilliseconds(day));
}

/** Precision of a time. */
type Precision = keyof typeof clock;

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
  return `${formatDate(at)}, ${clock[precision].format(toMilliseconds(at))} UTC`;
}

/** A time of day: `06:20 UTC` */
export function formatTime(at: Instant): string {
  return `${clock.minute.format(toMilliseconds(at))} UTC`;
}

/** A time to come: `Thu 06:20 UTC`, or with its date from a week on: `Thu 3 Dec, 06:20 UTC`. */
export function formatExpected(at: Instant, now: Instant): string {
  const time = toMilliseconds(at);
  const isFar = time - toMilliseconds(now) >= 6 * DAY;
  return `${weekday.format(time)}${isFar ? ` ${formatDay(time)},` : ""} ${formatTime(time)}`;
}

/** A time span: `0.8 ms`, `12 ms`, `1,240 ms`. */
export function formatMilliseconds(span: number): string {
  return `${span < 10 ? oneDecimal.format(span) : whole.format(Math.round(span))} ms`;
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
