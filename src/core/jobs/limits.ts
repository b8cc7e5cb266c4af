import { HOUR, instant, MINUTE, SECOND } from "@/core/time";

/** At most `limit` requests at once among all functions that name the same `key`. */
export interface Cap {
  readonly key: string;
  readonly limit: number;
}

/** Counts the requests under way per concurrency key. */
export class Slots {
  readonly #taken = new Map<string, number>();

  hasRoom(caps: readonly Cap[]): boolean {
    return caps.every(({ key, limit }) => (this.#taken.get(key) ?? 0) < limit);
  }

  take(caps: readonly Cap[]): void {
    this.#count(caps, 1);
  }

  release(caps: readonly Cap[]): void {
    this.#count(caps, -1);
  }

  #count(caps: readonly Cap[], change: number): void {
    for (const { key } of caps) this.#taken.set(key, (this.#taken.get(key) ?? 0) + change);
  }
}

/** How often runs may start: one per `interval` milliseconds, of which `burst` may come at once. */
export interface Pace {
  readonly interval: number;
  readonly burst: number;
}

/** Spaces run starts with the generic cell rate algorithm, as Inngest does. */
export class Throttle {
  /** When the next start would come if all starts were evenly spaced. */
  #expected = Number.NEGATIVE_INFINITY;

  constructor(private readonly pace: Pace) {}

  /** The earliest instant, in whole milliseconds, at which a run may start. */
  readyAt(): number {
    return Math.ceil(this.#expected - this.pace.interval * (this.pace.burst - 1));
  }

  take(now: number): void {
    this.#expected = Math.max(this.#expected, now) + this.pace.interval;
  }
}

/** Inngest's waits after the first, second, … failed attempt, without its jitter: one process is no herd. */
export const BACKOFF = [
  15 * SECOND,
  30 * SECOND,
  ...[1, 2, 5, 10, 20, 40].map((minutes) => minutes * MINUTE),
  HOUR,
  2 * HOUR,
];

/**
 * When to try again after the failed attempt number `attempt` (from 0). `retryAfter` is the answer's header: seconds
 * or a date, kept between one second and a day from now.
 */
export function retryAt(now: Date, attempt: number, retryAfter: string | null, backoff = BACKOFF): Date {
  const asked = retryAfter === null ? Number.NaN : askedInstant(now, retryAfter);
  if (Number.isNaN(asked)) {
    return instant(now.getTime() + (backoff[attempt] ?? backoff.at(-1) ?? 0));
  }
  const wait = asked - now.getTime();
  return instant(now.getTime() + Math.min(Math.max(wait, SECOND), 24 * HOUR));
}

function askedInstant(now: Date, retryAfter: string): number {
  const isSeconds = /^\d+$/.test(retryAfter);
  return isSeconds ? now.getTime() + Number(retryAfter) * SECOND : instant(retryAfter).getTime();
}
