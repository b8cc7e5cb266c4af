import { toUtcDay } from "@/core/time";
import { countMails } from "@/features/notifications/mail-events.service";
import type { RunSummary } from "@/features/snapshots/schema";
import { getRunSummary } from "@/features/snapshots/service";
import type { ServiceContext } from "@/server/context";
import { createJobs } from "@/server/jobs";
import { createServiceContext } from "@/server/services";
import { beginChanges, createProgram, getSecondsSince, type Output, print, runProgram, withContext } from "./command";
import { formatFacts, startBar } from "./table";

const REFRESH_MS = 200;

async function runSnapshot(output: Output): Promise<void> {
  const result = await withContext((command) => runDay(createServiceContext(command.env, command)));
  print(output, result, formatFacts(result));
  if (result.failed > 0) process.exitCode = 1;
}

/** Makes today's daily run in this process, with the same functions as the job at 06:00 UTC. */
async function runDay(ctx: ServiceContext) {
  beginChanges();
  const day = toUtcDay(ctx.clock.now());
  const startedAt = performance.now();
  const { engine, requestRun, deliverWaiting } = await createJobs(ctx);
  const stopProgress = showProgress(ctx, day);
  try {
    await deliverWaiting();
    await requestRun();
    await engine.idle();
  } finally {
    await stopProgress();
    await engine.stop();
  }
  const run: Partial<RunSummary> = (await getRunSummary(ctx, day)) ?? {};
  const { planned = 0, read = 0, unavailable = 0, failed = 0, alerts = 0 } = run;
  const mails = await countMails(ctx, day);
  return { day, planned, read, unavailable, failed, alerts, mails, seconds: getSecondsSince(startedAt) };
}

/** Shows a progress bar on stderr when that is a terminal. */
function showProgress(ctx: ServiceContext, day: string): () => Promise<void> {
  const bar = startBar(0, "creators");
  const update = async () => {
    const summary = await getRunSummary(ctx, day);
    if (!summary) return;
    bar.setTotal(summary.planned);
    bar.update(summary.read + summary.unavailable + summary.failed);
  };
  const timer = setInterval(() => void update().catch(() => {}), REFRESH_MS);
  return async () => {
    clearInterval(timer);
    await update();
    bar.stop();
  };
}

await runProgram(
  createProgram("snapshot", "Make today's daily run now. Snapshots that exist are kept.").action(runSnapshot),
);
