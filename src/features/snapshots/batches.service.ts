import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { addedToFeed } from "@/core/db/changes";
import { snapshotBatches } from "@/core/db/schema";
import { statement } from "@/core/db/statement";
import { addDays, type Day, instant, SECOND, utcDay } from "@/core/time";
import { type AlertValues, createdAlerts, risesOf, untoldAlerts } from "@/features/alerts/creation.service";
import {
  type Histories,
  judgeReadings,
  loadHistories,
  type ReadingValues,
  readingValues,
  storedReadings,
} from "@/features/growth/readings.service";
import type { PastReading } from "@/features/growth/rules";
import { HISTORY_DAYS } from "@/features/growth/score.rules";
import type { ChannelReading, PlatformContext } from "@/platform/port";

/** The UTC day is over, so nothing more is written for it. */
export class DayOverError extends Error {
  constructor(day: Day) {
    super(`the day ${day} is over`);
    this.name = "DayOverError";
  }
}

/** The answer of one upstream call, and when the call was made (ISO 8601). */
export interface BatchReading {
  readAt: string;
  readings: ChannelReading[];
}

/**
 * Reads the channels of a batch with one upstream call. A batch that is done makes no call and has no readings.
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
  return { readAt: now.toISOString(), readings };
}

/** Marks a batch as waiting for the platform, so that it does not count as lost. @param seconds of the wait */
export async function holdBatch(
  { db, clock }: CoreContext,
  day: Day,
  batch: number,
  seconds: number,
): Promise<void> {
  const until = instant(clock.now().getTime() + seconds * SECOND);
  await db.update(snapshotBatches).set({ touchedAt: until }).where(isBatch(day, batch));
}

const storeDaily = statement<{ stored: number; made: string[] }, ReadingValues & AlertValues>(sql`
  with ${storedReadings("daily")}, ${createdAlerts("written")}, seen as (
    select id, 'renamed' as kind, name from moved where is_renamed
    union all select id, 'available', null from moved where is_back
  ), ${addedToFeed(
    sql`select key_id, 'alert_created' as kind, channel_id, null as name, id as alert_id from made
      union all
      select key_id, kind, seen.id, name, null from seen,
        lateral (select key_id from tracked_creators where channel_id = seen.id offset 0) as tracked`,
    sql.placeholder("now"),
  )}
  select (select count(*) from written)::int as stored, (select coalesce(json_agg(id), '[]') from made) as made`);

/**
 * Stores readings as the day's snapshots, with their alerts, deliveries and changes, in one statement. Repeating it
 * changes nothing.
 * @param readAt when the platform was called
 * @param histories of at least these channels; read when left out
 * @returns ids of the new alerts, and of alerts from an earlier try whose deliveries have not started
 * @throws DayOverError
 */
export async function recordDaily(
  ctx: CoreContext,
  day: Day,
  readAt: Date,
  readings: ChannelReading[],
  histories?: Histories,
): Promise<string[]> {
  const now = requireDay(ctx, day).toISOString();
  const ids = readings.map(({ channelId }) => channelId);
  const past = histories ?? (await loadHistories(ctx.db, ids, day));
  const judged = judgeReadings(readings, day, readAt, past);
  const rises = JSON.stringify(risesOf(day, judged));
  const [result] = await storeDaily(ctx.db, { ...readingValues(judged, day, readAt), rises, now });
  const { stored = 0, made = [] } = result ?? {};
  return stored === readings.length ? made : untoldAlerts(ctx.db, day, ids);
}

/**
 * Reads, stores and closes a batch as the job does, for simulated runs: without the job's steps, so nothing resumes it.
 * @param memory histories of the simulated channels, which grow by these readings
 * @returns ids of the new alerts
 */
export async function runBatch(
  ctx: PlatformContext,
  day: Day,
  batch: number,
  memory: Map<string, PastReading[]>,
): Promise<string[]> {
  const { readAt, readings } = await readBatch(ctx, day, batch);
  const ids = readings.map(({ channelId }) => channelId);
  const unknown = ids.filter((id) => !memory.has(id));
  if (unknown.length > 0)
    for (const [id, past] of await loadHistories(ctx.db, unknown, day)) memory.set(id, past);
  const alertIds = await recordDaily(ctx, day, instant(readAt), readings, memory);
  const oldest = addDays(day, -HISTORY_DAYS);
  for (const { channelId, subscribers, views } of readings) {
    const recent = (memory.get(channelId) ?? []).filter((past) => past.day > oldest);
    memory.set(channelId, [...recent, { day, readAt: instant(readAt), subscribers, views }]);
  }
  await finishBatch(ctx, day, batch, ids);
  return alertIds;
}

/**
 * Closes a batch with the counts the database shows. A batch with channels that could not be stored is failed, and the
 * next plan of the day takes it up.
 * @param present ids of the channels that the platform showed; the others become unavailable
 */
export async function finishBatch(
  { db, clock }: CoreContext,
  day: Day,
  batch: number,
  present: string[],
): Promise<void> {
  await db.execute(sql`
    with judged as (
      select member.id, stored.day is not null as stored, ${JSON.stringify(present)}::jsonb ? member.id as shown
      from snapshot_batches, unnest(channel_ids) as member(id)
      -- Lateral, so that each channel is looked up by the index whatever the planner knows of the table.
      left join lateral (
        select day from snapshots where channel_id = member.id and day = ${day}::date and source = 'daily' limit 1
      ) as stored on true
      where snapshot_batches.day = ${day}::date and batch = ${batch} and snapshot_batches.status <> 'done'
    ), ${markedUnavailable(sql`select id from judged where not stored and not shown`, clock.now())}
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

/** Marks channels unavailable that the platform no longer shows. */
export async function markUnavailable({ db, clock }: CoreContext, channelIds: string[]): Promise<void> {
  const given = sql`select id from jsonb_array_elements_text(${JSON.stringify(channelIds)}::jsonb) as given (id)`;
  await db.execute(sql`with ${markedUnavailable(given, clock.now())} select 1`);
}

/** The tail of a `with` clause that marks channels unavailable. @param missing a query with the column id */
function markedUnavailable(missing: SQL, at: Date): SQL {
  return sql`absent as (
      update channels set status = 'unavailable'
      from (
        -- One order for all writers prevents deadlocks.
        select channels.id from channels where channels.id = any (array(${missing})) order by id for no key update
      ) as missing
      where channels.id = missing.id and channels.status <> 'unavailable'
      returning channels.id
    ), ${addedToFeed(
      sql`select key_id, 'unavailable' as kind, channel_id, null as name, null::uuid as alert_id
        from absent join tracked_creators on channel_id = absent.id`,
      at,
    )}`;
}

/** Channels of a batch that were neither stored nor found unavailable. */
export const UNREAD = sql`greatest(cardinality(${snapshotBatches.channelIds}) - ${snapshotBatches.recorded} - ${snapshotBatches.unavailable}, 0)`;

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

/** The current instant. @throws DayOverError when it is not on the day */
export function requireDay({ clock }: Pick<CoreContext, "clock">, day: Day): Date {
  const now = clock.now();
  if (utcDay(now) !== day) throw new DayOverError(day);
  return now;
}

function isBatch(day: Day, batch: number) {
  return and(eq(snapshotBatches.day, day), eq(snapshotBatches.batch, batch));
}
