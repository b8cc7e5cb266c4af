import { addDays, type Day, HOUR, instant, type ManualClock, startOfDay } from "@/core/time";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import type { ServiceContext } from "@/server/context";
import { createJobs } from "@/server/jobs";

type Days = { clock: ManualClock; from: Day; to: Day; onDay?: (day: Day) => void };

/**
 * Makes the daily run of each day in a row without waiting: the clock is set to 06:00 UTC, the production jobs run and
 * deliver, and earlier alerts are graded. Retries and throttles move the clock.
 */
export async function simulateDays(ctx: ServiceContext, days: Days): Promise<void> {
  const { clock, from, to, onDay } = days;
  const { engine, requestRun } = await createJobs(ctx);
  for (let day = from; day <= to; day = addDays(day, 1)) {
    clock.set(dailyRunAt(day));
    await requestRun();
    await engine.drain((next) => clock.set(next));
    await gradeAlerts(ctx);
    onDay?.(day);
  }
  await engine.stop();
}

/** The instant of a day's run: 06:00 UTC. */
export function dailyRunAt(day: Day): Date {
  return instant(startOfDay(day).getTime() + 6 * HOUR);
}
