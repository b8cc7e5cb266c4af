import {
  and,
  desc,
  eq,
  inArray,
  isNull,
  lt,
  max,
  ne,
  notExists,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { snapshotBatches, snapshotRuns } from "@/core/db/schema";
import { type Day, HOUR, instant, MINUTE, SECOND, startOfDay, utcDay } from "@/core/time";
import { createAlerts, untoldAlerts } from "@/features/alerts/service";
import { recordReadings } from "@/features/growth/service";
import { CHANNELS_PER_CALL, type ChannelReading, type PlatformContext, PlatformError } from "@/platform/port";
import type { RunSummary } from "./schema";

/** Time of day at which the run is due: 06:00 UTC. */
const RUN_AT = 6 * HOUR;
/** No call of the platform takes longer with all its tries, unless the process was halted. */
const READING_LIMIT = 5 * MINUTE;
const HALTED_RETRY_SECONDS = 1;

/** What to read of a day. */
export interface PlanRequest {
  day: Day;
  /** Of a day that has a plan: all batches that are not done, or only those that failed. */
  scope: "open" | "failed";
  /** How many plans the day had when this was requested. */
  plans: number;
}

/**
 * Plans the batches of a day, one for each 50 distinct channels that a standing key tracks. Of several planners that
 * saw the same number of plans, one gets the batches and the others get none.
 * @param planner id of the job run; the same planner gets the same batches again
 * @returns the batches to read
 * @throws DayOverError on any other day
 */
export async function planRun(
  ctx: CoreContext,
  { day, scope, plans }: PlanRequest,
  planner: string,
): Promise<number[]> {
  const { db, clock } = ctx;
  requireDay(ctx, day);
  return db.transaction(async (tx) => {
    // A key that begins to track a creator does so before the plan, or after it.
    await tx.execute(sql`lock tracked_creators in share mode`);
    const [run] = await tx
      .insert(snapshotRuns)
      .values({ day, startedAt: clock.now(), plans: 1, plannedBy: planner })
      .onConflictDoUpdate({
        target: snapshotRuns.day,
        set: { plans: sql`${snapshotRuns.plans} + 1`, plannedBy: planner },
        setWhere: eq(snapshotRuns.plans, plans),
      })
      .returning({ plans: snapshotRuns.plans });
    if (!run) return pendingBatches(tx, day, planner);
    if (run.plans === 1) await insertBatches(tx, day, clock.now());
    const taken = await tx
      .update(snapshotBatches)
      .set({ status: "pending", touchedAt: clock.now() })
      .where(and(eq(snapshotBatches.day, day), inArray(snapshotBatches.status, OPEN_STATUSES[scope])))
      .returning({ batch: snapshotBatches.batch });
    if (taken.length > 0)
      await tx.update(snapshotRuns).set({ finishedAt: null }).where(eq(snapshotRuns.day, day));
    return taken.map(({ batch }) => batch).sort((one, other) => one - other);
  });
}

const OPEN_STATUSES = { open: ["pending" as const, "failed" as const], failed: ["failed" as const] };

/** The pending batches of a day, if this planner made its latest plan. */
async function pendingBatches(db: Database, day: Day, planner: string): Promise<number[]> {
  const pending = await db
    .select({ batch: snapshotBatches.batch })
    .from(snapshotBatches)
    .innerJoin(snapshotRuns, eq(snapshotRuns.day, snapshotBatches.day))
    .where(
      and(
        eq(snapshotBatches.day, day),
        eq(snapshotBatches.status, "pending"),
        eq(snapshotRuns.plannedBy, planner),
      ),
    )
    .orderBy(snapshotBatches.batch);
  return pending.map(({ batch }) => batch);
}

/** What standing keys track. */
const TRACKED = sql`tracked_creators
  join api_keys on api_keys.id = tracked_creators.key_id and api_keys.revoked_at is null`;

async function insertBatches(db: Database, day: Day, at: Date): Promise<void> {
  await db.execute(sql`
    insert into snapshot_batches (day, batch, channel_ids, status, touched_at)
    select ${day}::date, (position - 1) / ${CHANNELS_PER_CALL}::int, array_agg(channel_id order by channel_id),
      'pending', ${at.toISOString()}::timestamptz
    from (
      select channel_id, row_number() over (order by channel_id) as position from ${TRACKED} group by channel_id
    ) as tracked
    group by 2`);
}

/**
 * Upstream calls that daily runs still need before an instant, should none fail: those for the batches of today's run
 * that are not done, and those for all tracked channels where a run that falls due by then is not planned yet.
 */
export async function callsNeeded(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  until: Date,
): Promise<number> {
  const lastDue = utcDay(instant(until.getTime() - RUN_AT));
  const [row] = await db.execute<{ calls: number }>(sql`
    select (
      (select count(*) from snapshot_batches where status <> 'done' and day >= ${utcDay(clock.now())}::date)
      + case when exists (select from snapshot_runs where day = ${lastDue}::date) then 0
        else (select ceil(count(distinct channel_id)::numeric / ${CHANNELS_PER_CALL}::int) from ${TRACKED}) end
    )::int as calls`);
  return row?.calls ?? 0;
}

/** A batch came too late: nothing is written for a day that has passed. */
export class DayOverError extends Error {
  constructor(day: Day) {
    super(`the day ${day} is over`);
    this.name = "DayOverError";
  }
}

/** What one upstream call showed, and when (ISO 8601). */
export interface BatchReading {
  readAt: string;
  readings: ChannelReading[];
}

/**
 * What a batch's channels look like on the platform now, by one upstream call. None when the batch is done.
 * @throws DayOverError, PlatformError
 */
export async function readBatch(ctx: PlatformContext, day: Day, batch: number): Promise<BatchReading> {
  const now = requireDay(ctx, day);
  const [row] = await ctx.db
    .update(snapshotBatches)
    .set({ touchedAt: now })
    .where(and(isBatch(day, batch), ne(snapshotBatches.status, "done")))
    .returning({ channelIds: snapshotBatches.channelIds });
  const readings = row ? await ctx.platform.channels(row.channelIds) : [];
  // Counts of later than they say would make alerts across more hours than two readings may lie apart.
  if (ctx.clock.now().getTime() - now.getTime() > READING_LIMIT)
    throw new PlatformError("unavailable", "the process was halted while it read", HALTED_RETRY_SECONDS);
  return { readAt: now.toISOString(), readings };
}

/** Notes that a batch waits for the platform, so that it is not taken for a lost one. @param seconds of the wait */
export async function holdBatch(
  { db, clock }: CoreContext,
  day: Day,
  batch: number,
  seconds: number,
): Promise<void> {
  const until = instant(clock.now().getTime() + seconds * SECOND);
  await db.update(snapshotBatches).set({ touchedAt: until }).where(isBatch(day, batch));
}

/**
 * Stores readings as the day's snapshots together with the alerts they give and the deliveries these need: all of
 * it or nothing. Readings that are already stored change nothing.
 * @param readAt when the platform was asked
 * @returns ids of the alerts made, and of those made by an earlier try that nobody has begun to tell of
 * @throws DayOverError
 */
export async function recordDaily(
  ctx: CoreContext,
  day: Day,
  readAt: Date,
  readings: ChannelReading[],
): Promise<string[]> {
  requireDay(ctx, day);
  return ctx.db.transaction(async (tx) => {
    const recorded = await recordReadings({ db: tx, clock: { now: () => readAt } }, day, "daily", readings);
    const made = await createAlerts({ ...ctx, db: tx }, day, recorded);
    if (recorded.length === readings.length) return made;
    return untoldAlerts(
      tx,
      day,
      readings.map(({ channelId }) => channelId),
    );
  });
}

/**
 * Closes a batch with what the database shows of it, and the run with its last batch. A batch some of whose channels
 * could not be stored counts as failed and is taken up by the next plan of the day.
 * @param present ids of the channels that the platform showed
 */
export async function finishBatch(
  { db }: CoreContext,
  day: Day,
  batch: number,
  present: string[],
): Promise<void> {
  await db.execute(sql`
    with judged as (
      select member.id, stored.day is not null as stored, ${JSON.stringify(present)}::jsonb ? member.id as shown
      from snapshot_batches, unnest(channel_ids) as member(id)
      -- One at a time, by the index: planned while there were few snapshots, a join would read all there are by now.
      left join lateral (
        select day from snapshots where channel_id = member.id and day = ${day}::date and source = 'daily' limit 1
      ) as stored on true
      where snapshot_batches.day = ${day}::date and batch = ${batch} and snapshot_batches.status <> 'done'
    ), absent as (
      update channels set status = 'unavailable' from judged
      where channels.id = judged.id and not stored and not shown
    )
    update snapshot_batches
    set recorded = total.recorded, unavailable = total.unavailable, failed = total.failed,
        alerts = (select count(*) from alerts where alerts.day = ${day}::date and alerts.channel_id = any(channel_ids)),
        status = case when total.failed = 0 then 'done' else 'failed' end, problem = null
    from (
      select count(*) filter (where stored) as recorded, count(*) filter (where not stored and not shown) as unavailable,
        count(*) filter (where not stored and shown) as failed
      from judged
    ) as total
    where day = ${day}::date and batch = ${batch} and status <> 'done'`);
}

/** Channels of a batch of which no round has told anything. */
const UNREAD = sql`greatest(cardinality(${snapshotBatches.channelIds}) - ${snapshotBatches.recorded} - ${snapshotBatches.unavailable}, 0)`;

/** Marks a batch that could not be read at all. */
export async function failBatch(
  { db }: CoreContext,
  day: Day,
  batch: number,
  problem: string,
): Promise<void> {
  await db
    .update(snapshotBatches)
    .set({ status: "failed", failed: UNREAD, problem })
    .where(and(isBatch(day, batch), eq(snapshotBatches.status, "pending")));
}

/** Ends a run none of whose batches is waiting. @returns whether this call ended it */
export async function closeRun({ db, clock }: CoreContext, day: Day): Promise<boolean> {
  const waiting = db
    .select({ batch: snapshotBatches.batch })
    .from(snapshotBatches)
    .where(and(eq(snapshotBatches.day, day), sql`${snapshotBatches.status} = 'pending'`));
  const closed = await db
    .update(snapshotRuns)
    .set({ finishedAt: clock.now() })
    .where(and(eq(snapshotRuns.day, day), isNull(snapshotRuns.finishedAt), notExists(waiting)))
    .returning({ day: snapshotRuns.day });
  return closed.length > 0;
}

/**
 * Ends the runs that their day overtook while nobody worked on them: what waits is failed, as nothing is written for a
 * day that has passed. A batch that is just being finished has half an hour for that.
 * @returns their days
 */
export async function closeOvertaken({ db, clock }: CoreContext): Promise<Day[]> {
  const now = clock.now();
  const today = utcDay(instant(now.getTime() - STALLED_AFTER));
  return db.transaction(async (tx) => {
    await tx
      .update(snapshotBatches)
      .set({
        status: "failed",
        failed: UNREAD,
        problem: "its day was over before it was read",
      })
      .where(and(lt(snapshotBatches.day, today), eq(snapshotBatches.status, "pending")));
    const ended = await tx
      .update(snapshotRuns)
      .set({ finishedAt: now })
      .where(and(lt(snapshotRuns.day, today), isNull(snapshotRuns.finishedAt)))
      .returning({ day: snapshotRuns.day });
    return ended.map(({ day }) => day);
  });
}

/** A day's run in numbers; the latest run without a day; null when there is none. */
export async function runSummary({ db }: Pick<CoreContext, "db">, day?: Day): Promise<RunSummary | null> {
  const [run] = await summaries(db, day === undefined ? undefined : eq(snapshotRuns.day, day), 1);
  return run ?? null;
}

/** The latest runs in numbers, newest first. */
export function recentRuns({ db }: Pick<CoreContext, "db">, most: number): Promise<RunSummary[]> {
  return summaries(db, undefined, most);
}

async function summaries(db: Database, which: SQL | undefined, most: number): Promise<RunSummary[]> {
  const total = (value: SQLWrapper) => sql<number>`coalesce(sum(${value}), 0)::int`;
  const runs = await db
    .select({
      day: snapshotRuns.day,
      startedAt: snapshotRuns.startedAt,
      finishedAt: snapshotRuns.finishedAt,
      planned: total(sql`cardinality(${snapshotBatches.channelIds})`),
      read: total(snapshotBatches.recorded),
      unavailable: total(snapshotBatches.unavailable),
      failed: total(snapshotBatches.failed),
      alerts: total(snapshotBatches.alerts),
    })
    .from(snapshotRuns)
    .leftJoin(snapshotBatches, eq(snapshotBatches.day, snapshotRuns.day))
    .where(which)
    .groupBy(snapshotRuns.day)
    .orderBy(desc(snapshotRuns.day))
    .limit(most);
  return runs.map(({ startedAt, finishedAt, ...run }) => ({
    ...run,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  }));
}

/** A run none of whose batches has been touched for so long has nobody working on it. */
export const STALLED_AFTER = 30 * MINUTE;

/**
 * What is left to read of today's run that no job works on, or null.
 * @param stalledFor milliseconds without a touch after which pending batches count as lost; 0 where no job can be alive
 */
export async function remainingWork(
  { db, clock }: CoreContext,
  stalledFor: number,
): Promise<PlanRequest | null> {
  const now = clock.now();
  const day = utcDay(now);
  const [run] = await db
    .select({ finishedAt: snapshotRuns.finishedAt, plans: snapshotRuns.plans })
    .from(snapshotRuns)
    .where(eq(snapshotRuns.day, day));
  if (!run)
    return now.getTime() >= startOfDay(day).getTime() + RUN_AT ? { day, scope: "open", plans: 0 } : null;
  const [left] = await db
    .select({
      pending: sql<boolean>`coalesce(bool_or(${snapshotBatches.status} = 'pending'), false)`,
      failed: sql<boolean>`coalesce(bool_or(${snapshotBatches.status} = 'failed'), false)`,
      touchedAt: max(snapshotBatches.touchedAt),
    })
    .from(snapshotBatches)
    .where(eq(snapshotBatches.day, day));
  // A batch that waits for the platform is touched ahead of time; its process may have ended meanwhile.
  const isStalled =
    stalledFor === 0 || !left?.touchedAt || left.touchedAt.getTime() <= now.getTime() - stalledFor;
  const { plans } = run;
  if ((left?.pending || !run.finishedAt) && isStalled) return { day, scope: "open", plans };
  return left?.failed ? { day, scope: "failed", plans } : null;
}

/** The present instant, which must be on the day. */
function requireDay({ clock }: CoreContext, day: Day): Date {
  const now = clock.now();
  if (utcDay(now) !== day) throw new DayOverError(day);
  return now;
}

function isBatch(day: Day, batch: number) {
  return and(eq(snapshotBatches.day, day), eq(snapshotBatches.batch, batch));
}
