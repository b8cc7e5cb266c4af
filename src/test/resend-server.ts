import { createHmac, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Clock, DAY, systemClock } from "@/core/time";
import { type FixedAnswer, startStandIn } from "./stand-in";

const addresses = z.union([z.email(), z.array(z.email()).min(1).max(50)]).transform((to) => [to].flat());

/** The fields of `POST /emails` that this service uses. */
const SentMail = z.object({
  from: z.string(),
  to: addresses,
  subject: z.string(),
  html: z.string().optional(),
  text: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  tags: z
    .array(z.object({ name: z.string().regex(/^[\w-]{1,256}$/), value: z.string().regex(/^[\w-]{1,256}$/) }))
    .optional(),
});

export interface AcceptedMail {
  id: string;
  key: string;
  /** How often it was sent and taken as the same. */
  times: number;
  mail: z.output<typeof SentMail>;
}

export interface MailEventOptions {
  type: string;
  /** The mail as its events name it. */
  data: { email_id: string; tags?: Record<string, string>; bounce?: object; [member: string]: unknown };
  /** `svix-id`; a new one unless given. */
  id?: string;
}

/** A stand-in for the mail service Resend. */
export type ResendServer = Awaited<ReturnType<typeof startResendServer>>;

interface ResendServerOptions {
  port?: number;
  apiKey?: string;
  webhookSecret?: string;
  clock?: Clock;
}

export const RESEND_KEY = "re_test_0123456789abcdef";
export const RESEND_WEBHOOK_SECRET = `whsec_${Buffer.from("a secret of the mail service").toString("base64")}`;

/** Starts a mail service that remembers idempotency keys for 24 hours, as Resend does. */
export async function startResendServer(options: ResendServerOptions = {}) {
  const { port, apiKey = RESEND_KEY, webhookSecret = RESEND_WEBHOOK_SECRET, clock = systemClock } = options;
  const accepted: AcceptedMail[] = [];
  const known = new Map<string, { body: string; at: number; mail: AcceptedMail }>();

  function take(key: string, body: string): Response {
    const parsed = SentMail.safeParse(JSON.parse(body));
    if (!parsed.success) return refuse(...toFieldError(parsed.error));
    const now = clock.now().getTime();
    const earlier = known.get(key);
    if (earlier && earlier.at > now - DAY) {
      if (earlier.body !== body)
        return refuse(409, "invalid_idempotent_request", "Same idempotency key used with a different payload.");
      earlier.mail.times += 1;
      return Response.json({ id: earlier.mail.id });
    }
    const mail = { id: randomUUID(), key, times: 1, mail: parsed.data };
    accepted.push(mail);
    if (key) known.set(key, { body, at: now, mail });
    return Response.json({ id: mail.id });
  }

  const standIn = await startStandIn({
    port,
    answer: ({ headers }, { method, path, body }) => {
      const [scheme, given] = (headers.get("authorization") ?? "").split(" ");
      if (scheme !== "Bearer" || !given)
        return refuse(401, "missing_api_key", "Missing API key in the authorization header.");
      if (given !== apiKey) return refuse(403, "invalid_api_key", "API key is invalid");
      if (path !== "emails") return refuse(404, "not_found", "The requested endpoint does not exist.");
      if (method !== "POST") return refuse(405, "method_not_allowed", "Method is not allowed.");
      const key = headers.get("idempotency-key") ?? "";
      if (key.length > 256) return refuse(400, "invalid_idempotency_key", "The key must be between 1-256 chars.");
      return take(key, body);
    },
  });
  return Object.assign(standIn, {
    /** Mails that were accepted, each idempotency key once. */
    accepted,
    /** A signed event as it is posted to the service's webhook. */
    createEvent: (event: MailEventOptions) => createSignedEvent(event, webhookSecret, clock),
  });
}

/** An error in Resend's form, to be queued among `faults`. */
export function createResendError(status: number, name: string, message = name, headers = {}): FixedAnswer {
  return { status, headers, body: { statusCode: status, name, message } };
}

function refuse(status: number, name: string, message: string): Response {
  const headers = { "ratelimit-limit": "5", "ratelimit-remaining": "4", "ratelimit-reset": "1" };
  return Response.json({ statusCode: status, name, message }, { status, headers });
}

function toFieldError({ issues }: z.ZodError): [number, string, string] {
  const [issue] = issues;
  const field = issue?.path.join(".") ?? "body";
  return issue?.code === "invalid_type"
    ? [422, "missing_required_field", `Missing \`${field}\` field.`]
    : [422, "validation_error", `Invalid \`${field}\` field.`];
}

const WEBHOOK_PATH = "http://growth.test/api/webhooks/resend";

function createSignedEvent(event: MailEventOptions, secret: string, clock: Clock): Request {
  const { type, data, id = `msg_${randomUUID()}` } = event;
  const body = JSON.stringify({ type, created_at: clock.now().toISOString(), data });
  return new Request(WEBHOOK_PATH, { method: "POST", body, headers: createEventHeaders(id, body, secret) });
}

/** The headers by which the mail service signs an event. @param at Unix seconds; the receiver allows five minutes */
export function createEventHeaders(
  id: string,
  body: string,
  secret = RESEND_WEBHOOK_SECRET,
  at = Math.floor(systemClock.now().getTime() / 1000),
): Record<string, string> {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "svix-id": id,
    "svix-timestamp": String(at),
    "svix-signature": `v1,${signature}`,
  };
}
