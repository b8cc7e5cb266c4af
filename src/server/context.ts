import path from "node:path";
import type { CoreContext } from "@/core/context";
import { connect } from "@/core/db/client";
import type { Mailer } from "@/core/email";
import type { Env } from "@/core/env";
import { OperatorError } from "@/core/errors";
import type { Gate } from "@/core/gate";
import type { ServedJobs } from "@/core/jobs";
import { createLedger, type Ledger } from "@/core/ledger";
import { createLog, type Log } from "@/core/log";
import { createLogMailer } from "@/core/log-mailer";
import type { Metrics } from "@/core/metrics";
import { createLogMonitoring } from "@/core/monitoring";
import { createWebhookMonitoring } from "@/core/monitoring-webhook";
import { createOutbox } from "@/core/outbox";
import { createPostgresQuota, type Quota } from "@/core/quota";
import { createUpstashQuota } from "@/core/quota/upstash";
import { createResendMailer } from "@/core/resend";
import { createSessionSealer, type SessionSealer } from "@/core/session";
import { createLinkSigner, keptSecret } from "@/core/signing";
import { type Clock, systemClock } from "@/core/time";
import type { DeliveryContext } from "@/features/deliveries/service";
import type { DiscoveryContext } from "@/features/discovery/service";
import type { RequestLog } from "@/features/requests/service";
import { callsNeeded } from "@/features/snapshots/service";
import type { PlatformContext } from "@/platform/port";
import { createSamplePlatform } from "@/platform/sample";
import { createYoutubePlatform } from "@/platform/youtube";
import type { Site } from "./snippets";

/** What verbs and jobs of this process work with. */
export interface ServiceContext extends PlatformContext, DeliveryContext {
  platform: PlatformContext["platform"];
  /** What was spent of the platform's allowance; null where it has none. */
  ledger: Ledger | null;
  sessions: SessionSealer;
  env: Env;
}

/** Everything the doors of the web server use. */
export interface AppContext extends ServiceContext, DiscoveryContext {
  platform: PlatformContext["platform"];
  quota: Quota;
  jobs: ServedJobs;
  requests: RequestLog;
  metrics: Metrics;
  gate: Gate;
  /** Ends what runs in the background, and gives the database up once the requests under way have been answered. */
  stop(answered: Promise<unknown>): Promise<void>;
}

/** Parts that a caller has already, or wants otherwise than the environment says. */
type Given = Pick<ServiceContext, "db" | "log"> &
  Partial<Pick<ServiceContext, "clock" | "platform" | "mailer">>;

/** The parts that the environment asks for, put together. */
export function createServiceContext(env: Env, given: Given): ServiceContext {
  const clock = given.clock ?? systemClock;
  const { db, log } = given;
  const { platform, ledger } = createPlatform(env, { db, log, clock });
  const secret = env.sessionSecret ?? keptSecret(env.dataDir);
  return {
    env,
    clock,
    db,
    log,
    platform: given.platform ?? platform,
    ledger,
    mailer: given.mailer ?? mailerOf(env, clock, log),
    monitoring:
      env.monitoring.kind === "webhook"
        ? createWebhookMonitoring(env.monitoring.url)
        : createLogMonitoring(log),
    links: createLinkSigner(secret),
    sessions: createSessionSealer(secret),
    appUrl: env.appUrl,
  };
}

function createPlatform(env: Env, ctx: CoreContext): Pick<ServiceContext, "platform" | "ledger"> {
  if (env.platform.kind === "sample") return { platform: createSamplePlatform(ctx.clock), ledger: null };
  const { apiKey, url, limits } = env.platform;
  const ledger = createLedger(ctx, { limits, reserve: (until) => callsNeeded(ctx, until) });
  return { platform: createYoutubePlatform({ ...ctx, apiKey, url, ledger }), ledger };
}

function mailerOf(env: Env, clock: Clock, log: Log): Mailer {
  if (env.email.kind === "resend") return createResendMailer(env.email, clock);
  return env.email.kind === "log" ? createLogMailer(log) : createOutbox(outboxFolder(env));
}

/** The counter of requests that the environment asks for. */
export function createQuota(ctx: ServiceContext): Quota {
  const { quota } = ctx.env;
  return quota.kind === "upstash" ? createUpstashQuota(quota, ctx) : createPostgresQuota(ctx.db, ctx.clock);
}

/**
 * Whether figures across channels of different owners may be made and shown: percentiles and the public record of
 * accuracy. With YouTube only under an accepted amendment of its terms.
 */
export function mayCompareChannels({ platform, env }: Pick<ServiceContext, "platform" | "env">): boolean {
  return platform.name !== "youtube" || env.amendment !== null;
}

/** What documents must know of this service. */
export function siteOf({ env, platform }: Pick<ServiceContext, "env" | "platform">): Site {
  return { appUrl: env.appUrl, sample: platform.name === "sample" };
}

/** Where the embedded mailer puts its mails. */
export function outboxFolder(env: Env): string {
  return path.join(env.dataDir, "outbox");
}

/** Opens the database and the log of a web server process. @throws OperatorError without a database */
export function openService(env: Env): { ctx: ServiceContext; quota: Quota; close: () => Promise<void> } {
  if (!env.database.url)
    throw new OperatorError("Start the service with `npm run dev` or `npm start`, or set DATABASE_URL");
  const { db, close } = connect(env.database.url, { serverless: env.serverless });
  const ctx = createServiceContext(env, { db, log: createLog({ level: env.logLevel }) });
  return { ctx, quota: createQuota(ctx), close };
}

// Next gives each bundle its own copy of this module, so what they share hangs on the process.
const SLOT = Symbol.for("creator-growth.context");
const shared = globalThis as { [SLOT]?: AppContext };

/** Makes a context the one that requests of this process are served with. */
export function installContext(context: AppContext): void {
  shared[SLOT] = context;
}

/** The context of this process. */
export function appContext(): AppContext {
  const context = shared[SLOT];
  if (!context) throw new OperatorError("A request came before the service was started");
  return context;
}
