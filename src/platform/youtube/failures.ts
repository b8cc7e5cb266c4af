import { z } from "zod";
import { type Answer, parseJson, parseRetryAfter } from "@/core/http/call";
import { MINUTE, SECOND } from "@/core/time";
import type { PlatformFailure, UnitBucket } from "../port";

/** Why a call failed, and what to do about it. */
export interface Failure {
  failure: PlatformFailure;
  /** For the operator. */
  detail: string;
  /** Seconds. */
  retryAfter?: number;
  /** The bucket whose daily quota is used up. */
  exhausted?: UnitBucket;
  /** The same call may succeed a moment later. */
  mayPass?: boolean;
  /** Every call fails until the operator acts. */
  concernsAll?: boolean;
}

/** Seconds between calls while the operator has to act. */
export const OPERATOR_WAIT = (5 * MINUTE) / SECOND;
const MAX_QUOTE = 200;

const Reasons = z.array(z.object({ reason: z.string().default("") })).default([]);
const ErrorAnswer = z.object({
  error: z.object({ message: z.string().default(""), errors: Reasons, details: Reasons }),
});

/**
 * Explains an answer that is not a success. Reasons and messages come before the status, because YouTube reports a used
 * up quota as 403 or 429. Messages are matched at their start, because further on they may quote a client's words.
 * @param bucket the bucket that the call was counted in
 * @returns null when the requested channel or playlist does not exist or is closed
 */
export function classify(answer: Answer, body: string, bucket: UnitBucket): Failure | null {
  const { status } = answer;
  const error = parseJson(body, ErrorAnswer)?.error;
  const message = toOneLine(error?.message ?? "");
  const reasons = [...new Set([...(error?.errors ?? []), ...(error?.details ?? [])].map(({ reason }) => reason))].join(
    " ",
  );
  const quote = toOneLine(`${status} ${reasons}: ${message}`).slice(0, MAX_QUOTE);

  const isPerMinute = /^Quota exceeded .*per (minute|second|\d+ seconds)/.test(message);
  const isPerDay = /quotaExceeded|dailyLimitExceeded/.test(reasons) || /^Quota exceeded .*per day/.test(message);
  if (isPerDay && !isPerMinute) return toQuotaFailure(message, quote, bucket);
  if (isPerMinute || status === 429 || /rateLimitExceeded/.test(reasons))
    return {
      failure: "rate_limited",
      detail: `YouTube accepts no more calls for a moment (${quote})`,
      retryAfter: parseRetryAfter(answer.headers.get("retry-after")),
    };
  if (/channel(NotFound|Closed|Suspended|Forbidden)|playlist(NotFound|ItemsNotAccessible)/.test(reasons)) return null;
  const concernsAll = /keyInvalid|API_KEY_|accessNotConfigured|SERVICE_DISABLED|ipRefererBlocked|CONSUMER_/.test(
    reasons,
  );
  if (concernsAll || status === 401 || status === 403)
    return {
      failure: "forbidden",
      detail: `YouTube refuses YOUTUBE_API_KEY. Check the key and its Google Cloud project (${quote})`,
      retryAfter: OPERATOR_WAIT,
      concernsAll,
    };
  if (status >= 500) return { failure: "unavailable", detail: `YouTube is down (${quote})`, mayPass: true };
  const problem = error ? "YouTube finds the call invalid" : "Not an answer of YouTube. Check YOUTUBE_API_URL";
  return { failure: "unavailable", detail: `${problem} (${quote})` };
}

function toQuotaFailure(message: string, quote: string, bucket: UnitBucket): Failure {
  // A message names the bucket. A reason alone means the bucket that the call was counted in.
  const [, metric] = /^Quota exceeded for quota metric '([^']*)'/.exec(message) ?? [];
  const named = metric && (/search/i.test(metric) ? "search" : "general");
  return {
    failure: "quota_exhausted",
    detail: `The daily quota of YOUTUBE_API_KEY is used up until midnight Pacific time. Google grants more on application (${quote})`,
    exhausted: named || bucket,
  };
}

/** Text in one line, without markup. */
function toOneLine(text: string): string {
  return text.replace(/<[^>]*>/g, "").replace(/[\p{Cc}\s]+/gu, " ");
}
