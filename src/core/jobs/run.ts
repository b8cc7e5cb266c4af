import { randomUUID } from "node:crypto";
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
  hasStarted = false;
  /** Results by hashed step id, in the order in which the steps ended. */
  readonly #memo = new Map<string, Memo>();

  /** @param due instant of the next request, in milliseconds since the epoch */
  constructor(
    readonly fn: JobFunction,
    readonly event: WireEvent,
    public due: number,
  ) {}

  /** Saves finished steps. The first result of a step stays. */
  save(ops: readonly Op[]): void {
    for (const { op, id, data = null, error } of ops) {
      if (this.#memo.has(id)) continue;
      if (op === "StepRun") this.#memo.set(id, { type: "data", data });
      if (op === "StepFailed") this.#memo.set(id, { type: "error", error });
    }
  }

  /** Sets the next request: its step, its attempt from 0, and its instant. */
  next(step: string, attempt: number, due: number): this {
    return Object.assign(this, { step, attempt, due });
  }

  /** The body of the next request. */
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
