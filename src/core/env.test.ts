import { describe, expect, it } from "vitest";
import { readEnv } from "./env";

describe("readEnv", () => {
  it("accepts an empty environment and embeds every service", () => {
    const env = readEnv({});
    expect(env).toMatchObject({
      mode: "development",
      port: 3000,
      appUrl: "http://localhost:3000",
      database: { kind: "embedded", url: undefined },
    });
  });

  it("treats an empty variable as unset", () => {
    expect(readEnv({ DATABASE_URL: "", PORT: "" })).toMatchObject({
      port: 3000,
      database: { kind: "embedded" },
    });
  });

  it("removes the slash at the end of APP_URL", () => {
    expect(readEnv({ APP_URL: "https://growth.example/" }).appUrl).toBe("https://growth.example");
  });

  it.each([
    [{ PORT: "0" }, /^PORT must be 1 to 65535$/],
    [{ HOST: "growth.example" }, /^HOST must be an address of this machine, such as 127.0.0.1$/],
    [{ PORT: "http" }, /^PORT must be a whole number from 1 to 65535$/],
    [{ APP_URL: "growth.example" }, /^APP_URL must be an http or https address/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL must be one of debug, info/],
    [{ OPERATOR_CONTACT: "the owner" }, /^OPERATOR_CONTACT must be an email address, such as .*, or an http/],
    [{ OPERATOR_CONTACT: "javascript:alert(1)" }, /^OPERATOR_CONTACT must be an email address/],
    [{ CREATORS_PER_STEP: "51" }, /^CREATORS_PER_STEP must be 1 to 50$/],
    [{ SNAPSHOT_RETENTION_DAYS: "1" }, /^SNAPSHOT_RETENTION_DAYS must be 2 to 1096$/],
    [{ SNAPSHOT_RETENTION_DAYS: "31" }, /^YOUTUBE_AMENDMENT must be set before SNAPSHOT_RETENTION_DAYS may be/],
    [{ SESSION_SECRET: "short" }, /^SESSION_SECRET must have at least 32 characters$/],
    [{ DATABASE_URL: "postgres://db/app" }, /^SESSION_SECRET must be set together with DATABASE_URL/],
    [{ DIRECT_DATABASE_URL: "postgres://db/app" }, /^DATABASE_URL must be set together with DIRECT_DATABASE_URL/],
    [{ APP_URL: "https://growth.example/?a=b" }, /^APP_URL must not have a query or a fragment$/],
    [{ VERCEL: "1" }, /^DATABASE_URL must be set on a serverless host.*; INNGEST_EVENT_KEY .*; RESEND_API_KEY /],
    [
      { UPSTASH_REDIS_REST_URL: "https://redis.example" },
      /^UPSTASH_REDIS_REST_TOKEN must be set together with UPSTASH_REDIS_REST_URL/,
    ],
    [{ UPSTASH_REDIS_REST_TOKEN: "token" }, /^UPSTASH_REDIS_REST_URL must be set together with/],
    [
      { INNGEST_EVENT_KEY: "key", INNGEST_SIGNING_KEY: "signkey-prod-abcd" },
      /^APP_URL must be set together with INNGEST_EVENT_KEY: Inngest calls the jobs at this address$/,
    ],
    [
      { INNGEST_EVENT_KEY: "key", APP_URL: "https://growth.example" },
      /^INNGEST_SIGNING_KEY must be set together with INNGEST_EVENT_KEY: it authenticates calls/,
    ],
    [{ INNGEST_SIGNING_KEY: "signkey-prod-abcd" }, /^INNGEST_EVENT_KEY must be set together with/],
    [{ INNGEST_SIGNING_KEY: "abc" }, /^INNGEST_SIGNING_KEY must be signkey-<environment>-<hex digits>, or the bare/],
    [{ INNGEST_DEV: "1", NODE_ENV: "production" }, /^INNGEST_DEV must not be set in production/],
    [{ INNGEST_DEV: "yes" }, /^INNGEST_DEV must be 1, 0 or the dev server/],
    [{ YOUTUBE_API_URL: "https://youtube.example" }, /^YOUTUBE_API_KEY must be set together with YOUTUBE_API_URL/],
    [{ YOUTUBE_DAILY_UNITS: "1" }, /^YOUTUBE_API_KEY must be set together with YOUTUBE_DAILY_UNITS/],
    [{ YOUTUBE_API_KEY: "key", YOUTUBE_DAILY_SEARCHES: "0" }, /^YOUTUBE_DAILY_SEARCHES must be 1 to 1000000$/],
    [{ YOUTUBE_API_KEY: "two words" }, /^YOUTUBE_API_KEY must be the bare secret, without spaces$/],
    [{ RESEND_API_KEY: "re_1" }, /^ALERT_EMAIL_FROM must be set together with RESEND_API_KEY/],
    [{ RESEND_API_KEY: "re_1", ALERT_EMAIL_FROM: "growth" }, /^ALERT_EMAIL_FROM must be an address, such as/],
    [{ RESEND_API_KEY: "re_1", ALERT_EMAIL_FROM: "a@b.c\r\nBcc: d@e.f" }, /^ALERT_EMAIL_FROM must be an address/],
    [{ MONITORING_WEBHOOK_URL: "hooks.slack.com" }, /^MONITORING_WEBHOOK_URL must be an http or https address/],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, /^TRUSTED_PROXIES must be addresses or ranges/],
    [{ METRICS_TOKEN: "short" }, /^METRICS_TOKEN must have at least 16 characters$/],
  ])("reports the variable and what it accepts for %j", (variables, message) => {
    expect(() => readEnv(variables)).toThrow(message);
  });

  it("uses a real service when its variables are set, and embeds the others", () => {
    expect(readEnv({ UPSTASH_REDIS_REST_URL: "http://redis.test", UPSTASH_REDIS_REST_TOKEN: "t" })).toMatchObject({
      quota: { kind: "upstash", url: "http://redis.test", token: "t" },
      jobs: { kind: "embedded" },
      platform: { kind: "sample" },
      email: { kind: "outbox" },
      monitoring: { kind: "log" },
    });
    expect(
      readEnv({
        YOUTUBE_API_KEY: "key",
        YOUTUBE_API_URL: "http://tube.test/v3/",
        YOUTUBE_AMENDMENT: "123456789012 2026-07-01",
        SNAPSHOT_RETENTION_DAYS: "365",
        APP_URL: "https://growth.example",
        INNGEST_EVENT_KEY: "event",
        INNGEST_SIGNING_KEY: "signkey-prod-00ff",
        RESEND_API_KEY: "re_1",
        ALERT_EMAIL_FROM: "Creator Growth <growth@example.com>",
        MONITORING_WEBHOOK_URL: "https://hooks.example/1",
      }),
    ).toMatchObject({
      platform: { kind: "youtube", apiKey: "key", url: "http://tube.test/v3" },
      amendment: { project: "123456789012", acceptedOn: "2026-07-01" },
      jobs: { kind: "inngest", eventKey: "event", signingKey: "signkey-prod-00ff", baseUrl: null },
      email: { kind: "resend", url: "https://api.resend.com", webhookSecret: null },
      monitoring: { kind: "webhook", url: "https://hooks.example/1" },
    });
  });

  it("uses the address of Vercel's project or preview when APP_URL is unset", () => {
    const hosts = {
      VERCEL_PROJECT_PRODUCTION_URL: "growth.vercel.app",
      VERCEL_URL: "growth-a1b2.vercel.app",
    };
    const inngest = { INNGEST_EVENT_KEY: "key", INNGEST_SIGNING_KEY: "signkey-prod-abcd" };
    expect(readEnv({ ...hosts, ...inngest }).appUrl).toBe("https://growth.vercel.app");
    expect(readEnv({ ...hosts, VERCEL_ENV: "preview" }).appUrl).toBe("https://growth-a1b2.vercel.app");
    expect(readEnv({ ...hosts, APP_URL: "https://growth.example" }).appUrl).toBe("https://growth.example");
  });

  it("uses YouTube's default daily quota unless another is set", () => {
    const readLimits = (more: Record<string, string>) => readEnv({ YOUTUBE_API_KEY: "key", ...more }).platform;
    expect(readLimits({})).toMatchObject({ limits: { search: 100, general: 10_000 } });
    expect(readLimits({ YOUTUBE_DAILY_UNITS: "50000", YOUTUBE_DAILY_SEARCHES: "400" })).toMatchObject({
      limits: { search: 400, general: 50_000 },
    });
  });

  it("sends no email from a preview deployment", () => {
    const mail = { RESEND_API_KEY: "re_1", ALERT_EMAIL_FROM: "growth@example.com" };
    expect(readEnv({ ...mail, VERCEL_ENV: "preview" }).email).toEqual({ kind: "log" });
    expect(readEnv({ ...mail, VERCEL_ENV: "production" }).email).toMatchObject({ kind: "resend" });
    expect(() => readEnv({ VERCEL: "1", VERCEL_ENV: "preview" })).toThrow(/^DATABASE_URL must be set on/);
    expect(() => readEnv({ VERCEL: "1", VERCEL_ENV: "preview" })).not.toThrow(/RESEND/);
  });

  it("never repeats a value that may hold a password", () => {
    const read = () => readEnv({ DATABASE_URL: "mysql://root:hunter2@db/app" });
    expect(read).toThrow(/^DATABASE_URL must be a postgres:\/\/ connection string$/);
  });
});
