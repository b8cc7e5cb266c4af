import type { Database } from "@/core/db/client";
import { missingMigrations } from "@/core/db/migrate";
import { readEnv } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { withoutKeys } from "@/features/requests/rules";
import { createRequestLog } from "@/features/requests/service";
import { appContext, installContext, openService, type ServiceContext } from "./context";
import { createInngestJobs } from "./inngest";
import { createJobs, type RunningJobs } from "./jobs";

/** Checks the environment and readies this process to serve. @throws OperatorError for a wrong environment */
export async function startService(): Promise<void> {
  const { ctx, quota, close } = openService(readEnv());
  if (ctx.env.serverless) await refuseOldSchema(ctx.db);
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
    requestRenewal: jobs.requestRenewal,
    stop,
  });
  await jobs.start();
}

/** One line for a page that failed, with the digest that its reader is shown. */
export function logPageFailure(error: unknown, path: string, requestId: string | undefined): void {
  const [page = ""] = path.split("?");
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  appContext().log.error({ err: error, requestId, digest, path: withoutKeys(page) }, "page failed");
}

/** The jobs as the environment says: run by an embedded engine in this process, or by Inngest. */
async function openJobs(ctx: ServiceContext): Promise<RunningJobs> {
  const { jobs } = ctx.env;
  if (jobs.kind !== "embedded") return createInngestJobs(ctx, jobs);
  const { engine, served, requestRenewal, catchUp } = await createJobs(ctx);
  const start = async () => {
    engine.start();
    await catchUp();
  };
  return { served, requestRenewal, start, stop: () => engine.stop() };
}

/** Instances that come and go do not migrate: the deployment does. */
async function refuseOldSchema(db: Database): Promise<void> {
  const missing = await missingMigrations(db);
  if (missing.length > 0)
    throw new OperatorError(
      `The database lacks ${missing.join(", ")}; run \`npm run migrate\` before deploying`,
    );
}
