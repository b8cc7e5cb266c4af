import path from "node:path";
import { AMENDMENT_FORM, type Given, Variables } from "@/core/config/variables";
import { OperatorError } from "@/core/errors";
import type { LOG_LEVELS } from "@/core/log/log";

const YOUTUBE_API = "https://www.googleapis.com/youtube/v3";
/** Default daily quota of a Google Cloud project: searches, and units of all other calls. */
const YOUTUBE_QUOTA = { search: 100, general: 10_000 };
const RESEND_API = "https://api.resend.com";

export interface Env {
  mode: "development" | "production" | "test";
  /** Whether the process may end between two requests, so that memory and disk keep nothing. */
  serverless: boolean;
  /** A preview deployment, which must not mail real addresses. */
  preview: boolean;
  port: number;
  /** Public address without a trailing slash. */
  appUrl: string;
  /** Absolute folder of all local data. */
  dataDir: string;
  database:
    | { kind: "embedded"; url: string | undefined }
    | { kind: "hosted"; url: string; directUrl: string };
  quota: { kind: "postgres" } | { kind: "upstash"; url: string; token: string };
  jobs:
    | { kind: "embedded" }
    | { kind: "inngest"; eventKey: string; signingKey: string; baseUrl: string | null }
    /** The dev server, at its default address when null. */
    | { kind: "inngest-dev"; baseUrl: string | null };
  platform:
    | { kind: "sample" }
    /** `limits`: the project's daily quota. */
    | { kind: "youtube"; apiKey: string; url: string; limits: { search: number; general: number } };
  /** YouTube's acceptance of longer retention and derived metrics; null without one. */
  amendment: { project: string; acceptedOn: string } | null;
  email:
    | { kind: "outbox" }
    /** For preview deployments. */
    | { kind: "log" }
    | { kind: "resend"; apiKey: string; from: string; url: string; webhookSecret: string | null };
  monitoring: { kind: "log" } | { kind: "webhook"; url: string };
  /** Proxies whose forwarded addresses are trusted. */
  trustedProxies: readonly string[];
  /** Token for /metrics; null disables it. */
  metricsToken: string | null;
  /** Signs links in mails and encrypts sessions; null: generated and kept in the data folder. */
  sessionSecret: string | null;
  creatorsPerStep: number;
  snapshotRetentionDays: number;
  /** Null keeps alerts as long as their key. */
  alertRetentionDays: number | null;
  operatorContact: string;
  logLevel: (typeof LOG_LEVELS)[number];
}

/**
 * Reads the environment and chooses the services. An empty variable counts as unset.
 * @throws OperatorError that names each variable and what it accepts, never its value
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
    preview: isPreview(env),
    port: env.PORT,
    appUrl: withoutSlash(givenUrl(env) ?? `http://localhost:${env.PORT}`),
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

/** Variables that need another one. */
const NEEDS: readonly (readonly [name: keyof Given, needs: keyof Given, why: string])[] = [
  ["DATABASE_URL", "SESSION_SECRET", "all instances must share one secret"],
  ["DIRECT_DATABASE_URL", "DATABASE_URL", "it is another address of the same database"],
  ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN", "Redis needs both"],
  ["UPSTASH_REDIS_REST_TOKEN", "UPSTASH_REDIS_REST_URL", "Redis needs both"],
  ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY", "it authenticates calls from Inngest"],
  ["INNGEST_SIGNING_KEY", "INNGEST_EVENT_KEY", "it authenticates events sent to Inngest"],
  ["INNGEST_EVENT_KEY", "APP_URL", "Inngest calls the jobs at this address"],
  ["INNGEST_BASE_URL", "INNGEST_EVENT_KEY", "it is the address of a self-hosted Inngest"],
  ["YOUTUBE_API_URL", "YOUTUBE_API_KEY", "the platform needs a key"],
  ["YOUTUBE_DAILY_UNITS", "YOUTUBE_API_KEY", "it is the quota of that key's project"],
  ["YOUTUBE_DAILY_SEARCHES", "YOUTUBE_API_KEY", "it is the quota of that key's project"],
  ["YOUTUBE_AMENDMENT", "YOUTUBE_API_KEY", "it applies to YouTube only"],
  ["RESEND_API_KEY", "ALERT_EMAIL_FROM", "mails need a sender"],
  ["ALERT_EMAIL_FROM", "RESEND_API_KEY", "mails are sent by Resend"],
  ["RESEND_BASE_URL", "RESEND_API_KEY", "mails are sent by Resend"],
  ["RESEND_WEBHOOK_SECRET", "RESEND_API_KEY", "mails are sent by Resend"],
];

function halfSet(given: Given): string[] {
  const env = { ...given, APP_URL: givenUrl(given) };
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
          "YOUTUBE_AMENDMENT must be set before SNAPSHOT_RETENTION_DAYS may be more than 30: see docs/youtube-terms.md",
        ]
      : []),
  ];
}

/** Services that a serverless host cannot embed. */
function missingOnServerless(env: Given): string[] {
  if (env.VERCEL === undefined) return [];
  const required = ["DATABASE_URL", "INNGEST_EVENT_KEY", "RESEND_API_KEY"] as const;
  return required
    .filter((name) => name !== "RESEND_API_KEY" || !isPreview(env))
    .filter((name) => !env[name])
    .map((name) => `${name} must be set on a serverless host`);
}

/** The public address: APP_URL, or on Vercel the deployment's own. */
function givenUrl(env: Given): string | undefined {
  const host = isPreview(env) ? env.VERCEL_URL : env.VERCEL_PROJECT_PRODUCTION_URL;
  return env.APP_URL ?? (host && `https://${host}`);
}

function isPreview(env: Given): boolean {
  return env.VERCEL_ENV === "preview";
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
  if (isPreview(env)) return { kind: "log" };
  const { RESEND_API_KEY: apiKey, ALERT_EMAIL_FROM: from } = env;
  if (!apiKey || !from) return { kind: "outbox" };
  const url = withoutSlash(env.RESEND_BASE_URL ?? RESEND_API);
  return { kind: "resend", apiKey, from, url, webhookSecret: env.RESEND_WEBHOOK_SECRET ?? null };
}

function amendmentOf({ YOUTUBE_AMENDMENT: stated }: Given): Env["amendment"] {
  const [, project, acceptedOn] = AMENDMENT_FORM.exec(stated ?? "") ?? [];
  return project && acceptedOn ? { project, acceptedOn } : null;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Sets variables for code that runs later in this process. */
export function provideEnv(variables: Record<string, string>): void {
  Object.assign(process.env, variables);
}
