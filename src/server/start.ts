import { readEnv } from "@/core/env";
import { createRequestLog } from "@/features/requests/service";
import { installContext, openService } from "./context";
import { createJobs } from "./jobs";

/** Checks the environment and readies this process to serve. @throws OperatorError for a wrong environment */
export async function startService(): Promise<void> {
  const { ctx, quota, close } = openService(readEnv());
  const { env, log, platform, mailer, monitoring } = ctx;
  const parts = {
    database: env.database.kind,
    quota: "postgres",
    jobs: "embedded",
    platform: platform.name,
    email: mailer.name,
    monitoring: monitoring.name,
  };
  log.info(parts, "parts");
  const { engine, served, catchUp } = await createJobs(ctx);
  // A process that may be frozen once it has answered cannot wait.
  const requests = createRequestLog(ctx, env.serverless ? { flushAfter: 0 } : {});
  const stop = async (answered: Promise<unknown>) => {
    await Promise.all([engine.stop(), answered]);
    await requests.flush();
    await close();
  };
  installContext({ ...ctx, quota, jobs: served, requests, stop });
  engine.start();
  await catchUp();
}
