import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { addedToFeed } from "@/core/db/changes";
import { snapshotBatches } from "@/core/db/schema";
import { type Day, instant, SECOND, utcDay } from "@/core/time";
import { createAlerts, untoldAlerts } from "@/features/alerts/creation.service";
import { recordReadings } from "@/features/growth/service";
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

/**
 * Stores readings as the day's snapshots, with their alerts and deliveries, in one transaction. Repeating it changes
 * nothing.
 * @param readAt when the platform was called
 * @returns ids of the new alerts, and of alerts from an earlier try whose deliveries have not started
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
    const { recorded, changes } = await recordReadings(
      { db: tx, clock: { now: () => readAt } },
      day,
      "daily",
      readings,
    );
    const made = await createAlerts({ ...ctx, db: tx }, day, recorded, changes);
    if (recorded.length === readings.length) return made;
    return untoldAlerts(
      tx,
      day,
      readings.map(({ channelId }) => channelId),
    );
  });
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
      update channels set status = 'unavailable' from (${missing}) as missing
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
