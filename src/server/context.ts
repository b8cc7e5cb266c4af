import path from "node:path";
import { connect } from "@/core/db/client";
import { createOutbox } from "@/core/email";
import type { Env } from "@/core/env";
import { OperatorError } from "@/core/errors";
import type { ServedJobs } from "@/core/jobs";
import { createLog } from "@/core/log";
import { createLogMonitoring } from "@/core/monitoring";
import { createPostgresQuota, type Quota } from "@/core/quota";
import { createLinkSigner, keptSecret } from "@/core/signing";
import { systemClock } from "@/core/time";
import type { DeliveryContext } from "@/features/deliveries/service";
import type { RequestLog } from "@/features/requests/service";
import type { PlatformContext } from "@/platform/port";
import { createSamplePlatform } from "@/platform/sample";
import type { Site } from "./snippets";

/** What verbs and jobs of this process work with. */
export interface ServiceContext extends PlatformContext, DeliveryContext {
  platform: PlatformContext["platform"];
  env: Env;
}

/** Everything the doors of the web server use. */
export interface AppContext extends ServiceContext {
  quota: Quota;
  jobs: ServedJobs;
  requests: RequestLog;
  /** Ends what runs in the background, and gives the database up once the requests under way have been answered. */
  stop(answered: Promise<unknown>): Promise<void>;
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
    mailer: given.mailer ?? createOutbox(outboxFolder(env)),
    monitoring: createLogMonitoring(given.log),
    links: createLinkSigner(env.sessionSecret ?? keptSecret(env.dataDir)),
    appUrl: env.appUrl,
  };
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
  const { db, close } = connect(env.database.url);
  const ctx = createServiceContext(env, { db, log: createLog({ level: env.logLevel }) });
  return { ctx, quota: createPostgresQuota(db, ctx.clock), close };
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
