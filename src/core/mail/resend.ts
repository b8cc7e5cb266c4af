import { z } from "zod";
import type { Env } from "@/core/env";
import { isAppError, withoutNul } from "@/core/errors";
import { boundedFetch, faultOf } from "@/core/http/bounded-fetch";
import { DestinationError, doubtfulSecondsOf, isDestinationError, secondsOf } from "@/core/mail/destination";
import type { Mailer } from "@/core/mail/email";
import { type Clock, HOUR, SECOND, secondsToMidnight } from "@/core/time";

type ResendEnv = Extract<Env["email"], { kind: "resend" }>;

/** A try that takes longer is cut off; the mail may have been accepted all the same. */
const TRY_LIMIT = 20 * SECOND;
/** A mail that was refused until the operator acts is tried again this often. */
const OPERATOR_WAIT = HOUR / SECOND;
/** An earlier try with the same key is still being worked on. */
const CONCURRENT_WAIT = 5;
/** Bytes of an answer. Resend's own client reads whatever comes, so it is not asked to send. */
const LONGEST_ANSWER = 65_536;
/** Characters of what an error says of itself. */
const LONGEST_MESSAGE = 500;

/** The mail service Resend. Nothing is sent before the first mail. */
export function createResendMailer(
  options: Pick<ResendEnv, "apiKey" | "from" | "url">,
  clock: Clock,
  tryLimit = TRY_LIMIT,
): Mailer {
  const { apiKey, from, url } = options;
  return {
    name: "resend",
    from,
    async send({ tags, idempotencyKey, ...mail }, requireWanted) {
      const fetch = boundedFetch(tryLimit, LONGEST_ANSWER, { beforeSending: requireWanted });
      const body = { from, ...mail, tags: Object.entries(tags).map(([name, value]) => ({ name, value })) };
      const answer = await fetch(`${url}/emails`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${apiKey}`,
          "Content-Type": "application/json",
          "Idempotency-Key": idempotencyKey,
        },
        body: JSON.stringify(body),
        // Not followed: the mail would arrive as a question, and the answer to that be taken for a refusal.
        redirect: "manual",
      })
        .then(readAnswer)
        .catch(unanswered);
      if (answer.id !== undefined) return answer.id;
      const message = answer.failure.message.slice(0, LONGEST_MESSAGE);
      throw refusal({ ...answer.failure, message }, answer.headers, clock);
    },
  };
}

/** What Resend said of a mail: its id there, or why it has none. */
type Answer = { id: string } | { id?: undefined; failure: Failure; headers: Headers };

async function readAnswer(response: Response): Promise<Answer> {
  const body = parsed(await response.text());
  const accepted = Accepted.safeParse(body);
  if (response.ok && accepted.success) return accepted.data;
  // An error that is no word of Resend's is known by its status alone; a success is not, whatever it says.
  const unread = { ...UNREADABLE, statusCode: response.ok ? null : response.status };
  return { failure: response.ok ? unread : Failure.catch(unread).parse(body), headers: response.headers };
}

/** @throws what kept the mail from being handed over */
function unanswered(error: unknown): Answer {
  if (isDestinationError(error) || isAppError(error)) throw error;
  return { failure: { ...UNREADABLE, message: `no answer: ${faultOf(error)}` }, headers: new Headers() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const Accepted = z.object({ id: z.string().transform(withoutNul).pipe(z.string().min(1)) });

const UNREADABLE = { name: "application_error", message: "the answer could not be read", statusCode: null };

const Failure = z.object({
  name: z.string().max(100).catch(UNREADABLE.name),
  message: z.string().catch(UNREADABLE.message),
  statusCode: z.number().nullable().catch(null),
});
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
function refusal({ name, message, statusCode }: Failure, headers: Headers, clock: Clock) {
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
  const asked = headers.get("retry-after") ?? resetOf(statusCode, headers);
  if (name === RATE_LIMIT) return new DestinationError(told, { retryAfter: secondsOf(asked) });
  // Only by that word has Resend surely not taken it. Without a status there was no answer that could be read, from 500
  // on the fault may lie behind the point of acceptance, and what has no name of Resend's may come from something between.
  return new DestinationError(told, { inDoubt: true, retryAfter: doubtfulSecondsOf(asked) });
}

/** When the limit is lifted, for an answer that is about it; other answers carry the field too. */
function resetOf(statusCode: number | null, headers: Headers): string | null {
  return statusCode === 429 ? headers.get("ratelimit-reset") : null;
}
