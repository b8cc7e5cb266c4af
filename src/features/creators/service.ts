import { and, eq, inArray, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { channels, snapshotRuns, trackedCreators } from "@/core/db/schema";
import { columnsOf, isoText, type Selected, statement, unplanned } from "@/core/db/statement";
import { AppError } from "@/core/errors";
import { type PageQuery, type Pagination, pagination } from "@/core/http/page";
import { utcDay } from "@/core/time";
import { measuredGrowth, scorePartsOf } from "@/features/growth/details.service";
import { alertLevel } from "@/features/growth/score.rules";
import { insertUnread, recordReadings } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference, PlatformContext } from "@/platform/port";
import { channelUrl } from "./rules";
import type { Creator, CreatorDetails, TrackedCreator } from "./schema";

const UNREAD_PER_INSERT = 1000;

/** The columns of a channel that clients see. */
export const creatorColumns = {
  id: channels.id,
  name: channels.name,
  handle: channels.handle,
  thumbnailUrl: channels.thumbnailUrl,
  country: channels.country,
  status: channels.status,
  subscribers: channels.subscribers,
  views: channels.views,
  videos: channels.videos,
  score: channels.score,
  scoreBasis: channels.scoreBasis,
  scoreVersion: channels.scoreVersion,
  growth1dPercent: channels.growth1dPercent,
  growth7dPercent: channels.growth7dPercent,
  percentile: channels.percentile,
};
export type CreatorRow = { [Column in keyof typeof creatorColumns]: (typeof channels.$inferSelect)[Column] };

/** A channel as clients see it. */
export function asCreator(row: CreatorRow): Creator {
  return {
    channel_id: row.id,
    name: row.name,
    handle: row.handle,
    url: channelUrl(row.id),
    thumbnail_url: row.thumbnailUrl,
    country: row.country,
    status: row.status,
    subscribers: row.subscribers,
    views: row.views,
    videos: row.videos,
    score: row.score,
    score_basis: row.scoreBasis,
    score_version: row.scoreVersion,
    alert_level: alertLevel(row.score),
    percentile: row.percentile,
    growth_1d_percent: row.growth1dPercent,
    growth_7d_percent: row.growth7dPercent,
  };
}

/**
 * Starts tracking a creator for a key and takes the first reading at once. Tracking it again changes nothing.
 * @throws AppError `not_found` when the platform has no such channel; PlatformError when it cannot answer
 */
export async function trackCreator(
  ctx: PlatformContext,
  keyId: KeyId,
  reference: ChannelReference,
): Promise<TrackedCreator> {
  const asked = utcDay(ctx.clock.now());
  const reading = await ctx.platform.find(reference);
  if (!reading) throw new AppError("not_found", "The platform has no such channel");
  const tracked = await ctx.db.transaction(async (tx) => {
    // A run waits for it: it reads what was tracked when it began, and takes nothing later for that.
    await tx.execute(sql`lock ${trackedCreators} in row exclusive mode`);
    const now = ctx.clock.now();
    if (utcDay(now) !== asked) return null;
    await recordReadings({ ...ctx, db: tx, clock: { now: () => now } }, asked, "track", [reading]);
    await tx
      .insert(trackedCreators)
      .values({ keyId, channelId: reading.channelId, trackedSince: now })
      .onConflictDoNothing();
    return findTracked(tx, keyId, reading.channelId);
  });
  // What was shown before midnight is no reading of the new day.
  return tracked ?? trackCreator(ctx, keyId, reference);
}

/**
 * Starts tracking many channels for a key as of the clock, without asking the platform: they are read by the next
 * daily run. For replayed and demo histories, whose channels may not exist yet on the first day.
 */
export async function trackUnread(
  { db, clock }: CoreContext,
  keyId: KeyId,
  channelIds: readonly string[],
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    for (let from = 0; from < channelIds.length; from += UNREAD_PER_INSERT) {
      const ids = channelIds.slice(from, from + UNREAD_PER_INSERT);
      await insertUnread(tx, ids, now);
      await tx
        .insert(trackedCreators)
        .values(ids.map((channelId) => ({ keyId, channelId, trackedSince: now })))
        .onConflictDoNothing();
    }
  });
}

/** A page of the key's tracked creators, the latest tracked first. */
export async function listTracked(
  { db }: CoreContext,
  keyId: KeyId,
  page: PageQuery,
): Promise<{ pagination: Pagination; creators: TrackedCreator[] }> {
  const rows = await latestTracked(db, { keyId, ...page });
  const total = rows[0]?.total ?? 0;
  // A page behind the last has one row, with the total and no creator.
  return { pagination: pagination(page, total), creators: page.offset < total ? rows.map(asTracked) : [] };
}

const TRACKED_COLUMNS = {
  ...creatorColumns,
  trackedSince: trackedCreators.trackedSince,
  lastDailyAt: channels.lastDailyAt,
  lastRunAt: snapshotRuns.startedAt,
};
type Tracked = Omit<Selected<typeof TRACKED_COLUMNS>, "lastRunAt"> & { lastRunAt: string | null };

/** The run that read a channel last. */
const isItsLastRun = sql`${snapshotRuns.day} = (${channels.lastDailyAt} at time zone 'UTC')::date`;

const latestTracked = statement<Tracked & { total: number }, PageQuery & { keyId: KeyId }>(sql`
  select counted.total, ${columnsOf(TRACKED_COLUMNS)}
  from (select count(*)::int as total from tracked_creators where key_id = ${unplanned("keyId", "text")}) as counted
  left join (
    select channel_id, tracked_since from tracked_creators where key_id = ${unplanned("keyId", "text")}
    order by tracked_since desc, channel_id desc offset ${unplanned("offset", "int")} limit ${unplanned("limit", "int")}
  ) as tracked_creators on true
  left join channels on channels.id = tracked_creators.channel_id
  left join snapshot_runs on ${isItsLastRun}
  order by tracked_creators.tracked_since desc, tracked_creators.channel_id desc`);

/** Stops tracking a creator for a key; its alerts stay. @throws AppError `not_found` when the key does not track it */
export async function untrackCreator({ db }: CoreContext, keyId: KeyId, channelId: string): Promise<void> {
  const removed = await db
    .delete(trackedCreators)
    .where(and(eq(trackedCreators.keyId, keyId), eq(trackedCreators.channelId, channelId)))
    .returning({ channelId: trackedCreators.channelId });
  if (removed.length === 0) throw notTracked();
}

/**
 * A tracked creator with its growth over several spans and the parts of its score.
 * @throws AppError `not_found` when the key does not track it
 */
export async function trackedCreator(
  ctx: CoreContext,
  keyId: KeyId,
  channelId: string,
): Promise<CreatorDetails> {
  const creator = await findTracked(ctx.db, keyId, channelId);
  const [growth, parts] = await Promise.all([measuredGrowth(ctx, channelId), scorePartsOf(ctx, [channelId])]);
  return { ...creator, growth, score_parts: parts.get(channelId) ?? null };
}

/** Which of the channels the key tracks. */
export async function trackedAmong(
  { db }: CoreContext,
  keyId: KeyId,
  channelIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .select({ channelId: trackedCreators.channelId })
    .from(trackedCreators)
    .where(and(eq(trackedCreators.keyId, keyId), inArray(trackedCreators.channelId, [...channelIds])));
  return new Set(rows.map(({ channelId }) => channelId));
}

/** A creator that the key tracks. @throws AppError `not_found` when the key does not track it */
export async function findTracked(db: Database, keyId: KeyId, channelId: string): Promise<TrackedCreator> {
  const [row] = await selectTracked(db).where(
    and(eq(trackedCreators.keyId, keyId), eq(trackedCreators.channelId, channelId)),
  );
  if (!row) throw notTracked();
  return asTracked(row);
}

/** The select of tracked creators; {@link asTracked} reads its rows. */
export function selectTracked(db: Database) {
  return db
    .select({
      ...creatorColumns,
      trackedSince: isoText(trackedCreators.trackedSince),
      lastDailyAt: isoText(channels.lastDailyAt),
      lastRunAt: sql<string | null>`${isoText(snapshotRuns.startedAt)}`,
    })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .leftJoin(snapshotRuns, isItsLastRun)
    .$dynamic();
}

/** A channel as a key that tracks it sees it: with readings of its own time alone, so that it learns of no other key. */
export function asTracked(row: Tracked): TrackedCreator {
  const { trackedSince, lastDailyAt } = row;
  // What a run reads was decided when it began. When it came to a channel would tell how many are tracked around it.
  const lastRunAt = row.lastRunAt ?? lastDailyAt;
  const isOwn = lastDailyAt !== null && lastRunAt !== null && lastRunAt >= trackedSince;
  return { ...asCreator(row), tracked_since: trackedSince, last_snapshot_at: isOwn ? lastRunAt : null };
}

function notTracked(): AppError {
  return new AppError("not_found", "This key does not track a creator with that channel_id");
}
