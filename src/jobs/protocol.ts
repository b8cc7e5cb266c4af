import { createHmac } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { SECOND, systemClock } from "@/core/time";

/** An event as the SDK sends it. Unknown fields are passed on to the function. */
const eventSchema = z.looseObject({
  id: z.string().min(1).optional(),
  name: z.string().min(1),
  data: z.record(z.string(), z.unknown()).default({}),
  ts: z.number().optional(),
});
export type WireEvent = z.infer<typeof eventSchema>;

/** The body of `POST /e/{key}`. Inngest takes 5,000 events at most. */
export const eventsSchema = z.array(eventSchema).max(5000);

/** An error as the SDK writes it. It goes back to the SDK with all its fields. */
export const errorSchema = z.looseObject({
  name: z.string().default("Error"),
  message: z.string().default("Unknown error"),
});
export type WireError = z.infer<typeof errorSchema>;

const opSchema = z.object({
  op: z.string(),
  id: z.string().min(1),
  /** Of a sleep: the instant of its end. */
  name: z.string().nullish(),
  displayName: z.string().optional(),
  data: z.unknown(),
  error: errorSchema.prefault({}),
});
/** What happened in a run: a step ran, failed or comes next, or the run sleeps or ended. */
export type Op = z.infer<typeof opSchema>;

export const opsSchema = z.array(opSchema).min(1);

/** The body of `POST /v1/checkpoint/{run}/async`. */
export const checkpointSchema = z.object({ run_id: z.string(), steps: z.array(opSchema) });

/** The route handlers that an Inngest engine calls. */
export interface ServedJobs {
  GET(request: Request, context?: unknown): Promise<Response>;
  POST(request: Request, context?: unknown): Promise<Response>;
  PUT(request: Request, context?: unknown): Promise<Response>;
}

export type ServedHandlers = Pick<ServedJobs, "POST" | "PUT">;

/** The signature header for a body in canonical form, of now by the wall clock, which the SDK checks. */
export function sign(canonicalBody: string, signingKey: string): string {
  const time = Math.floor(systemClock.now().getTime() / SECOND);
  const key = signingKey.replace(/^signkey-\w+-/, "");
  const hmac = createHmac("sha256", key).update(`${canonicalBody}${time}`).digest("hex");
  return `t=${time}&s=${hmac}`;
}

/** A signed request to the served handlers, which get it in process: its address is never looked up. */
export function createSignedRequest(method: "POST" | "PUT", body: object, signingKey: string, query = ""): Request {
  const text = canonicalize(body) ?? "";
  const signature = sign(text, signingKey);
  return new Request(`http://localhost/api/inngest${query}`, {
    method,
    body: text,
    headers: { "content-type": "application/json", host: "localhost", "x-inngest-signature": signature },
  });
}
