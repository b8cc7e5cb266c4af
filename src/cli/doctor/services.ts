import { createHash } from "node:crypto";
import { z } from "zod";
import type { Env } from "@/core/env";
import { parseJson } from "@/core/http/call";
import { type Check, createFault, createNote, createOk, type Result } from "./check";

/** Runs a script that does nothing: counting needs scripts. */
export function createQuotaCheck({ quota }: Env): Check | Result {
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
export function createJobChecks({ jobs }: Env): (Check | Result)[] {
  if (jobs.kind === "embedded") return [{ what: "embedded engine", ...createOk("runs inside the service") }];
  if (jobs.kind === "inngest-dev") {
    const stopped = createFault(
      "does not run at the address of INNGEST_DEV: run `npx inngest-cli@latest dev`",
    );
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
      ...{ what: "Inngest events", variable, url: events },
      body: "[]",
      rules: [
        [/^40[13] |event key not found/i, createFault("INNGEST_EVENT_KEY is not a key of this environment")],
        [/^(200|400) /, createOk("the event key is valid")],
      ],
    },
    {
      ...{ what: "Inngest API", variable, url: api },
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
export function createPlatformCheck({ platform }: Env): Check | Result {
  if (platform.kind === "sample") return { what: "sample platform", ...createOk("simulates its creators") };
  const key = "YOUTUBE_API_KEY";
  return {
    what: "YouTube",
    variable: "YOUTUBE_API_URL",
    url: `${platform.url}/channels?part=id&fields=items(id)&id=${KNOWN_CHANNEL}`,
    headers: { "X-Goog-Api-Key": platform.apiKey },
    rules: [
      [/^200 \s*\{/, createOk("answers; this check used one quota unit")],
      [
        /API_KEY_INVALID|keyInvalid|key not valid|keyExpired|key expired/,
        createFault(`${key} is not a valid key`),
      ],
      [
        /accessNotConfigured|SERVICE_DISABLED/,
        createFault(`enable the YouTube Data API v3 in the project of ${key}`),
      ],
      [
        /API_KEY_SERVICE_BLOCKED/,
        createFault(`${key} is restricted to other APIs: allow the YouTube Data API v3`),
      ],
      [
        /_(ADDRESS|REFERRER)_BLOCKED|ipRefererBlocked/,
        createFault(`${key} is restricted to other addresses`),
      ],
      [/(quota|dailyLimit)Exceeded/, createFault(`today's quota of the project of ${key} is used up`)],
    ],
  };
}

/** Checks the API key and the sender's domain without sending an email. */
export function createEmailChecks({ email }: Env): (Check | Result)[] {
  if (email.kind === "log") return [{ what: "log", ...createOk("a preview deployment sends no email") }];
  if (email.kind === "outbox") return [{ what: "outbox", ...createOk("files in DATA_DIR/outbox") }];
  const unset = createNote(
    "RESEND_WEBHOOK_SECRET is not set: the service does not learn of bounces and complaints",
  );
  return [
    {
      what: "Resend",
      variable: "RESEND_BASE_URL",
      url: `${email.url}/domains`,
      token: email.apiKey,
      rules: [
        [
          /restricted_api_key/,
          createNote("RESEND_API_KEY may only send: the sender's domain was not checked"),
        ],
        [/^40[013] /, createFault("RESEND_API_KEY is not a valid key")],
        [/^200 /, (body) => classifySender(email.from, body)],
      ],
    },
    ...(email.webhookSecret ? [] : [{ what: "Resend webhook", ...unset }]),
  ];
}

const Domains = z.object({ data: z.array(z.object({ name: z.string(), status: z.string() })) });

function classifySender(from: string, body: string) {
  const domain = from.replace(/>$/, "").split("@").at(-1)?.toLowerCase();
  const domains = parseJson(body, Domains)?.data;
  if (!domains) return null;
  const sender = "the domain of ALERT_EMAIL_FROM";
  if (domain === "resend.dev")
    return createNote(`${sender} is Resend's own: it sends to the account owner only`);
  const known = domains.find(({ name }) => name.toLowerCase() === domain);
  if (!known) return createFault(`${sender} is not in the Resend account: add it there`);
  if (known.status === "verified") return createOk("the key is valid and the sender's domain is verified");
  return createFault(`${sender} is not verified: set the DNS records that Resend shows`);
}

/** Posts an empty message, which a webhook refuses and never shows. */
export function createMonitoringCheck({ monitoring }: Env): Check | Result {
  if (monitoring.kind === "log") return { what: "log", ...createOk("one log line per alert") };
  const variable = "MONITORING_WEBHOOK_URL";
  return {
    what: "webhook",
    variable,
    url: monitoring.url,
    body: "{}",
    rules: [
      [/^(401|403|404|410) /, createFault(`the webhook of ${variable} does not exist: create a new one`)],
      [/^(400 |200 (?!\s*<))/, createOk("the webhook is valid; nothing was posted")],
    ],
  };
}
