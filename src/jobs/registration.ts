import { Cron } from "croner";
import { z } from "zod";
import { OperatorError } from "@/core/errors";
import { SECOND } from "@/core/time";
import type { WireEvent } from "./protocol";

/** Sent when a run has failed for good. Starts the `onFailure` handler of its function. */
export const FUNCTION_FAILED = "inngest/function.failed";

export type JobFunction = Readonly<ReturnType<typeof toJobFunction>>;

const triggerSchema = z.strictObject({
  event: z.optional(z.string().regex(/^[^*]+$/, "wildcards are not supported")),
  cron: z.optional(z.string()),
  // The SDK writes this one for an `onFailure` handler.
  expression: z.optional(z.string().regex(/^event\.data\.function_id == '[^']+'$/, "`if` is not supported")),
});

/** Strict: the engine would silently ignore an option that is not here. */
const functionSchema = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  triggers: z.array(triggerSchema),
  steps: z.object({ step: z.object({ retries: z.object({ attempts: z.int() }).optional() }) }),
  throttle: z.strictObject({ limit: z.int().positive(), period: z.literal("1s") }).optional(),
  concurrency: z.int().positive().optional(),
});

type FunctionConfig = z.infer<typeof functionSchema>;

const bodySchema = z.object({ functions: z.array(z.looseObject({ id: z.string() })) });

/** Reads the body of `POST /fn/register`. Throws OperatorError for a function that the engine cannot run. */
export function readFunctions(body: unknown): JobFunction[] {
  return bodySchema.parse(body).functions.map((raw) => {
    const parsed = functionSchema.safeParse(raw);
    if (parsed.success) return toJobFunction(parsed.data);
    const reasons = parsed.error.issues.map(({ path, message }) => [...path, message].join(" "));
    throw new OperatorError(`The embedded job engine cannot run "${raw.id}": ${reasons.join("; ")}`);
  });
}

function toJobFunction({ id, triggers, steps, throttle, concurrency = Infinity }: FunctionConfig) {
  return {
    id,
    crons: triggers.flatMap(({ cron = [] }) => cron).map(readCron),
    /** Tries of a step, and of the function between its steps. */
    attempts: (steps.step.retries?.attempts ?? 4) + 1,
    concurrency,
    /** Milliseconds between the starts of two runs. */
    startInterval: throttle ? SECOND / throttle.limit : 0,
    isTriggeredBy: ({ name, data }: WireEvent): boolean =>
      triggers.some(
        ({ event, expression: only }) =>
          event === name && (!only || only === `event.data.function_id == '${data.function_id}'`),
      ),
  };
}

/** Throws for what is not a schedule in UTC. */
function readCron(schedule: string): Cron {
  return new Cron(schedule.replace(/^TZ=UTC /, ""), { timezone: "UTC", mode: "5-part" });
}
