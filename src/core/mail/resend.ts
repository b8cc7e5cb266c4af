import { z } from "zod";
import { parseRetryAfter, redact } from "@/core/http/call";
import { DestinationError } from "@/core/mail/destination";
import type { Mailer } from "@/core/mail/email";
import { type Clock, getSecondsToMidnight, HOUR, SECOND } from "@/core/time";

const OPERATOR_WAIT = HOUR / SECOND;

/** Sends mails by Resend. A mail that takes longer than `timeoutMs` may have been accepted. */
export function createResendMailer(
  { apiKey, from, url }: { apiKey: string; from: string; url: string },
  clock: Clock,
  timeoutMs = 20 * SECOND,
): Mailer {
  return {
    name: "resend",
    from,
    async send({ tags, idempotencyKey, ...mail }) {
      // Loaded with the first mail; the constructor throws without a key.
      const { Resend } = await import("resend");
      const { emails } = new Resend(apiKey, { baseUrl: url });
      const payload = { from, ...mail, tags: Object.entries(tags).map(([name, value]) => ({ name, value })) };
      // The package passes its options to fetch. A followed redirect would repeat the mail as a GET.
      const options = { idempotencyKey, signal: AbortSignal.timeout(timeoutMs), redirect: "manual" };
      const { data, error, headers } = await emails.send(payload, options);
      const accepted = Accepted.safeParse(data);
      if (accepted.success) return accepted.data.id;
      const failure = Failure.catch(UNREADABLE).parse(error);
      const message = redact(failure.message, [apiKey]);
      throw toDestinationError({ ...failure, message }, new Headers(headers ?? {}), clock);
    },
  };
}

const Accepted = z.object({ id: z.string().min(1) });
const UNREADABLE = { name: "application_error", message: "unreadable answer", statusCode: null };
const Failure = z.object({ name: z.string(), message: z.string(), statusCode: z.number().nullable() });
type Failure = z.output<typeof Failure>;

const SENDER_ADVICE = "Verify the domain of ALERT_EMAIL_FROM at Resend";
const URL_ADVICE = "Set RESEND_BASE_URL to the address of Resend's API, or leave it empty";
const QUOTA_ADVICE = "The Resend quota is used up. Mails wait until the next UTC day. Raise the quota to send now";

const OPERATOR_ADVICE = new Map([
  [401, "Set RESEND_API_KEY to a key that can send mails"],
  [403, `Set RESEND_API_KEY to a key that can send mails. ${SENDER_ADVICE}`],
  [404, URL_ADVICE],
  [405, URL_ADVICE],
  [451, "Ask Resend support why it refuses the mails"],
]);

function toDestinationError({ name, message, statusCode }: Failure, headers: Headers, clock: Clock): DestinationError {
  const text = `${name}${statusCode === null ? "" : ` (${statusCode})`}: ${message}`;
  const retryAfter = parseRetryAfter(headers.get("retry-after"));
  const reset = parseRetryAfter(headers.get("ratelimit-reset"));
  if (name === "daily_quota_exceeded" || name === "monthly_quota_exceeded")
    return new DestinationError(text, { retryAfter: getSecondsToMidnight(clock.now()), advice: QUOTA_ADVICE });
  if (name === "rate_limit_exceeded") return new DestinationError(text, { retryAfter: retryAfter ?? reset });
  // Resend still works on an earlier try with the same idempotency key.
  if (name === "concurrent_idempotent_requests")
    return new DestinationError(text, { isOutcomeUnknown: true, retryAfter: 5 });
  // No answer, a 5xx, or an answer that Resend does not document: the mail may have been accepted.
  if (name === UNREADABLE.name || statusCode === null || statusCode >= 500)
    return new DestinationError(text, { isOutcomeUnknown: true, retryAfter });
  const advice = name === "invalid_from_address" ? SENDER_ADVICE : OPERATOR_ADVICE.get(statusCode);
  return new DestinationError(text, advice ? { retryAfter: OPERATOR_WAIT, advice } : { final: true });
}
