import { z } from "zod";
import type { UnitBucket } from "@/core/db/ledger";
import { HOUR, MINUTE, SECOND } from "@/core/time";
import type { PlatformFailure } from "../port";
import { shortList } from "./answers";

/** What is wrong with a call, and what is to be done about it. */
export interface Failure {
  failure: PlatformFailure;
  /** For the operator. */
  detail: string;
  /** Seconds. */
  retryAfter?: number;
  /** The bucket that the platform says is used up. */
  exhausted?: UnitBucket;
  /** Whether the same call may succeed a moment later. */
  mayPass?: boolean;
  /** Whether it concerns every call, until the operator has mended it. */
  concernsAll?: boolean;
}

/** Only so much of a text is looked at. */
const text = (longest: number) =>
  z
    .string()
    .transform((words) => words.slice(0, longest))
    .catch("");
const reasonList = shortList(z.object({ reason: text(100) }).catch({ reason: "" })).catch([]);
const ErrorAnswer = z.object({
  error: z.object({ message: text(1000), errors: reasonList, details: reasonList }),
});

/** Seconds until asking again is worth it where only the operator can help. */
export const UNTIL_MENDED = (5 * MINUTE) / SECOND;
const LONGEST_RETRY_AFTER = HOUR / SECOND;
const LONGEST_QUOTE = 200;

interface Said {
  /** All reasons, with spaces between. */
  reasons: string;
  message: string;
  /** Status, reasons and message, for the operator to read. */
  quote: string;
  bucket: UnitBucket;
  retryAfter: number | undefined;
}

const forbidden = (detail: string): Failure => ({
  failure: "forbidden",
  detail,
  retryAfter: UNTIL_MENDED,
});
const keyRefused = (detail: string): Failure => ({ ...forbidden(detail), concernsAll: true });

interface Meaning {
  reason?: RegExp;
  message?: RegExp;
  means(said: Said): Failure | null;
}

/**
 * What a reason or the message means, the first that fits; codes come last, because an exhausted day may be 403 or
 * 429. Messages are known by how they begin: further on they may quote what a client sent.
 */
const MEANINGS: readonly Meaning[] = [
  { message: /^Quota exceeded .*per (minute|second|\d+ seconds)/, means: rateLimited },
  {
    reason: /quotaExceeded|dailyLimitExceeded/,
    message: /^Quota exceeded .*per day/,
    means: quotaExhausted,
  },
  { reason: /rateLimitExceeded|RATE_LIMIT_EXCEEDED/i, means: rateLimited },
  {
    reason: /keyInvalid|keyExpired|API_KEY_INVALID/,
    message:
      /^(API key (not valid|not found|expired)|The request is missing a valid|Method doesn't allow unreg)/,
    means: ({ quote }) => keyRefused(`YouTube refuses YOUTUBE_API_KEY: set a valid API key (${quote})`),
  },
  {
    reason: /accessNotConfigured|SERVICE_DISABLED/,
    means: ({ quote }) =>
      keyRefused(
        `The YouTube Data API v3 is not enabled for YOUTUBE_API_KEY: enable it in the key's Google Cloud project (${quote})`,
      ),
  },
  {
    reason: /API_KEY_\w+_BLOCKED|ipRefererBlocked/,
    message: /^Requests .*are blocked/,
    means: ({ quote }) =>
      keyRefused(
        `YOUTUBE_API_KEY is restricted: let it be used from this server and for the YouTube Data API v3 (${quote})`,
      ),
  },
  {
    reason: /CONSUMER_\w+/,
    message: /^Permission denied: Consumer/,
    means: ({ quote }) =>
      keyRefused(`YouTube refuses the Google Cloud project of YOUTUBE_API_KEY (${quote})`),
  },
  { reason: /channel(NotFound|Closed|Suspended|Forbidden)/, means: () => null },
];

/**
 * What an answer that is not a success means.
 * @param json its body; null when it is no JSON
 * @param bucket the bucket the call was counted in
 * @returns null when it says that the channel that was asked for does not exist or is closed
 */
export function classify(
  response: Pick<Response, "status" | "headers">,
  json: unknown,
  bucket: UnitBucket,
): Failure | null {
  const said = readError(response, json, bucket);
  const meaning = MEANINGS.find(
    ({ reason, message }) => reason?.test(said.reasons) || message?.test(said.message),
  );
  if (meaning) return meaning.means(said);
  const { status } = response;
  if (status === 429) return rateLimited(said);
  if (status === 401 || status === 403)
    return forbidden(
      `YouTube refuses the calls of YOUTUBE_API_KEY: see its Google Cloud project (${said.quote})`,
    );
  if (status >= 500)
    return { failure: "unavailable", detail: `YouTube is down (${said.quote})`, mayPass: true };
  if (status === 400)
    return { failure: "unavailable", detail: `YouTube finds the call invalid (${said.quote})` };
  return {
    failure: "unavailable",
    detail: `Check YOUTUBE_API_URL: an answer not known of YouTube (${said.quote})`,
  };
}

function quotaExhausted({ message, quote, bucket }: Said): Failure {
  // A message names the bucket, a reason alone means the one that was asked of.
  const [, metric] = /^Quota exceeded for quota metric '([^']*)'/.exec(message) ?? [];
  const named = metric && (/search/i.test(metric) ? "search" : "general");
  return {
    failure: "quota_exhausted",
    detail: `The day's quota of YOUTUBE_API_KEY is used up until midnight in Los Angeles; more is granted on application only (${quote})`,
    exhausted: named || bucket,
  };
}

function rateLimited({ quote, retryAfter }: Said): Failure {
  return {
    failure: "rate_limited",
    detail: `YouTube takes no more calls for a moment (${quote})`,
    ...(retryAfter && { retryAfter }),
  };
}

function readError(
  { status, headers }: Pick<Response, "status" | "headers">,
  json: unknown,
  bucket: UnitBucket,
): Said {
  const parsed = ErrorAnswer.safeParse(json);
  const { message, errors, details } = parsed.data?.error ?? { message: "", errors: [], details: [] };
  const named = [...errors, ...details].map(({ reason }) => reason).filter(Boolean);
  const reasons = [...new Set(named)].join(" ");
  const asked = headers.get("retry-after") ?? "";
  return {
    reasons,
    message: plain(message),
    quote: plain(`${status} ${reasons}: ${message}`).slice(0, LONGEST_QUOTE),
    bucket,
    retryAfter: /^[1-9]\d{0,6}$/.test(asked) ? Math.min(Number(asked), LONGEST_RETRY_AFTER) : undefined,
  };
}

/** What somebody else wrote as one line without markup. */
function plain(words: string): string {
  return words.replace(/<[^>]*>/g, "").replace(/[\p{Cc}\p{Cs}\s]+/gu, " ");
}
