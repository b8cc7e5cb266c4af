import { randomUUID } from "node:crypto";
import { DAY, SECOND, toDate } from "@/core/time";
import type { Op, WireError, WireEvent } from "./protocol";
import type { JobFunction } from "./registration";

/** The step id of a request that runs the function up to its next step. */
export const NEXT = "step";

type Memo = { type: "data"; data: unknown } | { type: "error"; error: WireError };

/** One function at work on one event, by one request after another. */
export class Run {
  readonly id = randomUUID();
  /** Of the next request: `NEXT`, or the hashed id of the step to run. */
  step = NEXT;
  attempt = 0;
  /** Results by hashed step id, in the order in which the steps ended. */
  readonly #memo = new Map<string, Memo>();

  /** @param due instant of the next request, in milliseconds since the epoch */
  constructor(
    readonly fn: JobFunction,
    readonly event: WireEvent,
    public due: number,
  ) {}

  /** Saves finished steps, and sleeps, which are over when the run is next requested. The first result of a step stays. */
  save(ops: readonly Op[]): void {
    for (const { op, id, data = null, error } of ops) {
      if (this.#memo.has(id)) continue;
      if (op === "StepRun" || op === "Sleep") this.#memo.set(id, { type: "data", data });
      if (op === "StepFailed") this.#memo.set(id, { type: "error", error });
    }
  }

  /** Sets the next request: its step, its attempt from 0, and its instant. */
  next(step: string, attempt: number, due: number): this {
    return Object.assign(this, { step, attempt, due });
  }

  requestBody(): object {
    const done = [...this.#memo.keys()];
    return {
      version: 2,
      event: this.event,
      events: [this.event],
      steps: Object.fromEntries(this.#memo),
      ctx: {
        run_id: this.id,
        fn_id: this.fn.id,
        qi_id: this.id,
        attempt: this.attempt,
        max_attempts: this.fn.attempts,
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack: done, current: done.length },
      },
    };
  }
}

/** What one function has to do, the earliest first, and the limits that hold it up. */
export class FunctionQueue {
  /** Runs that have not started, which the throttle spaces. Thousands may wait for hours, so each is only its event. */
  readonly #starts: { event: WireEvent; due: number }[] = [];
  readonly #steps: Run[] = [];
  #active = 0;
  /** When the throttle lets the next run start, in milliseconds since the epoch. */
  #nextStart = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly fn: JobFunction,
    private readonly concurrency: number,
  ) {}

  /** Adds a new run. @param due instant of its first request, in milliseconds since the epoch */
  begin(event: WireEvent, due: number): void {
    insertByDue(this.#starts, { event, due });
  }

  /** Adds the next request of a run that was taken before. */
  push(run: Run): void {
    insertByDue(this.#steps, run);
  }

  /** The instant from which a run may be taken; infinity when none waits, or until a request ends. */
  readyAt(): number {
    return this.#active < this.concurrency ? Math.min(this.#stepAt(), this.#startAt()) : Infinity;
  }

  /** Takes a run that is ready. Runs under way go before new ones. */
  take(now: number): Run | undefined {
    const run = this.#stepAt() <= now ? this.#steps.shift() : this.#start(now);
    if (run) this.#active += 1;
    return run;
  }

  #start(now: number): Run | undefined {
    const start = this.#starts.shift();
    const { startInterval } = this.fn;
    if (start && startInterval > 0) this.#nextStart = Math.max(this.#nextStart, now) + startInterval;
    return start && new Run(this.fn, start.event, start.due);
  }

  /** Notes that the request of a run has ended. */
  release(): void {
    this.#active -= 1;
  }

  #stepAt(): number {
    return this.#steps[0]?.due ?? Infinity;
  }

  #startAt(): number {
    return Math.max(this.#starts[0]?.due ?? Infinity, Math.ceil(this.#nextStart));
  }
}

/** Inserts what is due at an instant behind what is due before or then: almost always at the end. */
function insertByDue<T extends { due: number }>(waiting: T[], item: T): void {
  waiting.splice(waiting.findLastIndex(({ due }) => due <= item.due) + 1, 0, item);
}

/** Inngest's waits after the first, second, … failed attempt, without its jitter. */
export const BACKOFF = [15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200].map((seconds) => seconds * SECOND);

/**
 * When to try again after the failed attempt number `attempt` (from 0). `retryAfter` is the answer's header: seconds
 * or a date, kept between one second and a day from now.
 */
export function getRetryTime(now: Date, attempt: number, retryAfter: string | null, backoff = BACKOFF): Date {
  const isSeconds = retryAfter !== null && /^\d+$/.test(retryAfter);
  const requestedWait = isSeconds
    ? Number(retryAfter) * SECOND
    : toDate(retryAfter ?? Number.NaN).getTime() - now.getTime();
  const wait = Number.isNaN(requestedWait)
    ? (backoff[attempt] ?? backoff.at(-1) ?? 0)
    : Math.min(Math.max(requestedWait, SECOND), DAY);
  return toDate(now.getTime() + wait);
}
