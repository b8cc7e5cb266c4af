export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

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

export function toDate(value: number | string): Date {
  return new Date(value);
}

export function toUtcDay(at: Date): Day {
  return at.toISOString().slice(0, 10);
}

export function startOfDay(day: Day): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

export function addDays(day: Day, count: number): Day {
  return toUtcDay(new Date(startOfDay(day).getTime() + count * DAY));
}

/** Days since 1970-01-01. */
export function toDayNumber(day: Day): number {
  return Date.parse(day) / DAY;
}

export function countDaysBetween(from: Day, to: Day): number {
  return toDayNumber(to) - toDayNumber(from);
}

/** Seconds with fractions; less than zero when `to` is earlier. */
export function countSecondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / SECOND;
}

export function getSecondsToMidnight(at: Date): number {
  return Math.ceil((DAY - (at.getTime() % DAY)) / SECOND);
}

const PACIFIC = "America/Los_Angeles";
// The Swedish date format is YYYY-MM-DD.
const pacificDate = new Intl.DateTimeFormat("sv-SE", { timeZone: PACIFIC });
const pacificHour = new Intl.DateTimeFormat("en-GB", {
  timeZone: PACIFIC,
  hour: "2-digit",
  hourCycle: "h23",
});

/** The calendar day in Los Angeles, by which YouTube counts its quota. */
export function toPacificDay(at: Date): Day {
  return pacificDate.format(at);
}

/** The start of a calendar day in Los Angeles: 07:00 UTC in summer, 08:00 UTC in winter. */
export function startOfPacificDay(day: Day): Date {
  const before = startOfDay(day);
  // Midnight UTC is the afternoon before in Los Angeles. Its clocks change at 02:00, so not before its midnight.
  return new Date(before.getTime() + (24 - Number(pacificHour.format(before))) * HOUR);
}

/** The result of work. @throws Error when it takes longer than `milliseconds` */
export function withTimeout<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const message = `${what} did not answer within ${milliseconds} ms`;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** Waits. A negative time counts as 0, because Node would warn of it. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(milliseconds, 0)));
}
