import { readEnv } from "@/core/env";
import { installContext, openService } from "./context";
import { createJobs } from "./jobs";

/** Checks the environment and readies this process to serve. @throws OperatorError for a wrong environment */
export async function startService(): Promise<void> {
  const context = openService(readEnv());
  const jobs = await createJobs(context);
  installContext({ ...context, jobs: jobs.served });
  jobs.engine.start();
  await jobs.catchUp();
}
