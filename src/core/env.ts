import { isIP } from "node:net";
import path from "node:path";
import { z } from "zod";
import { OperatorError } from "@/core/errors";
import { LOG_LEVELS } from "@/core/log";

function digits(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const YOUTUBE_API = "https://www.googleapis.com/youtube/v3";
/** What a project of Google Cloud may ask of YouTube each day unless it was granted more: searches, and all other calls. */
const YOUTUBE_QUOTA = { search: 100, general: 10_000 };
const RESEND_API = "https://api.resend.com";

const httpUrl = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be an http or https address, such as ${example}` });

/** A word that goes into a header: without white space, as a pasted one often has it. */
const secret = z.string().regex(/^[\x21-\x7e]+$/, "must be the bare secret, without spaces");

/** `growth@example.com` or `Creator Growth <growth@example.com>`. */
const SENDER_FORM =
  /^(?:[^<>"\r\n,;:\\@]{1,100} <[^\s<>@]+@[^\s<>@.]+\.[^\s<>@]+>|[^\s<>@]+@[^\s<>@.]+\.[^\s<>@]+)$/;

/** Project number and day of the platform's acceptance: `123456789012 2026-07-01`. */
const AMENDMENT_FORM = /^(\d{6,20}) (\d{4}-\d{2}-\d{2})$/;

const Variables = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  VERCEL: z.string().optional(),
  /** Set by Vercel: production, preview or development. */
  VERCEL_ENV: z.string().optional(),
  PORT: digits(1, 65_535).default(3000),
  APP_URL: httpUrl("https://growth.example")
    .refine((url) => !/[?#]/.test(url), "must not have a query or a fragment")
    .optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// connection string" })
    .optional(),
  /** Past the pooler that DATABASE_URL may name, for migrations. */
  DIRECT_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// connection string" })
    .optional(),
  /** Set by the launcher for the pages and handlers of the same process; not for operators. */
  EMBEDDED_DATABASE_URL: z.string().optional(),
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  UPSTASH_REDIS_REST_URL: httpUrl("https://eu1-name-12345.upstash.io").optional(),
  UPSTASH_REDIS_REST_TOKEN: secret.optional(),
  INNGEST_EVENT_KEY: secret.optional(),
  INNGEST_SIGNING_KEY: z
    .string()
    .regex(/^signkey-[\w]+-(?:[0-9a-f]{2})+$/, "must be a key of the form signkey-<environment>-<hex digits>")
    .optional(),
  INNGEST_BASE_URL: httpUrl("https://inngest.example:8288").optional(),
  INNGEST_DEV: z
    .string()
    .regex(/^(0|1|https?:\/\/\S+)$/, "must be 1, 0 or the dev server's address")
    .optional(),
  YOUTUBE_API_KEY: secret.optional(),
  YOUTUBE_API_URL: httpUrl("https://www.googleapis.com/youtube/v3").optional(),
  YOUTUBE_DAILY_UNITS: digits(1, 100_000_000).optional(),
  YOUTUBE_DAILY_SEARCHES: digits(1, 1_000_000).optional(),
  YOUTUBE_AMENDMENT: z
    .string()
    .regex(
      AMENDMENT_FORM,
      "must be your project number and the day of acceptance, such as 123456789012 2026-07-01",
    )
    .optional(),
  RESEND_API_KEY: secret.optional(),
  ALERT_EMAIL_FROM: z
    .string()
    .regex(SENDER_FORM, "must be an address, such as Creator Growth <growth@example.com>")
    .optional(),
  RESEND_BASE_URL: httpUrl("https://api.resend.com").optional(),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=]+$/, "must be the signing secret of the webhook, beginning with whsec_")
    .optional(),
  MONITORING_WEBHOOK_URL: httpUrl("https://hooks.slack.com/services/…").optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .refine(
      (list) => list.every(isAddressRange),
      "must be addresses or ranges, such as 10.0.0.0/8, 192.0.2.7",
    )
    .optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  CREATORS_PER_STEP: digits(1, 50).default(1),
  SNAPSHOT_RETENTION_DAYS: digits(2, 1096).default(30),
  ALERT_RETENTION_DAYS: digits(1, 3650).optional(),
  OPERATOR_CONTACT: z.string().max(200).default("the operator of this service"),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
});

type Given = z.output<typeof Variables>;

export interface Env {
  mode: "development" | "production" | "test";
  /** Whether the process may vanish between two requests, so that nothing may be kept in memory or on disk. */
  serverless: boolean;
  /** A deployment for trying things out, which must not mail real addresses. */
  preview: boolean;
  port: number;
  /** Where readers reach the service, without a slash at the end. */
  appUrl: string;
  /** Absolute folder of everything the service keeps on this machine. */
  dataDir: string;
  database:
    | { kind: "embedded"; url: string | undefined }
    | { kind: "hosted"; url: string; directUrl: string };
  quota: { kind: "postgres" } | { kind: "upstash"; url: string; token: string };
  jobs:
    | { kind: "embedded" }
    | { kind: "inngest"; eventKey: string; signingKey: string; baseUrl: string | null }
    /** The dev server, at its usual address unless one is given. */
    | { kind: "inngest-dev"; baseUrl: string | null };
  platform:
    | { kind: "sample" }
    /** With what the project's quota allows each day. */
    | { kind: "youtube"; apiKey: string; url: string; limits: { search: number; general: number } };
  /** The acceptance that counts may be kept for longer and own numbers be derived; null without one. */
  amendment: { project: string; acceptedOn: string } | null;
  email:
    | { kind: "outbox" }
    | { kind: "resend"; apiKey: string; from: string; url: string; webhookSecret: string | null };
  monitoring: { kind: "log" } | { kind: "webhook"; url: string };
  /** Addresses and ranges of proxies whose forwarded addresses are believed. */
  trustedProxies: readonly string[];
  /** What a collector of metrics shows; null: there are none to be had. */
  metricsToken: string | null;
  /** Signs links in mails and seals the console's sessions. Null: one is made and kept in the data folder. */
  sessionSecret: string | null;
  creatorsPerStep: number;
  snapshotRetentionDays: number;
  /** Null keeps alerts for as long as their key. */
  alertRetentionDays: number | null;
  operatorContact: string;
  logLevel: (typeof LOG_LEVELS)[number];
}

/**
 * Reads the environment once and decides which parts the service is made of. An empty variable counts as unset.
 * @throws OperatorError that names the variable and what it accepts, never its value.
 */
export function readEnv(variables: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const parsed = Variables.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new OperatorError(problems.join("; "));
  }
  const env = parsed.data;
  const problems = [...halfSet(env), ...forbidden(env), ...missingOnServerless(env)];
  if (problems.length > 0) throw new OperatorError(problems.join("; "));
  return {
    mode: env.NODE_ENV,
    serverless: env.VERCEL !== undefined,
    preview: env.VERCEL_ENV === "preview",
    port: env.PORT,
    appUrl: (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
    dataDir: path.resolve(env.DATA_DIR),
    database: env.DATABASE_URL
      ? { kind: "hosted", url: env.DATABASE_URL, directUrl: env.DIRECT_DATABASE_URL ?? env.DATABASE_URL }
      : { kind: "embedded", url: env.EMBEDDED_DATABASE_URL },
    quota: quotaOf(env),
    jobs: jobsOf(env),
    platform: platformOf(env),
    amendment: amendmentOf(env),
    email: emailOf(env),
    monitoring: env.MONITORING_WEBHOOK_URL
      ? { kind: "webhook", url: env.MONITORING_WEBHOOK_URL }
      : { kind: "log" },
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    metricsToken: env.METRICS_TOKEN ?? null,
    sessionSecret: env.SESSION_SECRET ?? null,
    creatorsPerStep: env.CREATORS_PER_STEP,
    snapshotRetentionDays: env.SNAPSHOT_RETENTION_DAYS,
    alertRetentionDays: env.ALERT_RETENTION_DAYS ?? null,
    operatorContact: env.OPERATOR_CONTACT,
    logLevel: env.LOG_LEVEL,
  };
}

/** Each variable that does nothing without others. */
const NEEDS: readonly (readonly [name: keyof Given, needs: keyof Given, why: string])[] = [
  ["DATABASE_URL", "SESSION_SECRET", "all instances sign with the same secret"],
  ["DIRECT_DATABASE_URL", "DATABASE_URL", "it leads to the same database"],
  ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN", "Redis is reached by both"],
  ["UPSTASH_REDIS_REST_TOKEN", "UPSTASH_REDIS_REST_URL", "Redis is reached by both"],
  ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY", "calls of Inngest are told from others by it"],
  ["INNGEST_SIGNING_KEY", "INNGEST_EVENT_KEY", "events are sent to Inngest by it"],
  ["INNGEST_BASE_URL", "INNGEST_EVENT_KEY", "it is the address of an Inngest of yours"],
  ["YOUTUBE_API_URL", "YOUTUBE_API_KEY", "the platform is asked with it"],
  ["YOUTUBE_DAILY_UNITS", "YOUTUBE_API_KEY", "it is the quota of that key's project"],
  ["YOUTUBE_DAILY_SEARCHES", "YOUTUBE_API_KEY", "it is the quota of that key's project"],
  ["YOUTUBE_AMENDMENT", "YOUTUBE_API_KEY", "it is about that platform"],
  ["RESEND_API_KEY", "ALERT_EMAIL_FROM", "mails need a sender"],
  ["ALERT_EMAIL_FROM", "RESEND_API_KEY", "mails are sent with it"],
  ["RESEND_BASE_URL", "RESEND_API_KEY", "mails are sent with it"],
  ["RESEND_WEBHOOK_SECRET", "RESEND_API_KEY", "mails are sent with it"],
];

function halfSet(env: Given): string[] {
  return NEEDS.filter(([name, needs]) => env[name] && !env[needs]).map(
    ([name, needs, why]) => `${needs} must be set together with ${name}: ${why}`,
  );
}

function forbidden(env: Given): string[] {
  const isDev = env.INNGEST_DEV !== undefined && env.INNGEST_DEV !== "0";
  return [
    ...(isDev && env.NODE_ENV === "production"
      ? ["INNGEST_DEV must not be set in production: the dev server's calls are not signed"]
      : []),
    ...(isDev && env.INNGEST_EVENT_KEY ? ["INNGEST_DEV and INNGEST_EVENT_KEY exclude each other"] : []),
    ...(env.SNAPSHOT_RETENTION_DAYS > 30 && !env.YOUTUBE_AMENDMENT
      ? [
          "YOUTUBE_AMENDMENT must be set before SNAPSHOT_RETENTION_DAYS may be more than 30: see README, Data and terms",
        ]
      : []),
  ];
}

/** What a host without a disk and without a process that lasts must get from elsewhere. */
function missingOnServerless(env: Given): string[] {
  if (env.VERCEL === undefined) return [];
  const required = ["DATABASE_URL", "INNGEST_EVENT_KEY", "RESEND_API_KEY", "APP_URL"] as const;
  return required
    .filter((name) => !env[name])
    .map((name) => `${name} must be set on a serverless host, which keeps nothing between requests`);
}

function quotaOf({ UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token }: Given): Env["quota"] {
  return url && token ? { kind: "upstash", url, token } : { kind: "postgres" };
}

function jobsOf(env: Given): Env["jobs"] {
  const { INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey, INNGEST_DEV: dev } = env;
  if (eventKey && signingKey)
    return { kind: "inngest", eventKey, signingKey, baseUrl: env.INNGEST_BASE_URL ?? null };
  if (dev === undefined || dev === "0") return { kind: "embedded" };
  return { kind: "inngest-dev", baseUrl: dev === "1" ? null : dev };
}

function platformOf({ YOUTUBE_API_KEY: apiKey, ...env }: Given): Env["platform"] {
  if (!apiKey) return { kind: "sample" };
  const url = withoutSlash(env.YOUTUBE_API_URL ?? YOUTUBE_API);
  const limits = {
    search: env.YOUTUBE_DAILY_SEARCHES ?? YOUTUBE_QUOTA.search,
    general: env.YOUTUBE_DAILY_UNITS ?? YOUTUBE_QUOTA.general,
  };
  return { kind: "youtube", apiKey, url, limits };
}

function emailOf(env: Given): Env["email"] {
  const { RESEND_API_KEY: apiKey, ALERT_EMAIL_FROM: from } = env;
  if (!apiKey || !from) return { kind: "outbox" };
  const url = withoutSlash(env.RESEND_BASE_URL ?? RESEND_API);
  return { kind: "resend", apiKey, from, url, webhookSecret: env.RESEND_WEBHOOK_SECRET ?? null };
}

function amendmentOf({ YOUTUBE_AMENDMENT: stated }: Given): Env["amendment"] {
  const [, project, acceptedOn] = AMENDMENT_FORM.exec(stated ?? "") ?? [];
  return project && acceptedOn ? { project, acceptedOn } : null;
}

/** An IP address, or a range of them in CIDR form. */
function isAddressRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Sets variables for what runs later in this process: the launcher's way to hand over what it started. */
export function provideEnv(variables: Record<string, string>): void {
  Object.assign(process.env, variables);
}
