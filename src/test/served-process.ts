import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runCommand } from "@/cli/command";
import { openLane } from "@/cli/lane";
import { openDatabase } from "@/core/db/open";
import { readEnv } from "@/core/env";
import { createGate } from "@/core/gate";
import { createLog } from "@/core/log";
import { createMetrics } from "@/core/metrics";
import { instant } from "@/core/time";
import { createRequestLog } from "@/features/requests/service";
import { installContext } from "@/server/context";
import { createJobs } from "@/server/jobs";
import { createQuota, createServiceContext } from "@/server/parts";

/**
 * The service as `npm start` puts it together, without its pages and at an hour of its own: embedded database and job
 * engine, and /api on a port that it tells its parent. Told `settle`, it answers once no job is left. Run as
 * `node --import tsx src/test/served-process.ts <instant>` with the service's variables and a channel to the parent.
 */
async function serve(): Promise<void> {
  const [at = ""] = process.argv.slice(2);
  const begun = instant(at).getTime() - performance.now();
  const clock = { now: () => instant(begun + performance.now()) };
  const env = readEnv();
  const log = createLog({ level: env.logLevel });
  const { db } = await openDatabase(env, "app", log);
  const ctx = createServiceContext(env, { db, log, clock });
  const { engine, served, requestRenewal, catchUp } = await createJobs(ctx);
  const requests = createRequestLog(ctx);
  const stop = () => engine.stop();
  installContext({
    ...ctx,
    quota: createQuota(ctx),
    jobs: served,
    requests,
    metrics: createMetrics(),
    gate: createGate(),
    requestRenewal,
    stop,
  });
  engine.start();
  await catchUp();
  const server = createServer(await openLane());
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.on("message", () => void engine.idle().then(() => process.send?.("settled")));
}

process.once("disconnect", () => process.exit(1));
await runCommand(serve);
