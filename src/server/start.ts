import type { Database } from "@/core/db/client";
import { missingMigrations } from "@/core/db/migrate";
import { readEnv } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { installContext, openService } from "./context";
import { createJobs } from "./jobs";

/** Checks the environment and readies this process to serve. @throws OperatorError for a wrong environment */
export async function startService(): Promise<void> {
  const { ctx, quota, close } = openService(readEnv());
  if (ctx.env.serverless) await refuseOldSchema(ctx.db);
  const { env, log, platform, mailer, monitoring } = ctx;
  const parts = {
    database: env.database.kind,
    quota: env.quota.kind,
    jobs: "embedded",
    platform: platform.name,
    email: mailer.name,
    monitoring: monitoring.name,
  };
  log.info(parts, "parts");
  const { engine, served, catchUp } = await createJobs(ctx);
  const stop = async () => {
    await engine.stop();
    await quota.flush();
    await close();
  };
  installContext({ ...ctx, quota, jobs: served, stop });
  engine.start();
  await catchUp();
}

/** Instances that come and go do not migrate: the deployment does. */
async function refuseOldSchema(db: Database): Promise<void> {
  const missing = await missingMigrations(db);
  if (missing.length > 0)
    throw new OperatorError(
      `The database lacks ${missing.join(", ")}; run \`npm run migrate\` before deploying`,
    );
}
