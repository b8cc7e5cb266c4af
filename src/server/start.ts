import { readEnv } from "@/core/env";
import { installContext, openService } from "./context";
import { createJobs } from "./jobs";

/** Checks the environment and readies this process to serve. @throws OperatorError for a wrong environment */
export async function startService(): Promise<void> {
  const context = openService(readEnv());
  const { env, log, platform, mailer, monitoring } = context;
  const parts = {
    database: env.database.kind,
    quota: "postgres",
    jobs: "embedded",
    platform: platform.name,
    email: mailer.name,
    monitoring: monitoring.name,
  };
  log.info(parts, "parts");
  const jobs = await createJobs(context);
  installContext({ ...context, jobs: jobs.served });
  jobs.engine.start();
  await jobs.catchUp();
}
