import type { z } from "zod";
import { formatTime } from "@/core/format";
import { call, describeFault, parseJson } from "@/core/http/call";
import type { Log } from "@/core/log/log";
import { type Clock, SECOND, sleep } from "@/core/time";
import { PlatformError, type PlatformFailure, type PlatformUse, type UnitBucket, type UnitLedger } from "../port";
import { parseItems } from "./answers";
import { classify, type Failure, OPERATOR_WAIT } from "./failures";

export interface YoutubeOptions {
  apiKey: string;
  /** Address of the API, without a slash at the end. */
  url: string;
  ledger: UnitLedger;
  clock: Clock;
  log: Log;
  /** Milliseconds for one call. */
  timeout?: number;
  /** How to wait between two tries, and a random number from 0 up to 1. */
  sleep?: (milliseconds: number) => Promise<void>;
  random?: () => number;
}

export interface RequestSpec<T> {
  path: "channels" | "search" | "playlistItems" | "videos";
  params: Record<string, string>;
  answer: z.ZodType<T>;
  bucket: UnitBucket;
  use: PlatformUse;
  /** The bucket of the follow-up call. Nothing is requested when that bucket is empty. */
  needs?: UnitBucket;
  /** How often the call is tried; three times by default. */
  tries?: number;
}

export type YoutubeClient = ReturnType<typeof createClient>;

/** The most items in one answer. */
export const PAGE = "50";
const TIMEOUT = 8 * SECOND;
/** Fifty channels take some 30 kB. */
const MAX_BODY_BYTES = 1024 * 1024;
const TRIES = 3;
/** Longest wait before the second try. It doubles for the third. */
const FIRST_WAIT = SECOND;

/**
 * A client of the API. Each try costs one unit of the ledger. A call without a whole answer, or with a 5xx, is tried at
 * most three times, unless it says otherwise, with full jitter.
 */
export function createClient(options: YoutubeOptions) {
  const { ledger, clock, log, random = Math.random } = options;
  const pause = options.sleep ?? sleep;
  let refusal: { failure: Failure; until: number } | null = null;

  /** Logs a failure. @returns the error to throw */
  function toError(path: string, { failure, detail, retryAfter }: Failure): PlatformError {
    log.warn({ path, failure, detail, retryAfter }, "a YouTube call failed");
    return new PlatformError(failure, detail, retryAfter, formatMessage(failure, retryAfter, clock));
  }

  /** Stops calls while YouTube refuses the key, because they would use up the ledger. */
  function stopWhileRefused(path: string): void {
    const wait = refusal ? refusal.until - clock.now().getTime() : 0;
    if (refusal && wait > 0) throw toError(path, { ...refusal.failure, retryAfter: Math.ceil(wait / SECOND) });
  }

  async function spend({ path, bucket, use, needs }: RequestSpec<unknown>): Promise<void> {
    const lacking = needs ? await ledger.findRefusal(needs, "spare") : null;
    const refused = lacking ?? (await ledger.spend(bucket, use));
    if (!refused) return;
    const units = bucket === "search" && !lacking ? "searches" : "units";
    const details = {
      spent: `the daily YouTube ${units} are used up`,
      reserved: `the remaining YouTube ${units} are reserved for the daily run`,
      share: `the share of the daily YouTube ${units} for videos is used up`,
    };
    const detail = details[refused.reason];
    throw toError(path, { failure: "quota_exhausted", detail, retryAfter: refused.retryAfter });
  }

  /** Calls the API. @returns null when the requested channel does not exist @throws PlatformError */
  async function request<T>(spec: RequestSpec<T>): Promise<T | null> {
    const { tries: maxTries = TRIES } = spec;
    for (let tries = 1; ; tries++) {
      stopWhileRefused(spec.path);
      await spend(spec);
      const outcome = await requestOnce(options, spec);
      if ("answer" in outcome) return outcome.answer;
      if (outcome.exhausted) outcome.retryAfter = await ledger.markExhausted(outcome.exhausted);
      if (outcome.concernsAll) refusal = { failure: outcome, until: clock.now().getTime() + OPERATOR_WAIT * SECOND };
      if (!outcome.mayPass || tries === maxTries) throw toError(spec.path, outcome);
      await pause(random() * FIRST_WAIT * 2 ** (tries - 1));
    }
  }

  /** Parses the items of a page, and logs those that are not as documented. */
  function readItems<T>(path: string, items: readonly unknown[], schema: z.ZodType<T>) {
    const { parsed, odd } = parseItems(items, schema);
    for (const item of odd) log.warn({ path, ...item }, "an item of a YouTube answer could not be read");
    return { parsed, odd };
  }

  return { request, readItems, toError };
}

/** What a client may know of a failure, if it is more than that the platform is unavailable. */
function formatMessage(failure: PlatformFailure, retryAfter: number | undefined, clock: Clock): string | undefined {
  if (failure !== "quota_exhausted" || retryAfter === undefined) return undefined;
  const until = formatTime(clock.now().getTime() + retryAfter * SECOND);
  return `YouTube's daily quota is used up. Try again after ${until}.`;
}

async function requestOnce<T>(
  { apiKey, url, timeout = TIMEOUT }: YoutubeOptions,
  { path, params, answer, bucket }: RequestSpec<T>,
): Promise<{ answer: T | null } | Failure> {
  try {
    const response = await call(`${url}/${path}?${new URLSearchParams(params)}`, {
      // YouTube compresses its answers only when the user agent says gzip too.
      headers: { "X-Goog-Api-Key": apiKey, "User-Agent": "creator-growth (gzip)" },
      timeoutMs: timeout,
      maxBytes: MAX_BODY_BYTES,
      secrets: [apiKey],
    });
    const body = await response.text();
    if (!response.ok) return classify(response, body, bucket) ?? { answer: null };
    const parsed = parseJson(body, answer);
    if (parsed !== null) return { answer: parsed };
    return { failure: "unavailable", detail: "Not an answer of the YouTube Data API v3. Check YOUTUBE_API_URL" };
  } catch (error) {
    return { failure: "unavailable", detail: `YouTube did not answer: ${describeFault(error)}`, mayPass: true };
  }
}
