import type { JobFunction } from "./registration";
import type { Op, WireError, WireEvent } from "./wire";

/** The step of a request that runs the function from its start and learns what comes next. */
export const DISCOVERY = "step";

/** What is kept of a finished step, in the form in which the SDK wants it back. */
type Memo = { type: "data"; data: unknown } | { type: "error"; error: WireError };

/** One function at work on one event. It lives in memory until it has ended, and no longer. */
export class Run {
  /** Results by hashed step id, in the order in which the steps ended. */
  readonly #memo = new Map<string, Memo>();
  /** Planned steps that have not ended; the function goes on when none is left. */
  readonly #pending = new Set<string>();
  over = false;

  constructor(
    readonly id: string,
    readonly fn: JobFunction,
    readonly event: WireEvent,
  ) {}

  /** Saves finished steps. The first result of a step stays. */
  keep(ops: readonly Op[]): void {
    for (const { op, id, data = null, error } of ops) {
      if (this.#memo.has(id)) continue;
      if (op === "StepRun") this.#memo.set(id, { type: "data", data });
      if (op === "StepFailed") this.#memo.set(id, { type: "error", error });
    }
  }

  /** Notes that a step has ended and others are planned; returns the steps to request now. */
  advance(ended: string, planned: readonly string[]): readonly string[] {
    this.#pending.delete(ended);
    for (const step of planned) this.#pending.add(step);
    if (planned.length > 0) return planned;
    return this.#pending.size === 0 ? [DISCOVERY] : [];
  }

  /** The body of the request for a job of this run. */
  request(job: Job): object {
    const done = [...this.#memo.keys()];
    return {
      version: 2,
      event: this.event,
      events: [this.event],
      steps: Object.fromEntries(this.#memo),
      ctx: {
        run_id: this.id,
        fn_id: this.fn.id,
        qi_id: job.id,
        attempt: job.attempt,
        max_attempts: this.fn.attempts,
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack: done, current: done.length },
      },
    };
  }
}

/** One request to make for a run. */
export interface Job {
  readonly id: string;
  readonly run: Run;
  /** `DISCOVERY` or the hashed id of a planned step. */
  readonly step: string;
  /** From 0. */
  readonly attempt: number;
  /** In milliseconds since the epoch. */
  readonly due: number;
}

/** What the SDK answered to a job. */
export type Reply = Done | Failed | { kind: "ops"; ops: readonly Op[]; retryAfter: string | null };

/** What the answer means for the run: it has ended, it goes on with these steps, or this attempt has failed. */
export type Verdict = Done | Failed | { kind: "next"; steps: readonly string[] };

interface Done {
  kind: "done";
}

interface Failed {
  kind: "failed";
  error: WireError;
  /** No retry may follow. */
  final: boolean;
  /** The wait the function asked for, as in the header of that name. */
  retryAfter: string | null;
}

const KNOWN_OPS = ["StepRun", "StepPlanned", "StepError", "StepFailed", "RunComplete"];

/** Saves what an answer brought for the job's run and decides how it goes on. */
export function judge(job: Job, reply: Reply): Verdict {
  if (reply.kind !== "ops") return reply;
  const { ops, retryAfter } = reply;
  const foreign = ops.find(({ op }) => !KNOWN_OPS.includes(op));
  if (foreign) {
    const message = `The embedded job engine does not support ${foreign.op} (${foreign.displayName ?? foreign.id})`;
    return { kind: "failed", error: { name: "Error", message }, final: true, retryAfter };
  }
  job.run.keep(ops);
  if (ops.some(({ op }) => op === "RunComplete")) return { kind: "done" };
  const failed = ops.find(({ op }) => op === "StepError");
  if (failed) return { kind: "failed", error: failed.error, final: false, retryAfter };
  const planned = ops.filter(({ op }) => op === "StepPlanned").map(({ id }) => id);
  return { kind: "next", steps: job.run.advance(job.step, planned) };
}
