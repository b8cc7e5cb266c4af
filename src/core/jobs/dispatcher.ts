import { randomUUID } from "node:crypto";
import { OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import type { Clock } from "@/core/time";
import { Lane, takeEarliest } from "./lane";
import { retryAt, Slots, Throttle } from "./limits";
import type { JobFunction } from "./registration";
import { DISCOVERY, type Job, judge, type Reply, Run, type Verdict } from "./run";
import type { Op, WireError, WireEvent } from "./wire";

/** What the dispatcher needs of the engine around it. */
export interface DispatcherOptions {
  clock: Clock;
  log: Log;
  /** Requests under way at most. */
  maxParallel: number;
  /** And of one function, so that others need not wait until the last of its runs has begun. */
  maxOfOne: number;
  /** Waits after the first, second, … failed attempt, in milliseconds; Inngest's unless given. */
  backoff?: number[] | undefined;
  call(job: Job): Promise<Reply>;
  /** A run has failed for good. */
  onFailed(run: Run, error: WireError): void;
  /** A request has ended, so there is room for another. */
  onRoom(): void;
}

/** The work of one function. */
interface Desk {
  readonly fn: JobFunction;
  /** First requests of runs, which the throttle spaces. */
  readonly starts: Lane<Job>;
  /** Further requests of runs under way. */
  readonly steps: Lane<Job>;
  /** Runs queued or under way. */
  alive: number;
}

/** Keeps the runs, decides which request goes next and what its answer means. Knows nothing of HTTP or timers. */
export class Dispatcher {
  readonly #desks = new Map<string, Desk>();
  readonly #runs = new Map<string, Run>();
  readonly #active = new Set<Promise<void>>();
  readonly #slots = new Slots();

  constructor(private readonly options: DispatcherOptions) {}

  add(fn: JobFunction): void {
    const caps = [...fn.caps, { key: `engine:${fn.id}`, limit: this.options.maxOfOne }];
    const starts = new Lane<Job>(caps, fn.pace && new Throttle(fn.pace));
    this.#desks.set(fn.id, { fn: { ...fn, caps }, starts, steps: new Lane(caps), alive: 0 });
  }

  get functions(): JobFunction[] {
    return [...this.#desks.values()].map(({ fn }) => fn);
  }

  /** Saves steps that ended within a request of a run; false when there is no such run. */
  checkpoint(runId: string, steps: readonly Op[]): boolean {
    const run = this.#runs.get(runId);
    run?.keep(steps);
    return run !== undefined;
  }

  /** Queues a run, unless the function is a singleton already at work. */
  start(functionId: string, event: WireEvent): void {
    const desk = this.#desk(functionId);
    if (desk.fn.singleton && desk.alive > 0) {
      this.options.log.info({ functionId }, "job skipped: one is already under way");
      return;
    }
    const run = new Run(randomUUID(), desk.fn, event);
    this.#runs.set(run.id, run);
    desk.alive += 1;
    desk.starts.push(this.#job(run, DISCOVERY));
  }

  /** Makes the requests that are due, as many as the limits let. */
  pump(): void {
    const now = this.options.clock.now().getTime();
    while (this.#active.size < this.options.maxParallel) {
      const job = this.#take(now);
      if (job === undefined) return;
      const work = this.#execute(job).finally(() => {
        this.#active.delete(work);
        this.options.onRoom();
      });
      this.#active.add(work);
    }
  }

  /** Resolves when no request is under way. */
  async quiet(): Promise<void> {
    while (this.#active.size > 0) await Promise.race(this.#active);
  }

  /** Whether nothing waits; what is under way may still bring more. */
  get isEmpty(): boolean {
    return this.#lanes().every((lane) => lane.readyAt() === Number.POSITIVE_INFINITY);
  }

  /** The next instant, after now, at which something becomes due; infinity when nothing does. */
  nextInstant(): number {
    const now = this.options.clock.now().getTime();
    return Math.min(
      ...this.#lanes()
        .map((lane) => lane.readyAt())
        .filter((at) => at > now),
    );
  }

  #lanes(): Lane<Job>[] {
    return [...this.#desks.values()].flatMap(({ steps, starts }) => [steps, starts]);
  }

  #desk(functionId: string): Desk {
    const desk = this.#desks.get(functionId);
    if (desk === undefined) throw new OperatorError(`There is no job function "${functionId}"`);
    return desk;
  }

  #job(run: Run, step: string, attempt = 0, at = this.options.clock.now()): Job {
    return { id: randomUUID(), run, step, attempt, due: at.getTime() };
  }

  /** Runs under way go on before new ones start, so that few are half done. */
  #take(now: number): Job | undefined {
    for (const kind of ["steps", "starts"] as const) {
      const lanes = [...this.#desks.values()].map((desk) => desk[kind]);
      const job = takeEarliest(lanes, this.#slots, now);
      if (job) return job;
    }
    return undefined;
  }

  async #execute(job: Job): Promise<void> {
    const { caps } = job.run.fn;
    this.#slots.take(caps);
    const reply = await this.options.call(job);
    this.#slots.release(caps);
    if (!job.run.over) this.#settle(job, reply);
  }

  #settle(job: Job, reply: Reply): void {
    const verdict = judge(job, reply);
    if (reply.kind === "ops") this.#logFailedSteps(job, reply.ops);
    if (verdict.kind === "done") this.#end(job.run);
    if (verdict.kind === "failed") this.#retryOrEnd(job, verdict);
    if (verdict.kind === "next") {
      const { steps } = this.#desk(job.run.fn.id);
      for (const step of verdict.steps) steps.push(this.#job(job.run, step));
    }
  }

  #retryOrEnd(job: Job, { error, final, retryAfter }: Verdict & { kind: "failed" }): void {
    const { run, step, attempt } = job;
    const { clock, log, backoff } = this.options;
    if (final || attempt + 1 >= run.fn.attempts) {
      log.error(about(job, error), "job failed for good");
      this.#end(run);
      this.options.onFailed(run, error);
    } else {
      const at = retryAt(clock.now(), attempt, retryAfter, backoff);
      log.warn({ ...about(job, error), retryAt: at.toISOString() }, "job attempt failed, will be repeated");
      this.#desk(run.fn.id).steps.push(this.#job(run, step, attempt + 1, at));
    }
  }

  /** A step out of attempts need not end the run: the function may catch its error. */
  #logFailedSteps(job: Job, ops: readonly Op[]): void {
    for (const { op, displayName, error } of ops) {
      if (op !== "StepFailed") continue;
      this.options.log.warn({ ...about(job, error), step: displayName }, "job step failed for good");
    }
  }

  #end(run: Run): void {
    run.over = true;
    this.#runs.delete(run.id);
    this.#desk(run.fn.id).alive -= 1;
  }
}

function about({ run, attempt }: Job, error: WireError) {
  return { functionId: run.fn.id, runId: run.id, attempt: attempt + 1, error: error.message };
}
