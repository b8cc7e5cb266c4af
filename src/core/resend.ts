import type { Resend } from "resend";
import { z } from "zod";
import { DestinationError, secondsOf } from "@/core/destination";
import type { Mailer } from "@/core/email";
import type { Env } from "@/core/env";
import { withoutNul } from "@/core/errors";
import { type Clock, HOUR, SECOND, secondsToMidnight } from "@/core/time";

type ResendEnv = Extract<Env["email"], { kind: "resend" }>;

/** A try that takes longer is cut off; the mail may have been accepted all the same. */
const TRY_LIMIT = 20 * SECOND;
/** A mail that was refused until the operator acts is tried again this often. */
const OPERATOR_WAIT = HOUR / SECOND;
/** One that may have been taken is not left alone for longer: it is tried only as long as Resend knows its key. */
const LONGEST_DOUBTFUL_WAIT = HOUR / SECOND;
/** An earlier try with the same key is still being worked on. */
const CONCURRENT_WAIT = 5;

/** A redirect is not followed: the mail would arrive as a question, and the answer to that be taken for a refusal. */
const FETCH_OPTIONS = { redirect: "manual" };

/** The mail service Resend. Nothing is loaded, constructed or sent before the first mail. */
export function createResendMailer(
  options: Pick<ResendEnv, "apiKey" | "from" | "url">,
  clock: Clock,
  tryLimit = TRY_LIMIT,
): Mailer {
  const { apiKey, from, url } = options;
  let client: Resend | undefined;
  const load = async () => {
    client ??= new (await import("resend")).Resend(apiKey, { baseUrl: url });
    return client;
  };
  return {
    name: "resend",
    from,
    prepare: async () => void (await load()),
    async send({ tags, idempotencyKey, ...mail }) {
      const { emails } = await load();
      const answer = await emails.send(
        { from, ...mail, tags: Object.entries(tags).map(([name, value]) => ({ name, value })) },
        { idempotencyKey, signal: AbortSignal.timeout(tryLimit), ...FETCH_OPTIONS },
      );
      const accepted = Accepted.safeParse(answer.data);
      if (accepted.success) return accepted.data.id;
      const failure = Failure.parse(answer.error ?? {});
      const message = failure.message.replaceAll(apiKey, "…");
      throw refusal({ ...failure, message }, answer.headers ?? {}, clock);
    },
  };
}

const Accepted = z.object({ id: z.string().transform(withoutNul).pipe(z.string().min(1)) });

/** The client hands on whatever JSON an error's body was. */
const Failure = z
  .object({
    name: z.string().catch("application_error"),
    message: z.string().catch("the answer could not be read"),
    statusCode: z.number().nullable().catch(null),
  })
  .catch({ name: "application_error", message: "the answer could not be read", statusCode: null });
type Failure = z.output<typeof Failure>;

const KEY_ADVICE = "Set RESEND_API_KEY to a key that may send mails";
const SENDER_ADVICE = "Verify the domain of ALERT_EMAIL_FROM at Resend";
const QUOTA_ADVICE =
  "The quota at Resend is used up: mails wait for the next UTC day; raise it to have them sooner";

/** What the operator must do about errors that no retry gets past. */
const OPERATOR_ADVICE = new Map([
  ["missing_api_key", KEY_ADVICE],
  ["invalid_api_key", KEY_ADVICE],
  ["restricted_api_key", KEY_ADVICE],
  ["invalid_access", KEY_ADVICE],
  ["invalid_from_address", SENDER_ADVICE],
  ["invalid_region", SENDER_ADVICE],
  ["not_found", "Set RESEND_BASE_URL to the address of Resend's API, or leave it empty"],
  ["method_not_allowed", "Set RESEND_BASE_URL to the address of Resend's API, or leave it empty"],
  ["security_error", "Ask Resend's support why it takes no mails"],
]);

/** Errors that are about this very mail. */
const FINAL = new Set([
  "validation_error",
  "invalid_parameter",
  "missing_required_field",
  "invalid_attachment",
  "invalid_idempotency_key",
  "invalid_idempotent_request",
]);

const RATE_LIMIT = "rate_limit_exceeded";

/** What an error of Resend's means for the mail: wait, wait for the operator, or give up. */
function refusal({ name, message, statusCode }: Failure, headers: Record<string, string>, clock: Clock) {
  const told = `${name}${statusCode === null ? "" : ` (${statusCode})`}: ${message}`;
  // That name with that status is about the sender: its domain is not verified, or only test mails are allowed.
  const advice =
    name === "validation_error" && statusCode === 403 ? SENDER_ADVICE : OPERATOR_ADVICE.get(name);
  if (name === "daily_quota_exceeded" || name === "monthly_quota_exceeded")
    return new DestinationError(told, {
      retryAfter: secondsToMidnight(clock.now()),
      advice: QUOTA_ADVICE,
    });
  if (advice) return new DestinationError(told, { retryAfter: OPERATOR_WAIT, advice });
  if (FINAL.has(name)) return new DestinationError(told, { final: true });
  if (name === "concurrent_idempotent_requests")
    return new DestinationError(told, { inDoubt: true, retryAfter: CONCURRENT_WAIT });
  const asked = secondsOf(headers["retry-after"] ?? resetOf(statusCode, headers));
  if (name === RATE_LIMIT) return new DestinationError(told, { retryAfter: asked });
  // Only by that word has Resend surely not taken it. Without a status there was no answer that could be read, from 500
  // on the fault may lie behind the point of acceptance, and what has no name of Resend's may come from something between.
  return new DestinationError(told, {
    inDoubt: true,
    retryAfter: asked && Math.min(asked, LONGEST_DOUBTFUL_WAIT),
  });
}

/** When the limit is lifted, for an answer that is about it; other answers carry the field too. */
function resetOf(statusCode: number | null, headers: Record<string, string>): string | undefined {
  return statusCode === 429 ? headers["ratelimit-reset"] : undefined;
}
