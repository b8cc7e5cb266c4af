import { isIP } from "node:net";
import { z } from "zod";
import { LOG_LEVELS } from "@/core/log/log";

function digits(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const httpUrl = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be an http or https address, such as ${example}` });

/** A secret for a header, without white space from a paste. */
const secret = z.string().regex(/^[\x21-\x7e]+$/, "must be the bare secret, without spaces");

/** `growth@example.com` or `Creator Growth <growth@example.com>`. */
const SENDER_FORM =
  /^(?:[^<>"\r\n,;:\\@]{1,100} <[^\s<>@]+@[^\s<>@.]+\.[^\s<>@]+>|[^\s<>@]+@[^\s<>@.]+\.[^\s<>@]+)$/;

/** Project number and day of acceptance: `123456789012 2026-07-01`. */
export const AMENDMENT_FORM = /^(\d{6,20}) (\d{4}-\d{2}-\d{2})$/;

/** All environment variables and what they accept. */
export const Variables = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  VERCEL: z.string().optional(),
  /** Set by Vercel: production, preview or development. */
  VERCEL_ENV: z.string().optional(),
  /** Set by Vercel, without a scheme: the domains of the project and of the deployment. */
  VERCEL_PROJECT_PRODUCTION_URL: z.string().optional(),
  VERCEL_URL: z.string().optional(),
  PORT: digits(1, 65_535).default(3000),
  APP_URL: httpUrl("https://growth.example")
    .refine((url) => !/[?#]/.test(url), "must not have a query or a fragment")
    .optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// connection string" })
    .optional(),
  /** Address without a pooler, for migrations. */
  DIRECT_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// connection string" })
    .optional(),
  /** Set by the launcher, not by operators. */
  EMBEDDED_DATABASE_URL: z.string().optional(),
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  UPSTASH_REDIS_REST_URL: httpUrl("https://eu1-name-12345.upstash.io").optional(),
  UPSTASH_REDIS_REST_TOKEN: secret.optional(),
  INNGEST_EVENT_KEY: secret.optional(),
  INNGEST_SIGNING_KEY: z
    .string()
    .regex(
      /^(?:signkey-\w+-)?(?:[0-9a-f]{2})+$/,
      "must be signkey-<environment>-<hex digits>, or the bare hex digits of a self-hosted Inngest",
    )
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

export type Given = z.output<typeof Variables>;

/** An IP address or a CIDR range. */
function isAddressRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
