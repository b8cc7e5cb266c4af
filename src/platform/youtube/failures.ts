import { z } from "zod";
import type { UnitBucket } from "@/core/ledger";
import { HOUR, MINUTE, SECOND } from "@/core/time";
import type { PlatformFailure } from "../port";

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
}

const text = z.string().catch("");
const reasons = z.array(z.object({ reason: text }).catch({ reason: "" })).catch([]);
const ErrorAnswer = z.object({
  error: z.object({ message: text, status: text, errors: reasons, details: reasons }),
});

/** Seconds until asking again is worth it where only the operator can help. */
export const UNTIL_MENDED = (5 * MINUTE) / SECOND;
const LONGEST_RETRY_AFTER = HOUR / SECOND;
const LONGEST_QUOTE = 200;

interface Said {
  words: string;
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

/** What reasons and messages mean, the first that fits. Codes come last: an exhausted day may be 403 or 429. */
const MEANINGS: readonly (readonly [RegExp, (said: Said) => Failure | null])[] = [
  [/per (minute|second|\d+ seconds)/i, rateLimited],
  [/quotaExceeded|dailyLimitExceeded|per day/i, quotaExhausted],
  [/rateLimitExceeded|RATE_LIMIT_EXCEEDED/i, rateLimited],
  [
    /keyInvalid|keyExpired|API_KEY_INVALID|API key (not valid|not found|expired)|valid API key|unregistered callers/i,
    ({ quote }) => forbidden(`YouTube refuses YOUTUBE_API_KEY: set a valid API key (${quote})`),
  ],
  [
    /accessNotConfigured|SERVICE_DISABLED/i,
    ({ quote }) =>
      forbidden(
        `The YouTube Data API v3 is not enabled for YOUTUBE_API_KEY: enable it in the key's Google Cloud project (${quote})`,
      ),
  ],
  [
    /API_KEY_\w+_BLOCKED|ipRefererBlocked|\bare blocked\b/i,
    ({ quote }) =>
      forbidden(
        `YOUTUBE_API_KEY is restricted: let it be used from this server and for the YouTube Data API v3 (${quote})`,
      ),
  ],
  [/(channel|playlist|video)NotFound/, () => null],
];

/**
 * What an answer that is not a success means.
 * @param json its body; null when it is no JSON
 * @param bucket the bucket the call was counted in
 * @returns null when it says that what was asked for does not exist
 */
export function classify(response: Response, json: unknown, bucket: UnitBucket): Failure | null {
  const said = readError(response, json, bucket);
  const [, meaning] = MEANINGS.find(([words]) => words.test(said.words)) ?? [];
  if (meaning) return meaning(said);
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

function quotaExhausted({ words, quote, bucket }: Said): Failure {
  // A message names the bucket, a reason alone means the one that was asked of.
  const [, metric] = /metric '([^']*)'/.exec(words) ?? [];
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

function readError({ status, headers }: Response, json: unknown, bucket: UnitBucket): Said {
  const parsed = ErrorAnswer.safeParse(json);
  const { message, errors, details, ...error } = parsed.data?.error ?? {
    message: "",
    errors: [],
    details: [],
    status: "",
  };
  const named = [...new Set([...errors, ...details].map(({ reason }) => reason).filter(Boolean))];
  const words = [...named, error.status, message].join(" ");
  const asked = headers.get("retry-after") ?? "";
  return {
    words,
    quote: plain(`${[status, ...named].join(" ")}${message && `: ${message}`}`),
    bucket,
    retryAfter: /^[1-9]\d{0,6}$/.test(asked) ? Math.min(Number(asked), LONGEST_RETRY_AFTER) : undefined,
  };
}

/** What somebody else wrote as one short line without markup. */
function plain(words: string): string {
  return words
    .replace(/<[^>]*>/g, "")
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .slice(0, LONGEST_QUOTE);
}
