import { addDays, type Day, type ManualClock } from "@/core/time";
import { readCause, takeLostCauses } from "@/features/alerts/cause.service";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import { compareChannels } from "@/features/backtest/comparison.service";
import type { PastSnapshot } from "@/features/growth/rules";
import { runBatches } from "@/features/snapshots/batches.service";
import { getRunTime } from "@/features/snapshots/rules";
import { closeRun, planRun } from "@/features/snapshots/service";
import { canCompareChannels, type ServiceContext } from "@/server/context";
import { createJobs } from "@/server/jobs";

type Days = { clock: ManualClock; from: Day; to: Day; onDay?: (day: Day) => void };

/**
 * Makes the daily run of each day in a row without waiting: the clock is set to 06:00 UTC, the batches of the run are
 * stored, the production jobs deliver, and earlier alerts are graded. Retries and throttles move the clock.
 */
export async function simulateDays(ctx: ServiceContext, days: Days): Promise<void> {
  const { clock, from, to, onDay } = days;
  const { engine, deliverAlerts, deliverWaiting } = await createJobs(ctx);
  const memory = new Map<string, PastSnapshot[]>();
  for (let day = from; day <= to; day = addDays(day, 1)) {
    clock.set(getRunTime(day));
    await deliverAlerts(await runDay(ctx, day, memory));
    await engine.drain((next) => clock.set(next));
    await gradeAlerts(ctx);
    onDay?.(day);
  }
  // What an earlier simulation left.
  await deliverWaiting();
  await engine.drain((next) => clock.set(next));
  await engine.stop();
}

async function runDay(ctx: ServiceContext, day: Day, memory: Map<string, PastSnapshot[]>): Promise<string[]> {
  const batches = await planRun(ctx, { day, scope: "open", plans: 0 }, PLANNER);
  const alertIds = await runBatches(ctx, day, batches, memory);
  for (const risen of await takeLostCauses(ctx, 0)) await readCause(ctx, risen);
  if (await closeRun(ctx, day)) await compareChannels(ctx, day, canCompareChannels(ctx));
  return alertIds;
}

/** The same in all simulations, so an interrupted one gets its batches again. */
const PLANNER = "simulation";
