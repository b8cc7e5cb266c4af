import type { Env } from "@/core/env";
import type { Asker } from "./ask";
import { type Finding, findings } from "./finding";

/** A channel that has always been there: YouTube's own. */
const KNOWN_CHANNEL = "UCBR8-60-B28hp2BmDPdntcQ";

/** What each reason in an error of the platform asks of the operator; the first that is found counts. */
const REASONS: readonly [RegExp, string][] = [
  [
    /API_KEY_INVALID|keyInvalid|API key not valid|keyExpired|API key expired/,
    "YOUTUBE_API_KEY is not a valid key",
  ],
  [
    /accessNotConfigured|SERVICE_DISABLED/,
    "the YouTube Data API v3 is not enabled in the Google Cloud project of YOUTUBE_API_KEY",
  ],
  [/API_KEY_SERVICE_BLOCKED/, "YOUTUBE_API_KEY is restricted to other APIs: allow the YouTube Data API v3"],
  [
    /API_KEY_(IP_ADDRESS|HTTP_REFERRER)_BLOCKED|ipRefererBlocked/,
    "YOUTUBE_API_KEY is restricted to other addresses: allow those of this service, or all",
  ],
  [
    /quotaExceeded|dailyLimitExceeded/,
    "today's quota of the Google Cloud project is used up; it is renewed at midnight Pacific time",
  ],
];

/** Whether the video platform answers to our key. Costs one unit of the day's quota. */
export async function checkPlatform({ platform }: Env, { ask }: Asker): Promise<Finding> {
  if (platform.kind === "sample")
    return findings("video platform", "sample platform").ok("invents its creators");
  const { ok, wrong } = findings("video platform", "YouTube");
  const reply = await ask(`${platform.url}/channels?part=id&fields=items(id)&id=${KNOWN_CHANNEL}`, {
    headers: { "X-Goog-Api-Key": platform.apiKey },
  });
  if ("fault" in reply) return wrong(`the address of YOUTUBE_API_URL cannot be reached (${reply.fault})`);
  const { status, text } = reply;
  if (status === 200 && /^\s*\{/.test(text)) return ok("answers; one unit of quota was spent");
  const [, advice] = REASONS.find(([reason]) => reason.test(text)) ?? [];
  if (advice) return wrong(advice);
  if (status >= 500) return wrong(`YouTube cannot answer right now (HTTP ${status}); try again later`);
  return wrong(`YOUTUBE_API_URL does not answer as the YouTube Data API (HTTP ${status})`);
}
