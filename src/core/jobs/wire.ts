import { createHmac } from "node:crypto";
import { z } from "zod";
import { systemClock } from "@/core/time";

/** An event as the SDK sends it; fields we do not know travel on to the function. */
export const eventSchema = z.looseObject({
  id: z.string().min(1).optional(),
  name: z.string().min(1),
  data: z.record(z.string(), z.unknown()).default({}),
  ts: z.number().optional(),
});
export type WireEvent = z.infer<typeof eventSchema>;

/** The body of `POST /e/{key}`. Inngest takes 5,000 events at once, so no more pass here. */
export const eventsSchema = z.preprocess(
  (body) => (Array.isArray(body) ? body : [body]),
  z.array(eventSchema).max(5000),
);

/** An error as the SDK writes it; it goes back to the SDK with all its fields. */
export const errorSchema = z
  .looseObject({
    name: z.string().default("Error"),
    message: z.string().optional(),
    error: z.string().optional(),
  })
  .transform(({ error, message = error ?? "Unknown error", ...rest }) => ({ ...rest, message }));
export type WireError = z.infer<typeof errorSchema>;

const opSchema = z.object({
  op: z.string(),
  id: z.string().min(1),
  displayName: z.string().optional(),
  data: z.unknown(),
  error: errorSchema.default({ name: "Error", message: "Unknown error" }),
});
/** One thing that happened or is to happen in a run: a step that ran, failed or is planned, or the end of the run. */
export type Op = z.infer<typeof opSchema>;

/** The body of a 206 answer. */
export const opsSchema = z.array(opSchema).min(1);

/** The body of `POST /v1/checkpoint/{run}/async`. */
export const checkpointSchema = z.object({ run_id: z.string(), steps: z.array(opSchema) });

/** What comes back from the served handler about a PUT. */
export const registeredSchema = z.object({ message: z.string() });

/**
 * The signature header of a request to the SDK, for its body in canonical form. The SDK holds the time in it against
 * the wall clock, whatever clock the jobs live on.
 */
export function sign(
  canonicalBody: string,
  signingKey: string,
  time = Math.floor(systemClock.now().getTime() / 1000),
): string {
  const key = signingKey.replace(/^signkey-\w+-/, "");
  const hmac = createHmac("sha256", key).update(`${canonicalBody}${time}`).digest("hex");
  return `t=${time}&s=${hmac}`;
}

/** What an engine and the SDK tell each other is not nested half as deep. */
const MAX_DEPTH = 100;

/**
 * JSON with the keys of every object in code unit order (RFC 8785), the form in which bodies are signed.
 * @throws RangeError for what is nested over a hundred deep
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError(`must not be nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) return `[${listed(value.map((item) => canonicalJson(item ?? null, depth + 1)))}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field, depth + 1)}`);
  return `{${listed(fields)}}`;
}

/** Joined by commas without a copy of each, which `join` would make of all that is within at every depth. */
function listed(texts: readonly string[]): string {
  return texts.reduce((list, text, at) => (at === 0 ? text : `${list},${text}`), "");
}
