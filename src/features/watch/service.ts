import { asc, eq, isNull } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { runNotices } from "@/core/db/schema";
import type { Monitoring } from "@/core/monitoring";
import { addDays, utcDay } from "@/core/time";
import { closeOvertaken, runSummary } from "@/features/snapshots/service";
import { runProblem } from "./rules";

const ADVICE = "It is taken up every half hour; see the log, and `npm run status`.";

const TOO_LATE = "Its day is over, so that what is missing stays so; see the log, and `npm run status`.";

/** What watching over the daily run needs. */
export interface WatchContext extends CoreContext {
  monitoring: Monitoring;
}

/**
 * Tells the monitoring channel of a run that is missed, late, incomplete or failed, as of one that its day overtook: once
 * for each day, though a crash between the channel's answer and our mark makes it twice. What the channel did not take is
 * told the next time.
 * @throws whatever the channel threw
 */
export async function tellOfRun(ctx: WatchContext): Promise<void> {
  const { db, clock, log, monitoring } = ctx;
  const now = clock.now();
  const today = utcDay(now);
  const overtaken = await closeOvertaken(ctx);
  for (const day of new Set([...overtaken, addDays(today, -1), today])) {
    const run = await runSummary(ctx, day);
    // Without a run nobody can tell of a day that is over whether there was anything to read.
    const problem = day === today || run?.finished_at ? runProblem(day, run, now) : null;
    if (problem) await db.insert(runNotices).values({ day, problem, notedAt: now }).onConflictDoNothing();
  }
  const untold = await db
    .select()
    .from(runNotices)
    .where(isNull(runNotices.toldAt))
    .orderBy(asc(runNotices.day));
  for (const notice of untold) {
    log.error({ day: notice.day, problem: notice.problem }, "the daily run needs the operator");
    await monitoring.notify(`${notice.problem}. ${notice.day === today ? ADVICE : TOO_LATE}`);
    await db.update(runNotices).set({ toldAt: clock.now() }).where(eq(runNotices.day, notice.day));
  }
}
