import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Cron } from "croner";
import { z } from "zod";
import { OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { type Clock, DAY, MINUTE, SECOND, sleep, toDate } from "@/core/time";
import { callFunction, createLoopback, createRefusal, type Failure } from "./calls";
import { checkpointSchema, createSignedRequest, eventsSchema, type ServedHandlers, type WireEvent } from "./protocol";
import { FunctionQueue, getRetryTime, type Run } from "./queue";
import { FUNCTION_FAILED, type JobFunction, readFunctions } from "./registration";

/** Four batches of a daily run, and beside them two emails, a post to the monitoring channel and the videos of two channels. */
const MAX_PARALLEL = 9;

interface EngineOptions {
  /** `signkey-local-` and an even number of hexadecimal digits. */
  signingKey: string;
  /** Drives schedules, throttles, retries and the memory of event ids. */
  clock: Clock;
  log: Log;
  /** Requests under way at most; nine unless given. One function has at most half of them, rounded up. */
  maxParallel?: number;
  /** Waits after the first, second, … failed attempt, in milliseconds; Inngest's unless given. */
  backoff?: number[];
}

/**
 * Runs the functions that Inngest's `serve` exposes, in process and over the SDK's own protocol. The queue is in
 * memory: what must outlive a crash belongs in the database.
 */
export class Engine {
  /** Options of the Inngest client, beside its id. `serve` should also get `enableUnauthedSync: false`. */
  readonly clientOptions: { isDev: false; signingKey: string; eventKey: string; fetch: typeof fetch };
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  /** Jobs run in the context of the engine, not in that of the web request or run that sent their event. */
  readonly #context = new AsyncResource("embedded job engine");
  #functions: readonly JobFunction[] = [];
  #post: ServedHandlers["POST"] = () => Promise.reject(new OperatorError("The jobs are not registered"));
  #schedules: { fn: JobFunction; cron: Cron; next: Date | null }[] = [];
  /** When each event id of the last 24 hours was first seen, the oldest first. */
  readonly #seen = new Map<string, number>();
  /** Runs that have started, by id. */
  readonly #runs = new Map<string, Run>();
  readonly #queues = new Map<string, FunctionQueue>();
  readonly #requests = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isStopped = false;
  #drains = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const fetch = createLoopback((path, body) => this.#answer(path, body));
    this.clientOptions = { isDev: false, signingKey: options.signingKey, eventKey: "embedded", fetch };
  }

  #answer(path: string, body: unknown): Response | null {
    if (path.endsWith("/fn/register")) {
      if (this.#functions.length > 0) throw new OperatorError("The functions are registered already");
      this.#functions = readFunctions(body);
      return Response.json({ status: 200, modified: true });
    }
    if (path.startsWith("/e/")) {
      const ids = eventsSchema.parse(body).map((event) => this.#receive(event));
      this.#work();
      return Response.json({ status: 200, ids });
    }
    if (!path.startsWith("/v1/checkpoint/")) return null;
    const { run_id, steps } = checkpointSchema.parse(body);
    const run = this.#runs.get(run_id);
    run?.save(steps);
    return run ? Response.json({}) : createRefusal(409, "The run has ended");
  }

  /** Registers the served functions. @throws OperatorError when one uses an unsupported feature */
  async register(handlers: ServedHandlers): Promise<void> {
    this.#post = (request) => handlers.POST(request, undefined);
    const response = await handlers.PUT(createSignedRequest("PUT", {}, this.#options.signingKey));
    const { message } = z.object({ message: z.string() }).parse(await response.json());
    if (!response.ok || this.#functions.length === 0) throw new OperatorError(message);
  }

  /** Runs jobs as they come and fires schedules, until `stop`. Does not keep the process alive. */
  start(): void {
    const now = this.#clock.now();
    this.#schedules = this.#functions.flatMap((fn) => fn.crons.map((cron) => ({ fn, cron, next: cron.nextRun(now) })));
    this.#isStarted = true;
    this.#work();
  }

  /** Takes no more jobs and resolves when the requests under way have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#quiet();
  }

  /** Runs jobs until none is left, calling `reach` to get to the next due instant. Fires schedules only once started. */
  async drain(reach: (next: Date) => unknown): Promise<void> {
    this.#drains += 1;
    try {
      while (!this.#isStopped) {
        this.#work();
        await this.#quiet();
        const next = this.#nextInstant();
        if (next === Infinity) return;
        if (next > this.#time) await reach(toDate(next));
      }
    } finally {
      this.#drains -= 1;
    }
  }

  /** The same on the system clock, waiting for the next instant. Keeps the process alive. */
  idle(): Promise<void> {
    return this.drain((next) => sleep(Math.min(next.getTime() - this.#time, SECOND)));
  }

  /** Starts a function as its schedule would at that instant. Repeated within a day, it does nothing. */
  fireCron(functionId: string, at: Date): void {
    const fn = this.#functions.find(({ id }) => id === functionId);
    const [cron] = fn?.crons ?? [];
    if (!fn || !cron) throw new OperatorError(`There is no scheduled job function "${functionId}"`);
    this.#fire(fn, cron, at);
    this.#work();
  }

  get #time(): number {
    return this.#clock.now().getTime();
  }

  #receive(event: WireEvent): string {
    const { id = randomUUID(), ts = this.#time } = event;
    const received = { ...event, id, ts };
    if (this.#isNew(id)) for (const fn of this.#functions) if (fn.isTriggeredBy(event)) this.#begin(fn, received);
    return id;
  }

  #fire(fn: JobFunction, cron: Cron, at: Date): void {
    const scheduledAt = at.toISOString();
    const id = `${fn.id}:${scheduledAt}`;
    const data = { cron: cron.getPattern(), scheduledAt, fireAt: this.#clock.now().toISOString() };
    if (this.#isNew(id)) this.#begin(fn, { id, name: "inngest/scheduled.timer", data, ts: this.#time });
  }

  #isNew(id: string): boolean {
    for (const [oldest, at] of this.#seen) {
      if (at > this.#time - DAY) break;
      this.#seen.delete(oldest);
    }
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, this.#time);
    return true;
  }

  #begin(fn: JobFunction, event: WireEvent): void {
    const share = Math.ceil((this.#options.maxParallel ?? MAX_PARALLEL) / 2);
    const queue = this.#queues.get(fn.id) ?? new FunctionQueue(fn, Math.min(fn.concurrency, share));
    this.#queues.set(fn.id, queue);
    queue.begin(event, this.#time);
  }

  #work(): void {
    if (this.#isStopped || (!this.#isStarted && this.#drains === 0)) return;
    this.#context.runInAsyncScope(() => {
      this.#fireDue();
      while (this.#requestNext());
      if (this.#isStarted) this.#setTimer();
    });
  }

  #fireDue(): void {
    const now = this.#clock.now();
    for (const schedule of this.#schedules) {
      if (!schedule.next || schedule.next > now) continue;
      this.#fire(schedule.fn, schedule.cron, schedule.next);
      schedule.next = schedule.cron.nextRun(now);
    }
  }

  /** Makes the request that has been due the longest, unless the limits hold it up. @returns whether it made one */
  #requestNext(): boolean {
    const { maxParallel = MAX_PARALLEL } = this.#options;
    const ready = [...this.#queues.values()].filter((queue) => queue.readyAt() <= this.#time);
    const [queue] = ready.sort((a, b) => a.readyAt() - b.readyAt());
    const run = this.#requests.size < maxParallel && queue?.take(this.#time);
    if (!queue || !run) return false;
    this.#runs.set(run.id, run);
    const request = this.#request(run, queue).finally(() => {
      this.#requests.delete(request);
      this.#work();
    });
    this.#requests.add(request);
    return true;
  }

  async #request(run: Run, queue: FunctionQueue): Promise<void> {
    const outcome = await callFunction(this.#post, run, this.#options.signingKey);
    queue.release();
    if (outcome.kind === "done") this.#runs.delete(run.id);
    if (outcome.kind === "next") queue.push(run.next(outcome.step, 0, outcome.due ?? this.#time));
    if (outcome.kind === "failed") this.#retryOrEnd(run, queue, outcome);
  }

  #retryOrEnd(run: Run, queue: FunctionQueue, { error, final, retryAfter }: Failure): void {
    const { log, backoff } = this.#options;
    const { id, fn, event, attempt } = run;
    const about = { functionId: fn.id, runId: id, attempt: attempt + 1, error: error.message };
    if (!final && attempt + 1 < fn.attempts) {
      const at = getRetryTime(this.#clock.now(), attempt, retryAfter, backoff);
      log.warn({ ...about, retryAt: at.toISOString() }, "job attempt failed, will be retried");
      queue.push(run.next(run.step, attempt + 1, at.getTime()));
      return;
    }
    log.error(about, "job failed");
    this.#runs.delete(id);
    // Starts the `onFailure` handler. The failure of such a handler starts nothing.
    const data = { function_id: fn.id, run_id: id, error, event, events: [event] };
    if (event.name !== FUNCTION_FAILED) this.#receive({ name: FUNCTION_FAILED, data });
  }

  /** The first instant, after the given one, at which a run may make a request; infinity when none waits for its time. */
  #nextInstant(after = -Infinity): number {
    const instants = [...this.#queues.values()].map((queue) => queue.readyAt());
    return Math.min(...instants.filter((at) => at > after));
  }

  #setTimer(): void {
    const now = this.#time;
    const schedules = this.#schedules.map(({ next }) => next?.getTime() ?? Infinity);
    const wait = Math.max(Math.min(this.#nextInstant(now), ...schedules) - now, 0);
    clearTimeout(this.#timer);
    // At least once a minute, because timers pause while the machine sleeps.
    this.#timer = setTimeout(() => this.#work(), Math.min(wait, MINUTE)).unref();
  }

  async #quiet(): Promise<void> {
    while (this.#requests.size > 0) await Promise.race(this.#requests);
  }
}
