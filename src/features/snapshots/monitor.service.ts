import { and, asc, desc, eq, gte, isNull } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import type { Heartbeat, Monitoring } from "@/core/mail/monitoring";
import { addDays, type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { runNotices, snapshotRuns } from "@/db/schema";
import { toIsoText } from "@/db/statement";
import { describeProblem, isCovered } from "./rules";
import { closeOvertaken, getRunSummary } from "./service";

const ADVICE = "The service retries every half hour. See the log and `npm run status`.";
const TOO_LATE = "The day is over, so missing snapshots stay missing. See the log and `npm run status`.";

export interface MonitorContext extends HeartbeatContext {
  monitoring: Monitoring;
}

/**
 * Reports runs that are missed, late, incomplete or failed to the monitoring channel, once for each day. A crash between
 * the channel's answer and the stored mark sends a notice twice. Notices that the channel refuses are sent the next time.
 * @throws DestinationError of the channel
 */
export async function reportRun(ctx: MonitorContext): Promise<void> {
  const { db, clock } = ctx;
  const now = clock.now();
  const today = toUtcDay(now);
  const overtaken = await closeOvertaken(ctx);
  for (const day of new Set([...overtaken, addDays(today, -1), today])) {
    const run = await getRunSummary(ctx, day);
    // Without a run of a past day, it is unknown whether there was anything to read.
    const problem = day === today || run?.finished_at ? describeProblem(day, run, now) : null;
    if (problem) await db.insert(runNotices).values({ day, problem, notedAt: now }).onConflictDoNothing();
  }
  while (await sendNotice(ctx, today));
}

/**
 * Reports a run that cannot go on without the operator. A notice that the channel refuses is sent by the next
 * {@link reportRun}.
 * @param problem in words that anyone may read
 */
export async function reportStopped(ctx: MonitorContext, day: Day, problem: string): Promise<void> {
  const { db, clock, log } = ctx;
  const noted = { day, problem: `The daily run of ${day} cannot go on: ${problem}`, notedAt: clock.now() };
  try {
    await db.insert(runNotices).values(noted).onConflictDoNothing();
    while (await sendNotice(ctx, toUtcDay(clock.now())));
  } catch (error) {
    log.error({ day, problem: getErrorMessage(error) }, "a notice could not be posted");
  }
}

function sendNotice({ db, clock, log, monitoring }: MonitorContext, today: Day): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [notice] = await tx
      .select()
      .from(runNotices)
      .where(isNull(runNotices.notifiedAt))
      .orderBy(asc(runNotices.day))
      .limit(1)
      // Two processes may send at the same time.
      .for("update", { skipLocked: true });
    if (!notice) return false;
    log.error({ day: notice.day, problem: notice.problem }, "the daily run needs the operator");
    await monitoring.notify(`${notice.problem}. ${notice.day === today ? ADVICE : TOO_LATE}`);
    await tx.update(runNotices).set({ notifiedAt: clock.now() }).where(eq(runNotices.day, notice.day));
    return true;
  });
}

/** Problems of daily runs from a day on, newest first. */
export function listIncidents({ db }: CoreContext, since: Day) {
  const { day, problem, notedAt } = runNotices;
  const incident = { day, problem, noted_at: toIsoText(notedAt) };
  return db.select(incident).from(runNotices).where(gte(day, since)).orderBy(desc(day));
}

export interface HeartbeatContext extends CoreContext {
  /** Null where no address is set. */
  heartbeat: Heartbeat | null;
}

/**
 * Requests the heartbeat address once today's run is complete, so that something outside notices when it never is. The run
 * monitor repeats a request that failed. A crash between the answer and the stored mark requests it twice.
 */
export async function sendHeartbeat({ heartbeat, ...ctx }: HeartbeatContext): Promise<void> {
  if (!heartbeat) return;
  const { db, clock, log } = ctx;
  const day = toUtcDay(clock.now());
  const run = await getRunSummary(ctx, day);
  if (!run?.finished_at || !isCovered(run)) return;
  await db
    .transaction(async (tx) => {
      const [due] = await tx
        .select({ day: snapshotRuns.day })
        .from(snapshotRuns)
        .where(and(eq(snapshotRuns.day, day), isNull(snapshotRuns.heartbeatAt)))
        .for("update", { skipLocked: true });
      if (!due) return;
      await heartbeat.send();
      await tx.update(snapshotRuns).set({ heartbeatAt: clock.now() }).where(eq(snapshotRuns.day, day));
    })
    .catch((error) => log.warn({ day, problem: getErrorMessage(error) }, "the heartbeat failed"));
}
