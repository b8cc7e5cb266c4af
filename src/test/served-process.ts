import type { AddressInfo } from "node:net";
import path from "node:path";
import { openApi } from "@/cli/api";
import { runCommand } from "@/cli/command";
import { openHttpServer, sendError } from "@/cli/http";
import { readEnv } from "@/core/env";
import { createLog } from "@/core/log/log";
import { MINUTE, toDate } from "@/core/time";
import { openDatabase } from "@/db/open";
import { installContext } from "@/server/context";
import { createJobs } from "@/server/jobs";
import { createServiceContext } from "@/server/services";
import { createAppContext } from "@/server/start";

type Order = "settle" | "sweep";

/**
 * The service as `npm start` puts it together, without its pages and at an hour of its own: embedded database and job
 * engine, and /api on a port that it tells its parent. `settle` is done once no job is left, `sweep` once it has
 * taken up deliveries ten minutes later. Run as `served-process <instant>` with the service's variables and a channel
 * to the parent.
 */
async function serve(): Promise<void> {
  const [at = ""] = process.argv.slice(2);
  let begun = toDate(at).getTime() - performance.now();
  const clock = { now: () => toDate(begun + performance.now()) };
  const env = readEnv();
  const log = createLog({ level: env.logLevel });
  const { db } = await openDatabase(env, "app", log);
  const ctx = createServiceContext(env, { db, log, clock });
  const { engine, served, requestRenewal, catchUp } = await createJobs(ctx);
  const running = { jobs: served, requestRenewal, countPending: () => 0, sandbox: null, stop: () => engine.stop() };
  installContext(createAppContext(ctx, running));
  engine.start();
  await catchUp();
  const { server, serve } = await openHttpServer({ port: 0, trustedProxies: [], log });
  serve({
    api: await openApi(path.join(import.meta.dirname, "../app"), log),
    page: (_request, response) => sendError(response, 404, "No page"),
    recordRefusal: () => {},
  });
  process.send?.((server.address() as AddressInfo).port);

  /** Runs jobs until none is left. Sets the clock ahead where one waits, as for the end of a lease. */
  const settle = () =>
    engine.drain((next) => {
      begun = Math.max(begun, next.getTime() - performance.now());
    });
  const orders: Record<Order, () => unknown> = {
    settle,
    sweep: () => {
      begun += 10 * MINUTE;
      engine.fireCron("creator-growth-sweep-deliveries", clock.now());
      return settle();
    },
  };
  process.on("message", async (order: Order) => {
    await orders[order]();
    process.send?.({ done: order });
  });
}

process.once("disconnect", () => process.exit(1));
await runCommand(serve);
