import path from "node:path";
import { connect } from "@/core/db/client";
import { createOutbox, type Mailer } from "@/core/email";
import type { Env } from "@/core/env";
import { OperatorError } from "@/core/errors";
import type { ServedJobs } from "@/core/jobs";
import { createLog, type Log } from "@/core/log";
import { createLogMailer } from "@/core/log-mailer";
import { createLogMonitoring } from "@/core/monitoring";
import { createPostgresQuota, type Quota } from "@/core/quota";
import { createUpstashQuota } from "@/core/quota/upstash";
import { createLinkSigner, keptSecret } from "@/core/signing";
import { systemClock } from "@/core/time";
import type { DeliveryContext } from "@/features/deliveries/service";
import type { PlatformContext } from "@/platform/port";
import { createSamplePlatform } from "@/platform/sample";

/** What verbs and jobs of this process work with. */
export interface ServiceContext extends PlatformContext, DeliveryContext {
  platform: PlatformContext["platform"];
  env: Env;
}

/** Everything the doors of the web server use. */
export interface AppContext extends ServiceContext {
  quota: Quota;
  jobs: ServedJobs;
  /** Ends what runs in the background and gives the database up. */
  stop(): Promise<void>;
}

/** Parts that a caller has already, or wants otherwise than the environment says. */
type Given = Pick<ServiceContext, "db" | "log"> &
  Partial<Pick<ServiceContext, "clock" | "platform" | "mailer">>;

/** The parts that the environment asks for, put together. */
export function createServiceContext(env: Env, given: Given): ServiceContext {
  const clock = given.clock ?? systemClock;
  return {
    env,
    clock,
    db: given.db,
    log: given.log,
    platform: given.platform ?? createSamplePlatform(clock),
    mailer: given.mailer ?? mailerOf(env, given.log),
    monitoring: createLogMonitoring(given.log),
    links: createLinkSigner(env.sessionSecret ?? keptSecret(env.dataDir)),
    appUrl: env.appUrl,
  };
}

/** The counter of requests that the environment asks for. */
export function createQuota(ctx: ServiceContext): Quota {
  const { quota } = ctx.env;
  return quota.kind === "upstash" ? createUpstashQuota(quota, ctx) : createPostgresQuota(ctx.db, ctx.clock);
}

function mailerOf(env: Env, log: Log): Mailer {
  return env.email.kind === "log" ? createLogMailer(log) : createOutbox(outboxFolder(env));
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
