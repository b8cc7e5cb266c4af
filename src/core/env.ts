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

const Variables = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  VERCEL: z.string().optional(),
  PORT: digits(1, 65_535).default(3000),
  APP_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address, such as https://growth.example" })
    .refine((url) => !/[?#]/.test(url), "must not have a query or a fragment")
    .optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// connection string" })
    .optional(),
  /** Set by the launcher for the pages and handlers of the same process; not for operators. */
  EMBEDDED_DATABASE_URL: z.string().optional(),
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  CREATORS_PER_STEP: digits(1, 50).default(1),
  SNAPSHOT_RETENTION_DAYS: digits(2, 30).default(30),
  ALERT_RETENTION_DAYS: digits(1, 3650).optional(),
  OPERATOR_CONTACT: z.string().max(200).default("the operator of this service"),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
});

export interface Env {
  mode: "development" | "production" | "test";
  port: number;
  /** Where readers reach the service, without a slash at the end. */
  appUrl: string;
  /** Absolute folder of everything the service keeps on this machine. */
  dataDir: string;
  database: { kind: "embedded"; url: string | undefined } | { kind: "hosted"; url: string };
  /** Signs links in mails. Null: one is made and kept in the data folder. */
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
  if (env.VERCEL)
    throw new OperatorError(
      "VERCEL is set: a serverless host keeps neither the embedded jobs nor the outbox; run on one machine",
    );
  if (env.DATABASE_URL && !env.SESSION_SECRET)
    throw new OperatorError(
      "SESSION_SECRET must be set together with DATABASE_URL: all instances sign with the same secret",
    );
  return {
    mode: env.NODE_ENV,
    port: env.PORT,
    appUrl: (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
    dataDir: path.resolve(env.DATA_DIR),
    database: env.DATABASE_URL
      ? { kind: "hosted", url: env.DATABASE_URL }
      : { kind: "embedded", url: env.EMBEDDED_DATABASE_URL },
    sessionSecret: env.SESSION_SECRET ?? null,
    creatorsPerStep: env.CREATORS_PER_STEP,
    snapshotRetentionDays: env.SNAPSHOT_RETENTION_DAYS,
    alertRetentionDays: env.ALERT_RETENTION_DAYS ?? null,
    operatorContact: env.OPERATOR_CONTACT,
    logLevel: env.LOG_LEVEL,
  };
}

/** Sets variables for what runs later in this process: the launcher's way to hand over what it started. */
export function provideEnv(variables: Record<string, string>): void {
  Object.assign(process.env, variables);
}
