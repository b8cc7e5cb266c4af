import { type Env, readEnv } from "@/core/env";
import { getErrorMessage, isOperatorError, OperatorError } from "@/core/errors";
import { createLimits } from "@/core/http/limits";
import { createMetrics } from "@/core/log/metrics";
import { MINUTE, SECOND, sleep } from "@/core/time";
import { isDatabaseUnavailable, requireSession } from "@/db/client";
import { listMissingMigrations } from "@/db/migrate";
import { fillMap } from "@/features/discovery/map.service";
import { createRequestLog } from "@/features/usage/request-log.service";
import { type AppContext, installContext, isLaunched, type ServiceContext } from "./context";
import type { InngestEnv } from "./inngest";
import type { RunningJobs } from "./jobs";
import { createQuota, type OpenedService, openService } from "./services";

const CATCH_UP_RETRY = MINUTE;
const SCHEMA_RETRY = 5 * SECOND;

/**
 * Starts the service where no launcher does, as on a serverless host, or ends the process with one line. A serverless process
 * starts with the first request that needs the service, which the middleware of pages does not.
 */
export async function startService(): Promise<void> {
  if (isLaunched()) return;
  try {
    const env = readEnv();
    if (env.serverless) return installContext(() => openServerless(env));
    await (await openLasting(env)).start();
  } catch (error) {
    endProcess(error);
  }
}

/** Opens the service of a process that lasts, and installs its context. @returns its jobs, which are not started */
export async function openLasting(env: Env): Promise<RunningJobs> {
  const service = openService(env);
  const jobs =
    env.jobs.kind === "embedded" ? await openEmbeddedJobs(service.ctx) : openInngestJobs(service.ctx, env.jobs);
  installContext(openAppContext(service, jobs));
  return jobs;
}

function openServerless(env: Env): AppContext {
  const { jobs } = env;
  if (jobs.kind === "embedded") throw new OperatorError("INNGEST_EVENT_KEY must be set on a serverless host");
  const service = openService(env);
  void requireSchema(service.ctx);
  return openAppContext(service, openInngestJobs(service.ctx, jobs));
}

function endProcess(error: unknown): never {
  // Next would print the stack.
  process.stderr.write(`Error: ${isOperatorError(error) ? "" : "The start failed: "}${getErrorMessage(error)}\n`);
  process.exit(1);
}

function openAppContext({ ctx, sandbox, countPending, close }: OpenedService, jobs: RunningJobs): AppContext {
  const { env, log, platform, mailer, monitoring } = ctx;
  const kinds = { database: env.database.kind, quota: env.quota.kind, jobs: env.jobs.kind };
  const names = { platform: platform.name, email: mailer.name, monitoring: monitoring.name };
  log.info({ ...kinds, ...names }, "services");
  if (!env.isContactSet && env.mode !== "development")
    log.warn("OPERATOR_CONTACT is not set: requests for a key reach the monitoring channel only");
  const { served, requestRenewal } = jobs;
  const context = createAppContext(ctx, { jobs: served, requestRenewal, countPending, sandbox, stop });
  async function stop(answered: Promise<unknown>): Promise<void> {
    await Promise.all([jobs.stop(), answered]);
    await Promise.all([context.quota.flush(), context.requests.flush()]);
    await close();
  }
  return context;
}

/** Longer than any call to another service may take, and shorter than most clients wait. */
const REQUEST_TIMEOUT = 29 * SECOND;

type Running = Pick<AppContext, "jobs" | "requestRenewal" | "countPending" | "sandbox" | "stop">;

/** The service with what its requests share. */
export function createAppContext(ctx: ServiceContext, running: Running): AppContext {
  const metrics = createMetrics();
  return {
    ...ctx,
    ...running,
    quota: createQuota(ctx),
    // A serverless process may be frozen after it answers.
    requests: createRequestLog(ctx, ctx.env.serverless ? { flushAfter: 0 } : {}),
    metrics,
    limits: createLimits(ctx.log, metrics),
    unavailablePages: new Set(),
    readForms: new Set(),
    requestTimeout: REQUEST_TIMEOUT,
  };
}

/** A serverless process loads Inngest with the first request that needs it. */
function openInngestJobs(ctx: ServiceContext, jobs: InngestEnv): RunningJobs {
  let loading: Promise<RunningJobs> | null = null;
  const load = () => {
    loading ??= import("./inngest").then(({ createInngestJobs }) => createInngestJobs(ctx, jobs));
    return loading;
  };
  return {
    served: {
      GET: async (...call) => (await load()).served.GET(...call),
      POST: async (...call) => (await load()).served.POST(...call),
      PUT: async (...call) => (await load()).served.PUT(...call),
    },
    requestRenewal: async (niche) => (await load()).requestRenewal(niche),
    start: async () => {
      if (!ctx.env.serverless) await (await load()).start();
    },
    stop: async () => (await loading)?.stop(),
  };
}

async function openEmbeddedJobs(ctx: ServiceContext): Promise<RunningJobs> {
  const { createJobs } = await import("./jobs");
  const { engine, served, requestRenewal, catchUp } = await createJobs(ctx);
  let isStopped = false;
  const catchUpWithRetry = async () => {
    while (!isStopped)
      try {
        await catchUp();
        return await fillMap(ctx);
      } catch (error) {
        if (isStopped) return;
        ctx.log.error({ err: error }, "the catch-up of jobs failed; trying again in a minute");
        await sleep(CATCH_UP_RETRY);
      }
  };
  return {
    served,
    requestRenewal,
    start: async () => {
      engine.start();
      // Not awaited: the process serves requests while it catches up.
      void catchUpWithRetry();
    },
    stop: () => {
      isStopped = true;
      return engine.stop();
    },
  };
}

/**
 * Ends a serverless process on an older schema: the deployment migrates, not the instance. While the database is away,
 * requests get 503, and the check waits for it.
 */
async function requireSchema({ db, log }: Pick<ServiceContext, "db" | "log">): Promise<void> {
  try {
    const missing = (await listMissingMigrations(db)).join(", ");
    if (missing) throw new OperatorError(`The database lacks ${missing}; run \`npm run migrate\` before deploying`);
    await requireSession(db);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) endProcess(error);
    log.warn({ err: error }, "the database is unavailable at the start");
    await sleep(SCHEMA_RETRY);
    return requireSchema({ db, log });
  }
}
