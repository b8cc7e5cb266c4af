import { createHash } from "node:crypto";
import type { Env } from "@/core/env";
import { type Check, type CheckResult, createFault, createOk } from "@/core/http/check";

/** Runs a script that does nothing: counting needs scripts. */
export function createQuotaCheck({ quota }: Env): Check | CheckResult {
  if (quota.kind === "postgres") return { what: "counter in PostgreSQL", ...createOk("needs no setup") };
  const [variable, token] = ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"];
  return {
    what: "Upstash Redis",
    variable,
    url: quota.url,
    token: quota.token,
    body: '["EVAL","return 1","0"]',
    rules: [
      [/^200 .*"result":\s*1\b/s, createOk("counts requests")],
      [/NOPERM/, createFault(`${token} is the read-only token: use the standard token`)],
      [/^40[13] /, createFault(`${token} is not the token of the database at ${variable}`)],
      [/max requests limit/i, createFault("the requests of the Upstash plan are used up")],
    ],
  };
}

/** Checks both keys without sending an event: the list of events is empty. */
export function createJobChecks({ jobs }: Env): (Check | CheckResult)[] {
  if (jobs.kind === "embedded") return [{ what: "embedded engine", ...createOk("runs inside the service") }];
  if (jobs.kind === "inngest-dev") {
    const stopped = createFault("does not run at the address of INNGEST_DEV: run `npx inngest-cli@latest dev`");
    const url = `${jobs.baseUrl ?? "http://localhost:8288"}/dev`;
    const rules: Check["rules"] = [
      [/^200 /, createOk("runs")],
      [/^/, stopped],
    ];
    return [{ what: "Inngest dev server", variable: "INNGEST_DEV", url, rules }];
  }
  const events = `${jobs.baseUrl ?? "https://inn.gs"}/e/${encodeURIComponent(jobs.eventKey)}`;
  const api = `${jobs.baseUrl ?? "https://api.inngest.com"}/v1/events?limit=1`;
  const variable = "INNGEST_BASE_URL";
  return [
    {
      what: "Inngest events",
      variable,
      url: events,
      body: "[]",
      rules: [
        [/^40[13] |event key not found/i, createFault("INNGEST_EVENT_KEY is not a key of this environment")],
        [/^(200|400) /, createOk("the event key is valid")],
      ],
    },
    {
      what: "Inngest API",
      variable,
      url: api,
      token: hashKey(jobs.signingKey),
      rules: [
        [/^200 /, createOk("the signing key is valid")],
        [/^40[13] /, createFault("INNGEST_SIGNING_KEY is not the key of this environment")],
      ],
    },
  ];
}

/** Inngest expects a signing key in hashed form. */
function hashKey(key: string): string {
  const [prefix = ""] = /^signkey-\w+-/.exec(key) ?? [];
  return prefix + createHash("sha256").update(key.slice(prefix.length), "hex").digest("hex");
}

/** YouTube's own channel, which is always there. */
const KNOWN_CHANNEL = "UCBR8-60-B28hp2BmDPdntcQ";

/** Reads one channel, for one quota unit. */
export function createPlatformCheck({ platform }: Env): Check | CheckResult {
  if (platform.kind === "sample") return { what: "sample platform", ...createOk("simulates its creators") };
  const key = "YOUTUBE_API_KEY";
  return {
    what: "YouTube",
    variable: "YOUTUBE_API_URL",
    url: `${platform.url}/channels?part=id&fields=items(id)&id=${KNOWN_CHANNEL}`,
    headers: { "X-Goog-Api-Key": platform.apiKey },
    rules: [
      [/^200 \s*\{/, createOk("answers; this check used one quota unit")],
      [/API_KEY_INVALID|keyInvalid|key not valid|keyExpired|key expired/, createFault(`${key} is not a valid key`)],
      [/accessNotConfigured|SERVICE_DISABLED/, createFault(`enable the YouTube Data API v3 in the project of ${key}`)],
      [/API_KEY_SERVICE_BLOCKED/, createFault(`${key} is restricted to other APIs: allow the YouTube Data API v3`)],
      [/_(ADDRESS|REFERRER)_BLOCKED|ipRefererBlocked/, createFault(`${key} is restricted to other addresses`)],
      [/(quota|dailyLimit)Exceeded/, createFault(`today's quota of the project of ${key} is used up`)],
    ],
  };
}
