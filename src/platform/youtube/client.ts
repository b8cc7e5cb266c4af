import { z } from "zod";
import type { Ledger, UnitBucket } from "@/core/db/ledger";
import { errorMessage } from "@/core/errors";
import { type Answer, call, parseJson } from "@/core/http/call";
import type { Log } from "@/core/log/log";
import { type Clock, SECOND, sleep } from "@/core/time";
import { PlatformError, type PlatformUse } from "../port";
import { classify, type Failure, UNTIL_MENDED } from "./failures";

export interface YoutubeOptions {
  apiKey: string;
  /** Address of the API, without a slash at the end. */
  url: string;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  /** Milliseconds within which an answer must have come whole. */
  timeout?: number;
  /** How the time between two tries passes, and which part of it: from 0 up to 1. */
  sleep?: (milliseconds: number) => Promise<void>;
  random?: () => number;
}

/** One call of the API. */
export interface Question<T> {
  path: "channels" | "search";
  params: Record<string, string>;
  answer: z.ZodType<T>;
  bucket: UnitBucket;
  use: PlatformUse;
  /** Bucket of the call without which its answer is of no use: it is not asked when that has nothing left. */
  needs?: UnitBucket;
}

export interface YoutubeClient {
  /** Asks the API; null when it says that the channel asked for does not exist. @throws PlatformError */
  ask<T>(question: Question<T>): Promise<T | null>;
  /** Logs what is wrong, for the operator. @returns the error to throw */
  fail(path: string, failure: Failure): PlatformError;
  readonly log: Log;
}

const TIMEOUT = 8 * SECOND;
/** Fifty channels have some 30 kB. */
const MAX_BODY_BYTES = 1024 * 1024;
const TRIES = 3;
/** Mean wait before the second try is half of it, and twice as long before the third. */
const FIRST_WAIT = SECOND;

/**
 * A client of the API. Each try costs a unit of the ledger. A call that gets no whole answer, or a 5xx, is tried at
 * most three times with full jitter between; whatever else is wrong would be wrong again.
 */
export function createClient(options: YoutubeOptions): YoutubeClient {
  const { ledger, clock, log, random = Math.random } = options;
  const pause = options.sleep ?? sleep;
  let refusal: { failure: Failure; until: number } | null = null;

  function fail(path: string, { failure, detail, retryAfter }: Failure): PlatformError {
    // Once more: markup that was cut out of it could have hidden the key.
    const said = { path, failure, detail: detail.replaceAll(options.apiKey, "***"), retryAfter };
    log.warn(said, "YouTube did not answer as it should");
    return new PlatformError(said.failure, said.detail, said.retryAfter);
  }

  /** While YouTube refuses our key, asking it again would only use up the ledger. */
  function stopWhileRefused(path: string): void {
    const wait = refusal ? refusal.until - clock.now().getTime() : 0;
    if (refusal && wait > 0) throw fail(path, { ...refusal.failure, retryAfter: Math.ceil(wait / SECOND) });
  }

  async function spend({ path, bucket, use, needs }: Question<unknown>): Promise<void> {
    const isSpare = use === "spare";
    const lacking = needs ? await ledger.refusal(needs, isSpare) : null;
    const refused = lacking ?? (await ledger.spend(bucket, isSpare));
    if (!refused) return;
    const what = bucket === "search" && !lacking ? "searches" : "units";
    const detail =
      refused.reason === "spent"
        ? `the day's ${what} of YouTube's quota are used up`
        : `what is left of the day's ${what} of YouTube's quota is kept for the daily run`;
    throw fail(path, { failure: "quota_exhausted", detail, retryAfter: refused.retryAfter });
  }

  async function ask<T>(question: Question<T>): Promise<T | null> {
    for (let tries = 1; ; tries++) {
      stopWhileRefused(question.path);
      await spend(question);
      const outcome = await askOnce(options, question);
      if ("answer" in outcome) return outcome.answer;
      if (outcome.exhausted) outcome.retryAfter = await ledger.markExhausted(outcome.exhausted);
      if (outcome.concernsAll)
        refusal = { failure: outcome, until: clock.now().getTime() + UNTIL_MENDED * SECOND };
      if (!outcome.mayPass || tries === TRIES) throw fail(question.path, outcome);
      await pause(random() * FIRST_WAIT * 2 ** (tries - 1));
    }
  }

  return { ask, fail, log };
}

async function askOnce<T>(
  { apiKey, url, timeout = TIMEOUT }: YoutubeOptions,
  { path, params, answer, bucket }: Question<T>,
): Promise<{ answer: T | null } | Failure> {
  const unavailable = (detail: string): Failure => ({ failure: "unavailable", detail });
  let response: Answer;
  let body: string;
  try {
    response = await call(`${url}/${path}?${new URLSearchParams(params)}`, {
      // YouTube zips its answers only when the user agent says gzip too.
      headers: { "X-Goog-Api-Key": apiKey, "User-Agent": "creator-growth (gzip)" },
      timeoutMs: timeout,
      maxBytes: MAX_BODY_BYTES,
      secrets: [apiKey],
    });
    body = await response.text();
  } catch (error) {
    return { ...unavailable(noAnswer(error, timeout)), mayPass: true };
  }
  if (!response.ok) return classify(response, parseJson(body, z.unknown()), bucket) ?? { answer: null };
  const parsed = parseJson(body, answer);
  if (parsed !== null) return { answer: parsed };
  return unavailable("what answers is not the YouTube Data API: check YOUTUBE_API_URL");
}

function noAnswer(error: unknown, timeout: number): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `YouTube gave no whole answer within ${timeout} ms`;
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return `YouTube gave no whole answer: ${errorMessage(cause)}`;
}
