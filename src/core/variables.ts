import { z } from "zod";
import { LOG_LEVELS } from "@/core/log/log";
import { createIntegerSchema } from "./fields";

const createPatternSchema = (form: RegExp, error: string) => z.string().regex(form, error);
const createMinLengthSchema = (length: number) => z.string().min(length, `must have at least ${length} characters`);
const createHttpUrlSchema = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be an http or https address, such as ${example}` });
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// connection string" });
const Ranges = z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]));
const secret = createPatternSchema(/^[\x21-\x7e]+$/, "must be the bare secret, without spaces");

/** `growth@example.com` or `Creator Growth <growth@example.com>`. */
const SENDER_FORM = /^(?:[^<>"\r\n,;:\\@]{1,100} <[^\s<>@]+@[^\s<>@.]+\.[^\s<>@]+>|[^\s<>@]+@[^\s<>@.]+\.[^\s<>@]+)$/;

/** Project number and day of acceptance: `123456789012 2026-07-01`. */
export const AMENDMENT_FORM = /^(\d{6,20}) (\d{4}-\d{2}-\d{2})$/;

const optional = z
  .object({
    /** Set by Vercel; the two addresses are domains without a scheme. */
    VERCEL: z.string(),
    VERCEL_ENV: z.string(),
    VERCEL_PROJECT_PRODUCTION_URL: z.string(),
    VERCEL_URL: z.string(),
    APP_URL: createHttpUrlSchema("https://growth.example").refine(
      (url) => !/[?#]/.test(url),
      "must not have a query or a fragment",
    ),
    DATABASE_URL: postgresUrl,
    /** Address without a pooler, for migrations. */
    DIRECT_DATABASE_URL: postgresUrl,
    /** These two are set by the launcher, not by operators. */
    EMBEDDED_DATABASE_URL: z.string(),
    DEMO_KEY_ID: z.string(),
    SESSION_SECRET: createMinLengthSchema(32),
    SESSION_SECRET_PREVIOUS: createMinLengthSchema(32),
    UPSTASH_REDIS_REST_URL: createHttpUrlSchema("https://eu1-name-12345.upstash.io"),
    UPSTASH_REDIS_REST_TOKEN: secret,
    INNGEST_EVENT_KEY: secret,
    INNGEST_SIGNING_KEY: createPatternSchema(
      /^(?:signkey-\w+-)?(?:[0-9a-f]{2})+$/,
      "must be signkey-<environment>-<hex digits>, or the bare hex digits of a self-hosted Inngest",
    ),
    INNGEST_BASE_URL: createHttpUrlSchema("https://inngest.example:8288"),
    INNGEST_DEV: createPatternSchema(/^(0|1|https?:\/\/\S+)$/, "must be 1, 0 or the dev server's address"),
    YOUTUBE_API_KEY: secret,
    YOUTUBE_API_URL: createHttpUrlSchema("https://www.googleapis.com/youtube/v3"),
    YOUTUBE_DAILY_UNITS: createIntegerSchema(1, 100_000_000),
    YOUTUBE_DAILY_SEARCHES: createIntegerSchema(1, 1_000_000),
    YOUTUBE_AMENDMENT: createPatternSchema(
      AMENDMENT_FORM,
      "must be your project number and the day of acceptance, such as 123456789012 2026-07-01",
    ),
    RESEND_API_KEY: secret,
    ALERT_EMAIL_FROM: createPatternSchema(
      SENDER_FORM,
      "must be an address, such as Creator Growth <growth@example.com>",
    ),
    RESEND_BASE_URL: createHttpUrlSchema("https://api.resend.com"),
    RESEND_WEBHOOK_SECRET: createPatternSchema(
      /^whsec_[A-Za-z0-9+/=]+$/,
      "must be the signing secret of the webhook, beginning with whsec_",
    ),
    MONITORING_WEBHOOK_URL: createHttpUrlSchema("https://hooks.slack.com/services/…"),
    HOST: z.union([z.ipv4(), z.ipv6(), z.literal("localhost")], {
      error: "must be an address of this machine, such as 127.0.0.1",
    }),
    HEARTBEAT_URL: createHttpUrlSchema("https://hc-ping.com/…"),
    METRICS_TOKEN: createMinLengthSchema(16),
    ALERT_RETENTION_DAYS: createIntegerSchema(1, 3650),
  })
  .partial();

export const Variables = optional.extend({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  PORT: createIntegerSchema(1, 65_535).default(3000),
  DATA_DIR: z.string().default(".data"),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .refine((list) => Ranges.safeParse(list).success, "must be addresses or ranges, such as 10.0.0.0/8, 192.0.2.7")
    .default([]),
  CREATORS_PER_STEP: createIntegerSchema(1, 50).default(1),
  DEMO_CONSOLE: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  SANDBOX: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  SNAPSHOT_RETENTION_DAYS: createIntegerSchema(2, 1096).default(30),
  OPERATOR_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], {
      error: "must be an email address, such as keys@growth.example, or an http or https address",
    })
    .refine((contact) => contact.length <= 200, "must have at most 200 characters")
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
});

export type VariableValues = z.output<typeof Variables>;
