import { and, desc, eq, inArray, isNull, lt, max, notExists, type SQLWrapper, sql } from "drizzle-orm";
import { type Day, MINUTE, SECOND, startOfDay, toDate, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { snapshotBatches, snapshotRuns } from "@/db/schema";
import { toIsoText } from "@/db/statement";
import { CHANNELS_PER_CALL } from "@/platform/port";
import { UNREAD_SQL } from "./batches.service";
import { RUN_AT, requireDay } from "./rules";
import type { RunSummary } from "./schema";

export interface PlanRequest {
  day: Day;
  /** Of a day that has a plan: all batches that are not done, or only those that failed. */
  scope: "open" | "failed";
  /** How many plans the day had when this was requested. */
  plans: number;
}

/**
 * Plans the batches of a day, one for each 50 distinct channels that an active key tracks. Of several planners that saw
 * the same number of plans, one gets the batches and the others get none.
 * @param planner id of the job run; the same planner gets the same batches again
 * @returns the batches to read
 * @throws DayOverError on any other day
 */
export async function planRun(ctx: CoreContext, { day, scope, plans }: PlanRequest, planner: string) {
  requireDay(ctx, day);
  return inTransaction(ctx, async (tx) => {
    const { db, clock, log } = tx;
    // A key that starts tracking at the same moment does so entirely before the plan or entirely after it.
    await db.execute(sql`lock tracked_creators in share mode`);
    const [run] = await db
      .insert(snapshotRuns)
      .values({ day, startedAt: clock.now(), plans: 1, plannedBy: planner })
      .onConflictDoUpdate({
        target: snapshotRuns.day,
        set: { plans: sql`${snapshotRuns.plans} + 1`, plannedBy: planner },
        setWhere: eq(snapshotRuns.plans, plans),
      })
      .returning({ plans: snapshotRuns.plans });
    if (!run) return listPendingBatches(tx, day, planner);
    if (run.plans === 1) await insertBatches(tx, day);
    const taken = await db
      .update(snapshotBatches)
      .set({ status: "pending", touchedAt: clock.now() })
      .where(and(eq(snapshotBatches.day, day), inArray(snapshotBatches.status, OPEN_STATUSES[scope])))
      .returning({ batch: snapshotBatches.batch });
    if (run.plans === 1) log.info({ day, batches: taken.length }, "daily run started");
    if (taken.length > 0) await db.update(snapshotRuns).set({ finishedAt: null }).where(eq(snapshotRuns.day, day));
    return taken.map(({ batch }) => batch).sort((one, other) => one - other);
  });
}

const OPEN_STATUSES = { open: ["pending" as const, "failed" as const], failed: ["failed" as const] };

/** The pending batches of a day, if this planner made its latest plan. */
async function listPendingBatches({ db }: CoreContext, day: Day, planner: string): Promise<number[]> {
  const { batch, day: plannedFor, status } = snapshotBatches;
  const pending = await db
    .select({ batch })
    .from(snapshotBatches)
    .innerJoin(snapshotRuns, eq(snapshotRuns.day, plannedFor))
    .where(and(eq(plannedFor, day), eq(status, "pending"), eq(snapshotRuns.plannedBy, planner)))
    .orderBy(batch);
  return pending.map((row) => row.batch);
}

/** Creators that active keys track. */
const TRACKED_SQL = sql`tracked_creators
  join api_keys on api_keys.id = tracked_creators.key_id and api_keys.revoked_at is null`;

async function insertBatches({ db, clock }: CoreContext, day: Day): Promise<void> {
  await db.execute(sql`
    insert into snapshot_batches (day, batch, channel_ids, status, touched_at)
    select ${day}::date, (position - 1) / ${CHANNELS_PER_CALL}::int, array_agg(channel_id order by channel_id),
      'pending', ${clock.now().toISOString()}::timestamptz
    from (
      select channel_id, row_number() over (order by channel_id) as position from ${TRACKED_SQL} group by channel_id
    ) as tracked
    group by 2`);
}

/**
 * Upstream calls that daily runs need until an instant if none fails: one for each open batch of today, and those of a
 * run that is due by then but not planned yet.
 */
export async function countCallsNeeded({ db, clock }: CoreContext, until: Date): Promise<number> {
  const lastDue = toUtcDay(toDate(until.getTime() - RUN_AT));
  const [row] = await db.execute<{ calls: number }>(sql`
    select (
      (select count(*) from snapshot_batches where status <> 'done' and day >= ${toUtcDay(clock.now())}::date)
      + case when exists (select from snapshot_runs where day = ${lastDue}::date) then 0
        else (select ceil(count(distinct channel_id)::numeric / ${CHANNELS_PER_CALL}::int) from ${TRACKED_SQL}) end
    )::int as calls`);
  return row?.calls ?? 0;
}

/** Finishes a run that has no pending batch. @returns whether this call finished it */
export async function closeRun(ctx: CoreContext, day: Day): Promise<boolean> {
  const { db, clock } = ctx;
  const isWaiting = and(eq(snapshotBatches.day, day), sql`${snapshotBatches.status} = 'pending'`);
  const waiting = db.select({ batch: snapshotBatches.batch }).from(snapshotBatches).where(isWaiting);
  const isOver = and(eq(snapshotRuns.day, day), isNull(snapshotRuns.finishedAt), notExists(waiting));
  const { count } = await db.update(snapshotRuns).set({ finishedAt: clock.now() }).where(isOver);
  if (count > 0) await logFinished(ctx, day);
  return count > 0;
}

async function logFinished(ctx: CoreContext, day: Day): Promise<void> {
  const run = await getRunSummary(ctx, day);
  if (!run) return;
  const { started_at, finished_at: _, ...counts } = run;
  const seconds = (ctx.clock.now().getTime() - toDate(started_at).getTime()) / SECOND;
  ctx.log.info({ ...counts, seconds }, "daily run finished");
}

/**
 * Finishes the runs of past days and fails their pending batches, since nothing is written for a past day. A batch that
 * is still being finished has until 00:30 UTC.
 * @returns the days of those runs
 */
export async function closeOvertaken({ db, clock }: CoreContext): Promise<Day[]> {
  const now = clock.now();
  const today = toUtcDay(toDate(now.getTime() - STALLED_AFTER));
  return db.transaction(async (tx) => {
    const failed = { status: "failed", failed: UNREAD_SQL, problem: "the day was over before it was read" } as const;
    const isPending = and(lt(snapshotBatches.day, today), eq(snapshotBatches.status, "pending"));
    await tx.update(snapshotBatches).set(failed).where(isPending);
    const isOpen = and(lt(snapshotRuns.day, today), isNull(snapshotRuns.finishedAt));
    const ended = tx.update(snapshotRuns).set({ finishedAt: now }).where(isOpen);
    return (await ended.returning({ day: snapshotRuns.day })).map(({ day }) => day);
  });
}

/** The run of a day, or the latest run; null when there is none. */
export async function getRunSummary(ctx: CoreContext, day?: Day): Promise<RunSummary | null> {
  const [run] = await listRecentRuns(ctx, 1, day);
  return run ?? null;
}

/** The latest runs, newest first. @param day only the run of this day */
export function listRecentRuns({ db }: CoreContext, limit: number, day?: Day): Promise<RunSummary[]> {
  const sumSql = (value: SQLWrapper) => sql<number>`coalesce(sum(${value}), 0)::int`;
  return db
    .select({
      day: snapshotRuns.day,
      started_at: toIsoText(snapshotRuns.startedAt),
      finished_at: toIsoText(snapshotRuns.finishedAt),
      planned: sumSql(sql`cardinality(${snapshotBatches.channelIds})`),
      read: sumSql(snapshotBatches.recorded),
      unavailable: sumSql(snapshotBatches.unavailable),
      failed: sumSql(snapshotBatches.failed),
      alerts: sumSql(snapshotBatches.alerts),
    })
    .from(snapshotRuns)
    .leftJoin(snapshotBatches, eq(snapshotBatches.day, snapshotRuns.day))
    .where(day === undefined ? undefined : eq(snapshotRuns.day, day))
    .groupBy(snapshotRuns.day)
    .orderBy(desc(snapshotRuns.day))
    .limit(limit);
}

/** A run whose batches were not touched for this long is stalled. */
export const STALLED_AFTER = 30 * MINUTE;

/**
 * What is left to read of today's run that no job works on, or null.
 * @param stalledFor milliseconds without a touch after which pending batches count as lost; 0 where no job can be alive
 */
export async function findRemainingWork({ db, clock }: CoreContext, stalledFor: number): Promise<PlanRequest | null> {
  const now = clock.now();
  const day = toUtcDay(now);
  const [run] = await db
    .select({ finishedAt: snapshotRuns.finishedAt, plans: snapshotRuns.plans })
    .from(snapshotRuns)
    .where(eq(snapshotRuns.day, day));
  if (!run) return now.getTime() >= startOfDay(day).getTime() + RUN_AT ? { day, scope: "open", plans: 0 } : null;
  const [left] = await db
    .select({
      pending: sql<boolean>`coalesce(bool_or(${snapshotBatches.status} = 'pending'), false)`,
      failed: sql<boolean>`coalesce(bool_or(${snapshotBatches.status} = 'failed'), false)`,
      touchedAt: max(snapshotBatches.touchedAt),
    })
    .from(snapshotBatches)
    .where(eq(snapshotBatches.day, day));
  // A batch that waits for the platform has a touch in the future.
  const isStalled = stalledFor === 0 || !left?.touchedAt || left.touchedAt.getTime() <= now.getTime() - stalledFor;
  const { plans } = run;
  if ((left?.pending || !run.finishedAt) && isStalled) return { day, scope: "open", plans };
  return left?.failed ? { day, scope: "failed", plans } : null;
}
