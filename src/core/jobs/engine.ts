import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { type Clock, instant, MINUTE, SECOND, sleep } from "@/core/time";
import { callHandler, type ServedHandlers, signedRequest } from "./caller";
import { type Cron, nextDue } from "./cron";
import { Dispatcher } from "./dispatcher";
import { createLoopback } from "./loopback";
import { FUNCTION_FAILED, type JobFunction, readFunctions } from "./registration";
import type { Run } from "./run";
import { SeenIds } from "./seen-ids";
import { registeredSchema, type WireError, type WireEvent } from "./wire";

const SCHEDULED_TIMER = "inngest/scheduled.timer";

/** As many batches of a daily run as help it on, and beside them room for two mails and a post. */
const MAX_OF_ONE = 4;
const MAX_PARALLEL = 7;

const unregistered = () => Promise.reject(new OperatorError("No served handler is registered"));

/** What the engine is made of. */
export interface EngineOptions {
  /** `signkey-local-` and an even number of hexadecimal digits. */
  signingKey: string;
  /** Drives schedules, throttles, retries and the memory of event ids. */
  clock: Clock;
  log: Log;
  /** Requests under way at most; seven unless given. */
  maxParallel?: number;
  /** And of one function; four, or as many as there may be at all where that is given. */
  maxOfOne?: number;
  /** Waits after the first, second, … failed attempt, in milliseconds; Inngest's unless given. */
  backoff?: number[];
}

/**
 * Runs the functions that Inngest's `serve` exposes, in process and over the SDK's own protocol. The queue is in
 * memory: what must outlive a crash belongs in the database.
 */
export interface Engine {
  /** What the Inngest client is made with, beside its id. `serve` should also get `enableUnauthedSync: false`. */
  readonly clientOptions: { isDev: false; signingKey: string; eventKey: string; fetch: typeof fetch };
  /** Learns the served functions. Throws OperatorError when one uses what the engine does not support. */
  register(handlers: ServedHandlers): Promise<void>;
  /** Runs jobs as they come and fires schedules, until `stop`. Does not keep the process alive. */
  start(): void;
  /** Takes no more jobs, for good, and resolves when the requests under way have ended. */
  stop(): Promise<void>;
  /** Runs jobs until nothing is left, calling `move` to reach the next due instant. Fires no schedule. */
  drain(move: (to: Date) => void): Promise<void>;
  /** The same on the system clock, waiting where `drain` moves. Keeps the process alive. */
  idle(): Promise<void>;
  /** Starts a function as its schedule would at that instant; a second time within a day it does nothing. */
  fireCron(functionId: string, at: Date): void;
}

/** An engine with an empty queue. It takes events once functions are registered, and works when told to. */
export function createEngine(options: EngineOptions): Engine {
  return new EmbeddedEngine(options);
}

class EmbeddedEngine implements Engine {
  readonly clientOptions: Engine["clientOptions"];
  readonly #clock: Clock;
  readonly #dispatcher: Dispatcher;
  readonly #seen = new SeenIds();
  /** Jobs run in the context of the engine, not in that of the web request or run that sent their event. */
  readonly #context = new AsyncResource("embedded job engine");
  #post: ServedHandlers["POST"] = unregistered;
  #schedules: { functionId: string; cron: Cron; next: Date }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #live = false;
  #passes = 0;
  #stopped = false;

  constructor({ signingKey, clock, log, maxParallel, maxOfOne, backoff }: EngineOptions) {
    this.#clock = clock;
    this.#dispatcher = new Dispatcher({
      clock,
      log,
      maxParallel: maxParallel ?? MAX_PARALLEL,
      maxOfOne: maxOfOne ?? maxParallel ?? MAX_OF_ONE,
      backoff,
      call: (job) => callHandler(this.#post, job, signingKey),
      onFailed: (run, error) => this.#announceFailure(run, error),
      onRoom: () => this.#wake(),
    });
    const fetch = createLoopback({
      register: (body) => this.#learn(body),
      receive: (events) => this.#receiveAll(events),
      checkpoint: (runId, steps) => this.#dispatcher.checkpoint(runId, steps),
    });
    this.clientOptions = { isDev: false, signingKey, eventKey: "embedded", fetch };
  }

  async register(handlers: ServedHandlers): Promise<void> {
    this.#post = (request) => handlers.POST(request, undefined);
    const answer = await handlers.PUT(signedRequest("PUT", {}, this.clientOptions.signingKey));
    const { message } = registeredSchema.parse(await answer.json());
    if (!answer.ok) throw new OperatorError(message);
    this.#functions();
  }

  start(): void {
    const now = this.#clock.now();
    this.#schedules = this.#functions().flatMap(({ id, crons }) =>
      crons.map((cron) => ({ functionId: id, cron, next: nextDue(cron, now) })),
    );
    this.#live = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#dispatcher.quiet();
  }

  drain(move: (to: Date) => void): Promise<void> {
    return this.#workOff((next) => {
      move(next);
      if (this.#clock.now() < next) throw new Error("drain() needs a move() that moves the engine's clock");
    });
  }

  idle(): Promise<void> {
    return this.#workOff((next) => sleep(Math.min(next.getTime() - this.#clock.now().getTime(), SECOND)));
  }

  fireCron(functionId: string, at: Date): void {
    const cron = this.#functions().find(({ id }) => id === functionId)?.crons[0];
    if (cron === undefined) throw new OperatorError(`There is no scheduled job function "${functionId}"`);
    this.#fire(functionId, cron, at);
    this.#wake();
  }

  #functions(): readonly JobFunction[] {
    const { functions } = this.#dispatcher;
    if (functions.length === 0)
      throw new OperatorError("No function is registered with the embedded job engine");
    return functions;
  }

  #learn(body: unknown): void {
    if (this.#dispatcher.functions.length > 0)
      throw new OperatorError("The functions are registered already");
    for (const fn of readFunctions(body)) this.#dispatcher.add(fn);
  }

  #receiveAll(events: readonly WireEvent[]): string[] {
    const ids = events.map((event) => this.#receive(event));
    this.#wake();
    return ids;
  }

  #receive(event: WireEvent): string {
    const now = this.#clock.now();
    const { id = randomUUID(), ts = now.getTime() } = event;
    const interested = this.#functions().filter((fn) => fn.wants(event));
    if (event.id !== undefined && !this.#seen.add(event.id, now)) return id;
    for (const fn of interested) this.#dispatcher.start(fn.id, { ...event, id, ts });
    return id;
  }

  /** Starts the `onFailure` handler. A failing handler has none, so it announces nothing. */
  #announceFailure({ id, fn, event }: Run, error: WireError): void {
    if (event.name === FUNCTION_FAILED) return;
    const data = { function_id: fn.id, run_id: id, error, event, events: [event] };
    this.#receive({ name: FUNCTION_FAILED, data });
  }

  #fire(functionId: string, cron: Cron, at: Date): void {
    const now = this.#clock.now();
    const scheduledAt = at.toISOString();
    const id = `${functionId}:${scheduledAt}`;
    if (!this.#seen.add(id, now)) return;
    const data = { cron: cron.source, scheduledAt, fireAt: now.toISOString() };
    this.#dispatcher.start(functionId, { id, name: SCHEDULED_TIMER, data, ts: now.getTime() });
  }

  #fireDue(): void {
    const now = this.#clock.now();
    for (const schedule of this.#schedules) {
      if (schedule.next > now) continue;
      this.#fire(schedule.functionId, schedule.cron, schedule.next);
      schedule.next = nextDue(schedule.cron, now);
    }
  }

  /** Something has come or ended: makes the requests that are due and sets the alarm for the next. */
  #wake(): void {
    if (this.#stopped || (!this.#live && this.#passes === 0)) return;
    this.#context.runInAsyncScope(() => {
      if (this.#live) this.#fireDue();
      this.#dispatcher.pump();
      if (this.#live) this.#setAlarm();
    });
  }

  #setAlarm(): void {
    const next = Math.min(
      this.#dispatcher.nextInstant(),
      ...this.#schedules.map((schedule) => schedule.next.getTime()),
    );
    // Looks at the clock every minute at least: the machine may sleep, and timers are not told.
    const wait = Math.min(next - this.#clock.now().getTime(), MINUTE);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake(), wait).unref();
  }

  async #workOff(reach: (next: Date) => unknown): Promise<void> {
    this.#passes += 1;
    try {
      while (!this.#stopped) {
        this.#wake();
        await this.#dispatcher.quiet();
        if (this.#dispatcher.isEmpty) return;
        const next = this.#dispatcher.nextInstant();
        // With no next instant, something has become due since the last pass.
        if (next !== Number.POSITIVE_INFINITY) await reach(instant(next));
      }
    } finally {
      this.#passes -= 1;
    }
  }
}
