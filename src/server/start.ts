import { type Database, isDatabaseUnavailable, requireSession } from "@/core/db/client";
import { missingMigrations } from "@/core/db/migrate";
import { readEnv } from "@/core/env";
import { isOperatorError, OperatorError } from "@/core/errors";
import { REQUEST_ID_HEADER } from "@/core/http/request-id";
import { createMetrics } from "@/core/log/metrics";
import { MINUTE, SECOND } from "@/core/time";
import { withoutKeys } from "@/features/keys/requests.rules";
import { createRequestLog } from "@/features/keys/requests.service";
import { appContext, installContext, type ServiceContext } from "./context";
import type { RunningJobs } from "./jobs";
import { openService } from "./parts";

/** Longer than any verb waits for another service, and shorter than most clients wait. */
const REQUEST_TIMEOUT = 29 * SECOND;

/**
 * Checks the environment and readies this process to serve. A mistake of the operator is one line and the end of the
 * process, as with every command: of an error Next would print the stack.
 */
export async function startService(): Promise<void> {
  await open().catch((error) => {
    if (!isOperatorError(error)) throw error;
    process.stderr.write(`Error: ${error.message}\n`);
    process.exit(1);
  });
}

async function open(): Promise<void> {
  const { ctx, quota, close } = openService(readEnv());
  if (ctx.env.serverless) {
    await refuseOldSchema(ctx.db);
    await requireSession(ctx.db);
  }
  const { env, log, platform, mailer, monitoring } = ctx;
  const parts = {
    database: env.database.kind,
    quota: env.quota.kind,
    jobs: env.jobs.kind,
    platform: platform.name,
    email: mailer.name,
    monitoring: monitoring.name,
  };
  log.info(parts, "parts");
  const jobs = await openJobs(ctx);
  // A process that may be frozen once it has answered cannot wait.
  const requests = createRequestLog(ctx, env.serverless ? { flushAfter: 0 } : {});
  const stop = async (answered: Promise<unknown>) => {
    await Promise.all([jobs.stop(), answered]);
    await Promise.all([quota.flush(), requests.flush()]);
    await close();
  };
  installContext({
    ...ctx,
    quota,
    jobs: jobs.served,
    requests,
    metrics: createMetrics(),
    unavailablePages: new Set(),
    requestTimeout: REQUEST_TIMEOUT,
    requestRenewal: jobs.requestRenewal,
    stop,
  });
  await jobs.start();
}

/** Logs one line for a page that failed, with the digest that its reader is shown. */
export function notePageFailure(
  error: unknown,
  path: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): void {
  const [page = ""] = path.split("?");
  const requestId = headers[REQUEST_ID_HEADER]?.toString();
  if (requestId && isDatabaseUnavailable(error)) appContext().unavailablePages.add(requestId);
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  appContext().log.error({ err: error, requestId, digest, path: withoutKeys(page) }, "page failed");
}

/**
 * The jobs as the environment says: run by an embedded engine in this process, or by Inngest. Where Inngest runs them,
 * an instance that comes and goes loads them with the first request that needs them.
 */
async function openJobs(ctx: ServiceContext): Promise<RunningJobs> {
  const { jobs } = ctx.env;
  if (jobs.kind === "embedded") return openEmbeddedJobs(ctx);
  const load = async () => (await import("./inngest")).createInngestJobs(ctx, jobs);
  let loaded: Promise<RunningJobs> | null = null;
  const loadOnce = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    served: {
      GET: async (...call) => (await loadOnce()).served.GET(...call),
      POST: async (...call) => (await loadOnce()).served.POST(...call),
      PUT: async (...call) => (await loadOnce()).served.PUT(...call),
    },
    requestRenewal: async (niche) => (await loadOnce()).requestRenewal(niche),
    start: async () => {
      if (!ctx.env.serverless) await (await loadOnce()).start();
    },
    stop: async () => (await loaded)?.stop(),
  };
}

const CATCH_UP_AGAIN = MINUTE;

async function openEmbeddedJobs(ctx: ServiceContext): Promise<RunningJobs> {
  const { createJobs } = await import("./jobs");
  const { engine, served, requestRenewal, catchUp } = await createJobs(ctx);
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;
  const takeUp = () =>
    catchUp().catch((error) => {
      if (isStopped) return;
      ctx.log.error(
        { err: error },
        "what was left or missed could not be taken up; trying again in a minute",
      );
      retry = setTimeout(takeUp, CATCH_UP_AGAIN).unref();
    });
  return {
    served,
    requestRenewal,
    start: async () => {
      engine.start();
      // Nobody waits for it: a process that serves must not be kept from it by what an earlier one left.
      void takeUp();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(retry);
      return engine.stop();
    },
  };
}

/** Instances that come and go do not migrate: the deployment does. */
async function refuseOldSchema(db: Database): Promise<void> {
  const missing = await missingMigrations(db);
  if (missing.length > 0)
    throw new OperatorError(
      `The database lacks ${missing.join(", ")}; run \`npm run migrate\` before deploying`,
    );
}
