import path from "node:path";
import { OperatorError } from "@/core/errors";
import { AMENDMENT_FORM, Variables, type VariableValues } from "./variables";

export type Env = ReturnType<typeof toSettings>;

/** Where a hosted database has no secret beside it. */
export const SECRET_MISSING =
  "SESSION_SECRET must be set together with DATABASE_URL: all instances must share one secret";

/**
 * Chooses the services. An empty variable counts as unset. Errors name the variable, never its value.
 * @param canSign whether the process signs links, for which all instances need one secret
 */
export function readEnv(variables: Record<string, string | undefined> = process.env, canSign = true): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const parsed = Variables.safeParse(given);
  const problems = parsed.success
    ? [
        ...(canSign && parsed.data.DATABASE_URL && !parsed.data.SESSION_SECRET ? [SECRET_MISSING] : []),
        ...listHalfSet(parsed.data),
        ...listForbidden(parsed.data),
        ...listMissingOnServerless(parsed.data),
      ]
    : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  if (!parsed.success || problems.length > 0) throw new OperatorError(problems.join("; "));
  return toSettings(parsed.data);
}

function toSettings(env: VariableValues) {
  const { DATABASE_URL: url, MONITORING_WEBHOOK_URL: webhook } = env;
  const { UPSTASH_REDIS_REST_URL: redis, UPSTASH_REDIS_REST_TOKEN: token } = env;
  return {
    mode: env.NODE_ENV,
    /** Whether the process may end between two requests, so that memory and disk keep nothing. */
    serverless: env.VERCEL !== undefined,
    preview: isPreview(env),
    port: env.PORT,
    /** Undefined: all addresses of the machine. */
    host: env.HOST,
    appUrl: withoutSlash(getGivenUrl(env) ?? `http://localhost:${env.PORT}`),
    dataDir: path.resolve(env.DATA_DIR),
    database: url
      ? ({ kind: "hosted", url, directUrl: env.DIRECT_DATABASE_URL ?? url } as const)
      : ({ kind: "embedded", url: env.EMBEDDED_DATABASE_URL } as const),
    quota: redis && token ? ({ kind: "upstash", url: redis, token } as const) : ({ kind: "postgres" } as const),
    jobs: toJobSettings(env),
    platform: toPlatformSettings(env),
    amendment: parseAmendment(env),
    email: toEmailSettings(env),
    monitoring: webhook ? ({ kind: "webhook", url: webhook } as const) : ({ kind: "log" } as const),
    heartbeatUrl: env.HEARTBEAT_URL ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    metricsToken: env.METRICS_TOKEN ?? null,
    hasSandbox: env.SANDBOX === "on",
    /** Whether visitors may open the console of a demo key, read-only. Development always has one. */
    hasDemo: env.DEMO_CONSOLE === "on",
    /** The key of the demo, once the launcher has prepared it. */
    demoKeyId: env.DEMO_KEY_ID ?? null,
    /** Signs links in mails and encrypts sessions; null: generated and kept in the data folder. */
    sessionSecret: env.SESSION_SECRET ?? null,
    /** An older secret, whose links and sessions still work. */
    previousSessionSecret: env.SESSION_SECRET_PREVIOUS ?? null,
    creatorsPerStep: env.CREATORS_PER_STEP,
    snapshotRetentionDays: env.SNAPSHOT_RETENTION_DAYS,
    /** Null keeps alerts as long as their key. */
    alertRetentionDays: env.ALERT_RETENTION_DAYS ?? null,
    operatorContact: env.OPERATOR_CONTACT ?? "the operator of this service",
    isContactSet: env.OPERATOR_CONTACT !== undefined,
    /** Null when the contact is a page or not set. */
    operatorEmail: env.OPERATOR_CONTACT?.match(/^[^:/]+$/)?.[0] ?? null,
    logLevel: env.LOG_LEVEL,
  };
}

const NEEDS: readonly (readonly [name: keyof VariableValues, needs: keyof VariableValues, why: string])[] = [
  ["SESSION_SECRET_PREVIOUS", "SESSION_SECRET", "it is the older value of that secret"],
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

function listHalfSet(given: VariableValues): string[] {
  const env = { ...given, APP_URL: getGivenUrl(given) };
  return NEEDS.filter(([name, needs]) => env[name] && !env[needs]).map(
    ([name, needs, why]) => `${needs} must be set together with ${name}: ${why}`,
  );
}

function listForbidden(env: VariableValues): string[] {
  const problems: string[] = [];
  const isDev = env.INNGEST_DEV !== undefined && env.INNGEST_DEV !== "0";
  if (isDev && env.NODE_ENV === "production")
    problems.push("INNGEST_DEV must not be set in production: the dev server's calls are not signed");
  if (isDev && env.INNGEST_EVENT_KEY) problems.push("INNGEST_DEV and INNGEST_EVENT_KEY exclude each other");
  if (env.DEMO_CONSOLE === "on" && (env.DATABASE_URL || env.YOUTUBE_API_KEY))
    problems.push(
      "DEMO_CONSOLE=on needs the embedded database and sample data: without DATABASE_URL and YOUTUBE_API_KEY",
    );
  if (env.SNAPSHOT_RETENTION_DAYS > 30 && !env.YOUTUBE_AMENDMENT)
    problems.push(
      "YOUTUBE_AMENDMENT must be set before SNAPSHOT_RETENTION_DAYS may be more than 30: see docs/youtube-terms.md",
    );
  return problems;
}

function listMissingOnServerless(env: VariableValues): string[] {
  if (env.VERCEL === undefined) return [];
  const required = ["DATABASE_URL", "INNGEST_EVENT_KEY", "RESEND_API_KEY"] as const;
  return required
    .filter((name) => !env[name] && !(name === "RESEND_API_KEY" && isPreview(env)))
    .map((name) => `${name} must be set on a serverless host`);
}

function getGivenUrl(env: VariableValues): string | undefined {
  const host = isPreview(env) ? env.VERCEL_URL : env.VERCEL_PROJECT_PRODUCTION_URL;
  return env.APP_URL ?? (host && `https://${host}`);
}

function isPreview(env: VariableValues): boolean {
  return env.VERCEL_ENV === "preview";
}

function toJobSettings(env: VariableValues) {
  const { INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey, INNGEST_DEV: dev } = env;
  if (eventKey && signingKey)
    return { kind: "inngest", eventKey, signingKey, baseUrl: env.INNGEST_BASE_URL ?? null } as const;
  if (dev === undefined || dev === "0") return { kind: "embedded" } as const;
  return { kind: "inngest-dev", baseUrl: dev === "1" ? null : dev } as const;
}

function toPlatformSettings({ YOUTUBE_API_KEY: apiKey, ...env }: VariableValues) {
  if (!apiKey) return { kind: "sample" } as const;
  const url = withoutSlash(env.YOUTUBE_API_URL ?? "https://www.googleapis.com/youtube/v3");
  // By default, those of a new Google Cloud project: searches, and units of all other calls.
  const { YOUTUBE_DAILY_SEARCHES: search = 100, YOUTUBE_DAILY_UNITS: general = 10_000 } = env;
  return { kind: "youtube", apiKey, url, limits: { search, general } } as const;
}

function parseAmendment({ YOUTUBE_AMENDMENT: stated }: VariableValues) {
  const [, project, acceptedOn] = AMENDMENT_FORM.exec(stated ?? "") ?? [];
  return project && acceptedOn ? { project, acceptedOn } : null;
}

function toEmailSettings(env: VariableValues) {
  // A preview deployment must not mail real addresses.
  if (isPreview(env)) return { kind: "log" } as const;
  const { RESEND_API_KEY: apiKey, ALERT_EMAIL_FROM: from, RESEND_WEBHOOK_SECRET: webhookSecret = null } = env;
  if (!apiKey || !from) return { kind: "outbox" } as const;
  const url = withoutSlash(env.RESEND_BASE_URL ?? "https://api.resend.com");
  return { kind: "resend", apiKey, from, url, webhookSecret } as const;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Sets variables for code that runs later in this process. */
export function provideEnv(variables: Record<string, string>): void {
  Object.assign(process.env, variables);
}
