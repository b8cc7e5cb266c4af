import { asc, eq, isNull } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { runNotices } from "@/core/db/schema";
import type { Monitoring } from "@/core/mail/monitoring";
import { addDays, type Day, utcDay } from "@/core/time";
import { runProblem } from "./monitor.rules";
import { closeOvertaken, runSummary } from "./service";

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
  const { db, clock } = ctx;
  const now = clock.now();
  const today = utcDay(now);
  const overtaken = await closeOvertaken(ctx);
  for (const day of new Set([...overtaken, addDays(today, -1), today])) {
    const run = await runSummary(ctx, day);
    // Without a run nobody can tell of a day that is over whether there was anything to read.
    const problem = day === today || run?.finished_at ? runProblem(day, run, now) : null;
    if (problem) await db.insert(runNotices).values({ day, problem, notedAt: now }).onConflictDoNothing();
  }
  while (await tellNext(ctx, today));
}

/** Tells of the first notice that nobody tells of. @returns whether there was one */
function tellNext({ db, clock, log, monitoring }: WatchContext, today: Day): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [notice] = await tx
      .select()
      .from(runNotices)
      .where(isNull(runNotices.toldAt))
      .orderBy(asc(runNotices.day))
      .limit(1)
      // Two processes look at the same instant.
      .for("update", { skipLocked: true });
    if (!notice) return false;
    log.error({ day: notice.day, problem: notice.problem }, "the daily run needs the operator");
    await monitoring.notify(`${notice.problem}. ${notice.day === today ? ADVICE : TOO_LATE}`);
    await tx.update(runNotices).set({ toldAt: clock.now() }).where(eq(runNotices.day, notice.day));
    return true;
  });
}
