import { addDays, type Day, HOUR, instant, type ManualClock, startOfDay } from "@/core/time";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import type { ServiceContext } from "@/server/context";
import { createJobs } from "@/server/jobs";

interface PlayOptions {
  clock: ManualClock;
  from: Day;
  to: Day;
  onDay?: (day: Day) => void;
}

/**
 * Lives through days at once: on each the clock is set to 06:00 UTC, the day's run is made by the very functions that
 * make it in production, its mails and posts are delivered, and earlier alerts are graded. Waiting moves the clock.
 */
export async function playDays(ctx: ServiceContext, { clock, from, to, onDay }: PlayOptions): Promise<void> {
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
