import { readEnv } from "@/core/env";
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
  const stop = async (answered: Promise<unknown>) => {
    await Promise.all([engine.stop(), answered]);
    await close();
  };
  installContext({ ...ctx, quota, jobs: served, stop });
  engine.start();
  await catchUp();
}
