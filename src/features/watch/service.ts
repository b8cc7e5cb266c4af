import { asc, eq, isNull } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { runNotices } from "@/core/db/schema";
import type { Monitoring } from "@/core/monitoring";
import { utcDay } from "@/core/time";
import { runSummary } from "@/features/snapshots/service";
import { runProblem } from "./rules";

const ADVICE = "It is taken up every half hour; see the log, and `npm run status`.";

/** What watching over the daily run needs. */
export interface WatchContext extends CoreContext {
  monitoring: Monitoring;
}

/**
 * Tells the monitoring channel of a run that is missed, late, incomplete or failed: once for each day, though a crash
 * between the channel's answer and our mark makes it twice. What the channel did not take is told the next time.
 * @throws whatever the channel threw
 */
export async function tellOfRun(ctx: WatchContext): Promise<void> {
  const { db, clock, log, monitoring } = ctx;
  const now = clock.now();
  const day = utcDay(now);
  const problem = runProblem(day, await runSummary(ctx, day), now);
  if (problem) await db.insert(runNotices).values({ day, problem, notedAt: now }).onConflictDoNothing();
  const untold = await db
    .select()
    .from(runNotices)
    .where(isNull(runNotices.toldAt))
    .orderBy(asc(runNotices.day));
  for (const notice of untold) {
    log.error({ day: notice.day, problem: notice.problem }, "the daily run needs the operator");
    await monitoring.notify(`${notice.problem}. ${ADVICE}`);
    await db.update(runNotices).set({ toldAt: clock.now() }).where(eq(runNotices.day, notice.day));
  }
}
