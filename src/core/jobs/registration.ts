import { z } from "zod";
import { OperatorError } from "@/core/errors";
import { DAY, HOUR, MINUTE, SECOND } from "@/core/time";
import { type Cron, parseCron } from "./cron";
import type { Cap, Pace } from "./limits";
import type { WireEvent } from "./wire";

/** Sent when a run has failed for good; starts the `onFailure` handler of its function. */
export const FUNCTION_FAILED = "inngest/function.failed";

/** A function as the engine runs it. */
export interface JobFunction {
  readonly id: string;
  readonly crons: readonly Cron[];
  /** How often a step, or the function between its steps, is tried. */
  readonly attempts: number;
  /** An event is ignored while a run of this function is alive. */
  readonly singleton: boolean;
  readonly caps: readonly Cap[];
  readonly pace: Pace | undefined;
  wants(event: WireEvent): boolean;
}

const DEFAULT_RETRIES = 4;
const UNITS = new Map([
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
  ["d", DAY],
]);

const constantKey = z
  .string()
  .regex(/^("[^"\\]*"|'[^'\\]*')$/, "only a constant in quotes is supported as a key")
  .optional();

const periodSchema = z
  .string()
  .regex(/^[1-9]\d*[smhd]$/, "must be a number followed by s, m, h or d")
  .transform((period) => Number.parseInt(period, 10) * (UNITS.get(period.slice(-1)) ?? SECOND));

const throttleSchema = z
  .strictObject({
    limit: z.int().positive(),
    period: periodSchema,
    burst: z.int().positive().default(1),
    key: constantKey,
  })
  .transform(({ limit, period, burst }): Pace => ({ interval: period / limit, burst }));

const capSchema = z
  .strictObject({
    limit: z.int().positive(),
    key: constantKey,
    scope: z.enum(["fn", "env", "account"]).default("fn"),
  })
  .refine(({ scope, key }) => scope === "fn" || key !== undefined, "a shared limit needs a key");

const concurrencySchema = z.preprocess(
  (option) => [option].flat().map((limit) => (typeof limit === "number" ? { limit } : limit)),
  z.array(capSchema),
);

const triggerSchema = z.strictObject({
  event: z
    .string()
    .regex(/^[^*]+$/, "wildcards are not supported")
    .optional(),
  cron: z.string().optional(),
  expression: z
    .string()
    .regex(/^event\.data\.function_id == '[^']+'$/, "`if` is not supported")
    .optional(),
});

/** Strict on purpose: an option that is not here would be ignored silently by the engine, so it is refused. */
const functionSchema = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  triggers: z.array(triggerSchema),
  steps: z.object({
    step: z.object({ retries: z.object({ attempts: z.int().min(0).optional() }).optional() }),
  }),
  singleton: z.strictObject({ mode: z.literal("skip"), key: constantKey }).optional(),
  throttle: throttleSchema.optional(),
  concurrency: concurrencySchema.optional(),
});

const bodySchema = z.object({ functions: z.array(z.looseObject({ id: z.string() })) });

/** Reads the body of `POST /fn/register`. Throws OperatorError for a function that asks for what the engine cannot do. */
export function readFunctions(body: unknown): JobFunction[] {
  return bodySchema.parse(body).functions.map((raw) => {
    const parsed = functionSchema.safeParse(raw);
    if (parsed.success) return toJobFunction(parsed.data);
    const reasons = parsed.error.issues.map(({ path, message }) => [...path, message].join(" "));
    throw new OperatorError(`The embedded job engine cannot run "${raw.id}": ${reasons.join("; ")}`);
  });
}

function toJobFunction(config: z.infer<typeof functionSchema>): JobFunction {
  const { id, triggers, steps, singleton, throttle, concurrency } = config;
  return {
    id,
    crons: triggers.flatMap(({ cron }) => cron ?? []).map(parseCron),
    attempts: (steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    singleton: singleton !== undefined,
    caps: (concurrency ?? []).map(({ scope, key = "", limit }) => ({
      key: scope === "fn" ? `fn:${id}:${key}` : `${scope}:${key}`,
      limit,
    })),
    pace: throttle,
    wants: (event) =>
      triggers.some(({ event: name, expression }) => name === event.name && holds(expression, event)),
  };
}

/** The only expression that gets past the schema is the one the SDK itself writes for an `onFailure` handler. */
function holds(expression: string | undefined, event: WireEvent): boolean {
  return expression === undefined || expression === `event.data.function_id == '${event.data.function_id}'`;
}
