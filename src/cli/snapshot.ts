import { SingleBar } from "cli-progress";
import { Command } from "commander";
import { utcDay } from "@/core/time";
import { countMails } from "@/features/notifications/mail-events.service";
import { runSummary } from "@/features/snapshots/service";
import type { ServiceContext } from "@/server/context";
import { createJobs } from "@/server/jobs";
import { createServiceContext } from "@/server/parts";
import { closeOnSignal, runCommand, withDatabase } from "./command";
import { facts } from "./table";

const PROGRESS_EVERY_MS = 200;

const program = new Command("snapshot")
  .description(
    "Collect today's snapshots now. What is collected already stays as it is. Run as: npm run snapshot",
  )
  .option("--json", "print the summary as one JSON object");

/** Today's collection by the very functions that run at 06:00 UTC, in this process. */
async function snapshot({ json }: { json?: boolean }): Promise<void> {
  await withDatabase(async ({ env, db, log }) => {
    const ctx = createServiceContext(env, { db, log });
    const day = utcDay(ctx.clock.now());
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
    const summary = await runSummary(ctx, day);
    const result = {
      day,
      planned: summary?.planned ?? 0,
      read: summary?.read ?? 0,
      unavailable: summary?.unavailable ?? 0,
      failed: summary?.failed ?? 0,
      alerts: summary?.alerts ?? 0,
      mails: await countMails(ctx, day),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
    process.stdout.write(`${json ? JSON.stringify(result) : facts(result)}\n`);
    if (result.failed > 0) process.exitCode = 1;
  });
}

/** A bar on stderr, where that is a terminal, fed by what the database shows of the run. */
function showProgress(ctx: ServiceContext, day: string): () => Promise<void> {
  const bar = new SingleBar({
    format: "{bar} {percentage}% | {value} of {total} creators",
    clearOnComplete: true,
    noTTYOutput: false,
  });
  const update = async () => {
    const summary = await runSummary(ctx, day);
    if (!summary) return;
    bar.setTotal(summary.planned);
    bar.update(summary.read + summary.unavailable + summary.failed);
  };
  bar.start(0, 0);
  const timer = setInterval(() => void update().catch(() => {}), PROGRESS_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await update();
    bar.stop();
  };
}

closeOnSignal();
await runCommand(async () => {
  program.parse();
  await snapshot(program.opts());
});
