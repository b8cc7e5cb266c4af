import { readFileSync } from "node:fs";
import { type Env, SECRET_MISSING } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { createLinkSigner, loadOrCreateSecret } from "@/core/http/signing";
import { createLog, type Log } from "@/core/log/log";
import { createLogMailer, type Mailer } from "@/core/mail/email";
import { createHeartbeat, createLogMonitoring, createWebhookMonitoring, type Monitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { createResendMailer } from "@/core/mail/resend";
import { type Clock, type Day, systemClock } from "@/core/time";
import { connect, type DatabaseConnection } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { createSessionSealer } from "@/features/sessions/seal.rules";
import { countCallsNeeded } from "@/features/snapshots/service";
import { createPostgresQuota, type Quota } from "@/features/usage/quota.service";
import { createLedger } from "@/features/usage/units.service";
import { UpstashQuota } from "@/features/usage/upstash.service";
import { createSamplePlatform } from "@/platform/sample";
import { createYoutubePlatform } from "@/platform/youtube";
import { getDemoDayFile, getOutboxFolder, type ServiceContext } from "./context";

type ServiceInputs = Pick<ServiceContext, "db" | "log"> &
  Partial<Pick<ServiceContext, "clock" | "platform" | "mailer" | "monitoring">>;

export function createServiceContext(env: Env, inputs: ServiceInputs): ServiceContext {
  const { db, log, clock = systemClock } = inputs;
  if (env.database.kind === "hosted" && env.sessionSecret === null) throw new OperatorError(SECRET_MISSING);
  const { platform, ledger } = createPlatform(env, { db, log, clock });
  const secret = env.sessionSecret ?? loadOrCreateSecret(env.dataDir);
  return {
    env,
    clock,
    db,
    log,
    platform: inputs.platform ?? platform,
    ledger,
    mailer: inputs.mailer ?? createMailer(env, clock, log),
    monitoring: inputs.monitoring ?? createMonitoring(env, log),
    heartbeat: env.heartbeatUrl === null ? null : createHeartbeat(env.heartbeatUrl),
    links: createLinkSigner(secret, env.previousSessionSecret),
    sessions: createSessionSealer(secret, env.previousSessionSecret),
    appUrl: env.appUrl,
  };
}

function readDemoDay(env: Env): Day | null {
  try {
    return readFileSync(getDemoDayFile(env), "utf8").trim();
  } catch {
    return null;
  }
}

/** The video platform, and the ledger of its quota where it has one. */
export function createPlatform(env: Env, ctx: CoreContext): Pick<ServiceContext, "platform" | "ledger"> {
  if (env.platform.kind === "sample")
    return { platform: createSamplePlatform(ctx.clock, readDemoDay(env)), ledger: null };
  const { apiKey, url, limits } = env.platform;
  const ledger = createLedger(ctx, { limits, reserve: (until) => countCallsNeeded(ctx, until) });
  return { platform: createYoutubePlatform({ ...ctx, apiKey, url, ledger }), ledger };
}

function createMailer(env: Env, clock: Clock, log: Log): Mailer {
  if (env.email.kind === "resend") return createResendMailer(env.email, clock);
  return env.email.kind === "log" ? createLogMailer(log) : createOutbox(getOutboxFolder(env));
}

function createMonitoring({ monitoring }: Env, log: Log): Monitoring {
  return monitoring.kind === "webhook" ? createWebhookMonitoring(monitoring.url) : createLogMonitoring(log);
}

export function createQuota(ctx: ServiceContext): Quota {
  const { quota } = ctx.env;
  return quota.kind === "upstash" ? new UpstashQuota(quota, ctx) : createPostgresQuota(ctx);
}

/** A separate pool, so public traffic takes no connections from the keys. */
const SANDBOX_CONNECTIONS = 2;

export function connectSandbox(env: Env, url: string): DatabaseConnection | null {
  return env.hasSandbox ? connect(url, { serverless: env.serverless, max: SANDBOX_CONNECTIONS }) : null;
}

export type OpenedService = ReturnType<typeof openService>;

/** @throws OperatorError without a database */
export function openService(env: Env) {
  if (!env.database.url)
    throw new OperatorError("Start the service with `npm run dev` or `npm start`, or set DATABASE_URL");
  const { db, countPending, close } = connect(env.database.url, { serverless: env.serverless });
  const log = createLog({ level: env.logLevel, buffer: !env.serverless });
  const ctx = createServiceContext(env, { db, log });
  const sandbox = connectSandbox(env, env.database.url);
  const closeAll = async () => void (await Promise.all([close(), sandbox?.close()]));
  return { ctx, sandbox: sandbox?.db ?? null, countPending, close: closeAll };
}
