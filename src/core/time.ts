/** A source of the present instant. The only way the product learns what time it is. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. For replay, backtest, demo data and tests. */
export class ManualClock implements Clock {
  #instant: number;

  constructor(start: string | Date) {
    this.#instant = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#instant);
  }

  set(instant: string | Date): void {
    this.#instant = new Date(instant).getTime();
  }

  advance(milliseconds: number): void {
    this.#instant += milliseconds;
  }
}

/** A UTC calendar day written `YYYY-MM-DD`. */
export type Day = string;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Instant from milliseconds since the epoch or an ISO 8601 text. */
export function instant(value: number | string): Date {
  return new Date(value);
}

let latest = { number: Number.NaN, day: "" };

/** The UTC day an instant falls on. */
export function utcDay(at: Date): Day {
  // Asked several times a request, and for thousands of readings of one day: it is written out when it changes.
  const number = Math.floor(at.getTime() / DAY);
  if (number !== latest.number) latest = { number, day: at.toISOString().slice(0, 10) };
  return latest.day;
}

let latestTime = { at: Number.NaN, text: "" };

/** An instant as ISO 8601. */
export function isoTime(instant: Date): string {
  // Asked for the present by each request, of which there are some in a millisecond.
  const at = instant.getTime();
  if (at !== latestTime.at) latestTime = { at, text: instant.toISOString() };
  return latestTime.text;
}

/** Midnight UTC at which a day begins. */
export function startOfDay(day: Day): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** The day `count` days after (or before, when negative) the given one. */
export function addDays(day: Day, count: number): Day {
  return utcDay(new Date(startOfDay(day).getTime() + count * DAY));
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  // Asked for each reading of each channel: a day alone is read as midnight UTC, without a Date made of it.
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

/** Whole seconds, at least 1, until the UTC day of the given instant ends. */
export function secondsToMidnight(at: Date): number {
  return Math.ceil((DAY - (at.getTime() % DAY)) / SECOND);
}

const PACIFIC = "America/Los_Angeles";
// Sweden writes a date as ISO 8601 does.
const pacificDate = new Intl.DateTimeFormat("sv-SE", { timeZone: PACIFIC });
const pacificHour = new Intl.DateTimeFormat("en-GB", {
  timeZone: PACIFIC,
  hour: "2-digit",
  hourCycle: "h23",
});

/** The calendar day in Los Angeles an instant falls on: the day by which YouTube counts what was asked of it. */
export function pacificDay(at: Date): Day {
  return pacificDate.format(at);
}

/** The instant at which a calendar day begins in Los Angeles: 07:00 UTC in summer, 08:00 UTC in winter. */
export function startOfPacificDay(day: Day): Date {
  const before = startOfDay(day);
  // Afternoon of the day before in Los Angeles. Clocks there are changed at two in the night, so none is until midnight.
  return new Date(before.getTime() + (24 - Number(pacificHour.format(before))) * HOUR);
}

/** The outcome of work, or an error once it has taken longer than the given milliseconds. */
export function within<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} did not answer within ${milliseconds} ms`)),
      milliseconds,
    );
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** Resolves after the given time; the only place of the product that waits on the wall clock. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
