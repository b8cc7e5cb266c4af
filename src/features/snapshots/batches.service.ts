import { and, eq, inArray, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import pLimit from "p-limit";
import { toChunks } from "@/core/parallel";
import { addDays, type Day, SECOND, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { insertChangesSql } from "@/db/feed";
import { snapshotBatches } from "@/db/schema";
import { prepareStatement } from "@/db/statement";
import type { PastSnapshot } from "@/features/growth/rules";
import { loadHistories } from "@/features/growth/service";
import { HISTORY_DAYS } from "@/features/growth/strength.rules";
import { CHANNELS_PER_CALL, type PlatformContext } from "@/platform/port";
import { recordDaily } from "./daily.service";
import { requireDay } from "./rules";

/** What the platform answers about the channels of batches, and the time of the call (ISO 8601). */
export type BatchStats = Awaited<ReturnType<typeof readBatches>>;

/** Reads the channels of batches, one upstream call for each that is not done. @throws DayOverError, PlatformError */
export async function readBatches(ctx: PlatformContext, day: Day, batches: readonly number[]) {
  const now = requireDay(ctx, day);
  const { day: plannedFor, batch, status, channelIds } = snapshotBatches;
  const rows = await ctx.db
    .update(snapshotBatches)
    .set({ touchedAt: now })
    .where(and(eq(plannedFor, day), inArray(batch, batches), ne(status, "done")))
    .returning({ channelIds });
  const read = await Promise.all(rows.map(({ channelIds }) => ctx.platform.listChannels(channelIds)));
  return {
    readAt: now.toISOString(),
    channels: read.flatMap(({ channels }) => channels),
    unread: read.flatMap(({ unread }) => unread),
  };
}

/** Marks a batch as waiting for the platform, so that it does not count as lost. @param seconds of the wait */
export async function holdBatch({ db, clock }: CoreContext, day: Day, batch: number, seconds: number): Promise<void> {
  const until = toDate(clock.now().getTime() + seconds * SECOND);
  await db.update(snapshotBatches).set({ touchedAt: until }).where(isBatchSql(day, batch));
}

/**
 * Reads, stores and closes batches as the job does, for simulated runs: without the job's steps, so nothing resumes them.
 * @param memory histories of the simulated channels, which grow by these snapshots
 * @returns ids of the new alerts
 */
export async function runBatches(
  ctx: PlatformContext,
  day: Day,
  batches: readonly number[],
  memory: Map<string, PastSnapshot[]>,
): Promise<string[]> {
  const { readAt, channels, unread } = await readBatches(ctx, day, batches);
  const ids = channels.map(({ channelId }) => channelId);
  const unknown = ids.filter((id) => !memory.has(id));
  if (unknown.length > 0) for (const [id, past] of await loadHistories(ctx, unknown, day)) memory.set(id, past);
  const alertIds = await pLimit(STATEMENTS_AT_ONCE).map(toChunks(channels, CHANNELS_PER_CALL), (chunk) =>
    recordDaily(ctx, day, toDate(readAt), chunk, memory),
  );
  const oldest = addDays(day, -HISTORY_DAYS);
  for (const { channelId, subscribers, views } of channels) {
    const recent = (memory.get(channelId) ?? []).filter((past) => past.day > oldest);
    memory.set(channelId, [...recent, { day, readAt: toDate(readAt), subscribers, views }]);
  }
  await finishBatches(ctx, day, batches, [...ids, ...unread]);
  return alertIds.flat();
}

/** Two work while two wait for the database. */
const STATEMENTS_AT_ONCE = 4;

const closeBatches = prepareStatement<object, { day: Day; batches: string; present: string; now: string }>(sql`
  with open as materialized (
    select day, batch, channel_ids from snapshot_batches
    where day = ${sql.placeholder("day")}::date and status <> 'done'
      and batch = any (array(select value::int from jsonb_array_elements_text(${sql.placeholder("batches")}::jsonb)))
  ), checked as (
    select batch, member.id, stored.day is not null as stored,
      member.id in (select jsonb_array_elements_text(${sql.placeholder("present")}::jsonb)) as shown
    from open cross join lateral unnest(channel_ids) as member (id)
    -- Lateral, so the planner always uses the index.
    left join lateral (
      select day from snapshots where channel_id = member.id and day = open.day and source = 'daily' limit 1
    ) as stored on true
  ), ${markUnavailableSql(sql`select id from checked where not stored and not shown`, sql.placeholder("now"))},
  totals as (
    select batch, count(*) filter (where stored) as recorded,
      count(*) filter (where not stored and not shown) as unavailable,
      count(*) filter (where not stored and shown) as failed
    from open left join checked using (batch) group by batch
  )
  update snapshot_batches as closed
  set recorded = totals.recorded, unavailable = totals.unavailable, failed = totals.failed,
      alerts = (select count(*) from alerts where alerts.day = open.day and alerts.channel_id = any(open.channel_ids)),
      status = case when totals.failed = 0 then 'done' else 'failed' end, problem = null
  from open join totals using (batch)
  where closed.day = open.day and closed.batch = open.batch and closed.status <> 'done'`);

/**
 * Closes batches with the counts the database shows. A batch with channels that could not be stored is failed, and the
 * next plan of the day takes it up.
 * @param present ids of the channels that the platform showed; the others become unavailable
 */
export async function finishBatches(
  ctx: CoreContext,
  day: Day,
  batches: readonly number[],
  present: readonly string[],
) {
  const [ids, now] = [JSON.stringify(present), ctx.clock.now().toISOString()];
  await closeBatches(ctx.db, { day, batches: JSON.stringify(batches), present: ids, now });
}

/** Marks channels unavailable that the platform no longer shows. */
export async function markUnavailable({ db, clock }: CoreContext, channelIds: string[]): Promise<void> {
  const given = sql`select id from jsonb_array_elements_text(${JSON.stringify(channelIds)}::jsonb) as given (id)`;
  await db.execute(sql`with ${markUnavailableSql(given, clock.now())} select 1`);
}

/** The tail of a `with` clause that marks channels unavailable. @param missing a query with the column id */
function markUnavailableSql(missing: SQL, at: Date | Placeholder): SQL {
  return sql`absent as (
      update channels set status = 'unavailable'
      from (
        -- One order for all writers prevents deadlocks.
        select channels.id from channels where channels.id = any (array(${missing})) order by id for no key update
      ) as missing
      where channels.id = missing.id and channels.status <> 'unavailable'
      returning channels.id
    ), ${insertChangesSql(
      sql`select key_id, 'unavailable' as kind, channel_id, null as name, null::uuid as alert_id
        from absent join tracked_creators on channel_id = absent.id`,
      at,
    )}`;
}

/** Channels of a batch that were neither stored nor found unavailable. */
export const UNREAD_SQL = sql`greatest(cardinality(${snapshotBatches.channelIds}) - ${snapshotBatches.recorded} - ${snapshotBatches.unavailable}, 0)`;

/** Marks a batch that could not be read at all. */
export async function failBatch({ db }: CoreContext, day: Day, batch: number, problem: string): Promise<void> {
  await db
    .update(snapshotBatches)
    .set({ status: "failed", failed: UNREAD_SQL, problem })
    .where(and(isBatchSql(day, batch), eq(snapshotBatches.status, "pending")));
}

/** How many channels of a day were not read, by what went wrong. */
export async function listBatchProblems({ db }: CoreContext, day: Day) {
  return db.execute<{ problem: string | null; channels: number }>(sql`
    select problem, sum(failed)::int as channels from snapshot_batches
    where day = ${day}::date and failed > 0 group by problem order by channels desc`);
}

function isBatchSql(day: Day, batch: number) {
  return and(eq(snapshotBatches.day, day), eq(snapshotBatches.batch, batch));
}
