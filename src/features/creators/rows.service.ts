import { and, desc, eq, sql } from "drizzle-orm";
import { AppError, createFieldError } from "@/core/errors";
import type { PageQuery } from "@/core/http/page";
import { type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { channels, snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import { lowerCaseSql } from "@/db/schema/columns";
import { opaqueValueSql, prepareStatement, type Selected, selectColumnsSql, toIsoText } from "@/db/statement";
import { isCurrent } from "@/features/growth/rules";
import { classifyLevel } from "@/features/growth/score.rules";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference } from "@/platform/port";
import { toChannelUrl } from "./rules";
import type { Creator, TrackedCreator } from "./schema";

/** The columns of a channel that clients see, and those their fields follow from. */
export const CREATOR_COLUMNS = {
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
  chance7d: channels.chance7d,
  chance28d: channels.chance28d,
  expected7d: channels.expected7d,
  expected28d: channels.expected28d,
  reason: channels.reason,
  growth1dPercent: channels.growth1dPercent,
  growth7dPercent: channels.growth7dPercent,
  percentile: channels.percentile,
  readAt: channels.readAt,
  lastSnapshotAt: channels.lastSnapshotAt,
};
/** Instants are dates, or texts of ISO 8601. */
type CreatorRow = {
  [Column in keyof typeof CREATOR_COLUMNS]: Column extends "readAt" | "lastSnapshotAt"
    ? Date | string | null
    : (typeof channels.$inferSelect)[Column];
};

/** A channel as clients see it on a UTC day. */
export function toCreator(row: CreatorRow, today: Day): Creator {
  const latest = getGrowthDay(row);
  const hasGrowth = latest !== null && isCurrent(latest, row.status, today);
  return {
    channel_id: row.id,
    name: row.name,
    handle: row.handle,
    url: toChannelUrl(row.id),
    thumbnail_url: row.thumbnailUrl,
    country: row.country,
    status: row.status,
    counts: classifyCounts(row),
    subscribers: row.subscribers,
    views: row.views,
    videos: row.videos,
    score: row.score,
    score_basis: row.scoreBasis,
    score_version: row.scoreVersion,
    alert_level: classifyLevel(row.score),
    percentile: row.percentile,
    chance_7d: hasGrowth ? row.chance7d : null,
    chance_28d: hasGrowth ? row.chance28d : null,
    expected_7d: hasGrowth ? row.expected7d : null,
    expected_28d: hasGrowth ? row.expected28d : null,
    reason: hasGrowth ? row.reason : null,
    growth_1d_percent: hasGrowth ? row.growth1dPercent : null,
    growth_7d_percent: hasGrowth ? row.growth7dPercent : null,
  };
}

/** The UTC day of a channel's latest snapshot, which its growth is measured up to. */
function getGrowthDay({ lastSnapshotAt }: Pick<CreatorRow, "lastSnapshotAt">): Day | null {
  if (lastSnapshotAt === null) return null;
  return typeof lastSnapshotAt === "string" ? lastSnapshotAt.slice(0, 10) : toUtcDay(lastSnapshotAt);
}

function classifyCounts({ subscribers, readAt }: CreatorRow): Creator["counts"] {
  if (subscribers !== null) return "known";
  return readAt === null ? "unread" : "hidden";
}

const TRACKED_COLUMNS = {
  ...CREATOR_COLUMNS,
  trackedSince: trackedCreators.trackedSince,
  ownSource: snapshots.source,
  ownReadAt: snapshots.readAt,
  ownSubscribers: snapshots.subscribers,
  ownViews: snapshots.views,
  ownVideos: snapshots.videos,
  runStartedAt: snapshotRuns.startedAt,
};
type Nullable<Row, Names extends keyof Row> = Omit<Row, Names> & { [Name in Names]: Row[Name] | null };
type Tracked = Nullable<Selected<typeof TRACKED_COLUMNS>, "ownSource" | "ownReadAt" | "runStartedAt">;

/** The latest snapshot of a creator since the key tracks it: of a daily run, or of the day tracking began. */
export const OWN_SNAPSHOT_SQL = sql`lateral (
  select * from snapshots as own
  where own.channel_id = tracked_creators.channel_id
    and own.day >= (tracked_creators.tracked_since at time zone 'UTC')::date
    and (own.source = 'daily' or own.day = (tracked_creators.tracked_since at time zone 'UTC')::date)
  order by own.day desc limit 1
) as snapshots`;

/** A page of the key's creators, newest first, each row with their total. */
export const selectLatestTracked = prepareStatement<Tracked & { total: number }, PageQuery & { keyId: KeyId }>(sql`
  select counted.total, ${selectColumnsSql(TRACKED_COLUMNS)}
  from (select count(*)::int as total from tracked_creators where key_id = ${opaqueValueSql("keyId", "text")}) as counted
  left join (
    select channel_id, tracked_since from tracked_creators where key_id = ${opaqueValueSql("keyId", "text")}
    order by tracked_since desc, channel_id desc offset ${opaqueValueSql("offset", "int")} limit ${opaqueValueSql("limit", "int")}
  ) as tracked_creators on true
  left join channels on channels.id = tracked_creators.channel_id
  left join ${OWN_SNAPSHOT_SQL} on true
  left join snapshot_runs on snapshot_runs.day = snapshots.day
  order by tracked_creators.tracked_since desc, tracked_creators.channel_id desc`);

/** A creator that the key tracks. @throws AppError `not_found` when the key does not track it */
export async function findTracked(ctx: CoreContext, keyId: KeyId, channelId: string): Promise<TrackedCreator> {
  const [row] = await selectTracked(ctx).where(
    and(eq(trackedCreators.keyId, keyId), eq(trackedCreators.channelId, channelId)),
  );
  if (!row) throw createNotTrackedError();
  return toTracked(row, toUtcDay(ctx.clock.now()));
}

/**
 * The id of a creator that the key tracks, by an id or a handle. Only the platform can resolve a user name.
 * @throws AppError `not_found` when the key tracks no creator with that handle
 */
export async function findTrackedId({ db }: CoreContext, keyId: KeyId, reference: ChannelReference): Promise<string> {
  if (reference.kind === "id") return reference.id;
  if (reference.kind === "username") throw createNotTrackedError();
  const [row] = await db
    .select({ id: channels.id })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .where(and(eq(trackedCreators.keyId, keyId), eq(lowerCaseSql(channels.handle), reference.handle.toLowerCase())))
    // A handle can pass to another channel.
    .orderBy(desc(channels.readAt))
    .limit(1);
  if (!row) throw createNotTrackedError();
  return row.id;
}

/** The id of a channel by its id or handle, as last read. A handle that no channel has stays, and finds nothing. */
export async function findChannelId({ db }: CoreContext, reference: ChannelReference): Promise<string> {
  if (reference.kind === "id") return reference.id;
  if (reference.kind === "username")
    throw createFieldError("channel_id", "must be a channel id or an @handle: user names are found by tracking only");
  const { handle } = reference;
  const [row] = await db
    .select({ id: channels.id })
    .from(channels)
    .where(eq(lowerCaseSql(channels.handle), handle.toLowerCase()))
    .orderBy(desc(channels.readAt))
    .limit(1);
  return row?.id ?? handle;
}

/** Selects tracked creators, for {@link toTracked}. */
export function selectTracked({ db }: CoreContext) {
  return db
    .select({
      ...CREATOR_COLUMNS,
      readAt: toIsoText(channels.readAt),
      lastSnapshotAt: toIsoText(channels.lastSnapshotAt),
      trackedSince: toIsoText(trackedCreators.trackedSince),
      ownSource: sql<Tracked["ownSource"]>`${snapshots.source}`,
      ownReadAt: sql<string | null>`${toIsoText(snapshots.readAt)}`,
      ownSubscribers: sql<number | null>`${snapshots.subscribers}`.mapWith(snapshots.subscribers),
      ownViews: sql<number | null>`${snapshots.views}`.mapWith(snapshots.views),
      ownVideos: sql<number | null>`${snapshots.videos}`.mapWith(snapshots.videos),
      runStartedAt: sql<string | null>`${toIsoText(snapshotRuns.startedAt)}`,
    })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .leftJoin(OWN_SNAPSHOT_SQL, sql`true`)
    .leftJoin(snapshotRuns, sql`${snapshotRuns.day} = ${snapshots.day}`)
    .$dynamic();
}

/** A tracked creator, with the counts of the key's own latest snapshot. */
export function toTracked(row: Tracked, today: Day): TrackedCreator {
  const creator = toCreator(applyOwnCounts(row), today);
  // The start of the run: the exact time would reveal how many channels are read before this one.
  const dailyAt = row.ownSource === "daily" ? (row.runStartedAt ?? row.ownReadAt) : null;
  const isOwn = dailyAt !== null && dailyAt >= row.trackedSince;
  return { ...creator, tracked_since: row.trackedSince, last_snapshot_at: isOwn ? dailyAt : null };
}

function applyOwnCounts(row: Tracked): Tracked {
  if (row.ownReadAt === null) return row;
  const { ownSubscribers: subscribers, ownViews: views, ownVideos: videos, ownReadAt: readAt } = row;
  const counts = { ...row, subscribers, views, videos, readAt };
  const unknown = { score: null, chance7d: null, chance28d: null, expected7d: null, expected28d: null, reason: null };
  return subscribers === null ? { ...counts, ...unknown } : counts;
}

export function createNotTrackedError(): AppError {
  return new AppError("not_tracked", "Your key does not track this creator");
}
