import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { AppError, createFieldError } from "@/core/errors";
import { buildPagination, type PageQuery } from "@/core/http/page";
import { type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { channels, snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import { lowerCaseSql } from "@/db/schema/columns";
import { opaqueValueSql, prepareStatement, type Selected, selectColumnsSql } from "@/db/statement";
import { isCurrent } from "@/features/growth/rules";
import { classifyLevel } from "@/features/growth/score.rules";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference } from "@/platform/port";
import { getReferenceName, toChannelUrl } from "./rules";
import type { Creator, TrackedCreator } from "./schema";

/** The columns of a channel that clients see, under their names, and the two that other fields follow from. */
export const CREATOR_COLUMNS = {
  channel_id: channels.id,
  name: channels.name,
  handle: channels.handle,
  thumbnail_url: channels.thumbnailUrl,
  country: channels.country,
  status: channels.status,
  subscribers: channels.subscribers,
  views: channels.views,
  videos: channels.videos,
  score: channels.score,
  score_basis: channels.scoreBasis,
  score_version: channels.scoreVersion,
  percentile: channels.percentile,
  chance_7d: channels.chance7d,
  chance_28d: channels.chance28d,
  expected_7d: channels.expected7d,
  expected_28d: channels.expected28d,
  reason: channels.reason,
  growth_1d_percent: channels.growth1dPercent,
  growth_7d_percent: channels.growth7dPercent,
  readAt: channels.readAt,
  lastSnapshotAt: channels.lastSnapshotAt,
};
type Instants = "readAt" | "lastSnapshotAt";
/** Instants are dates, or texts of ISO 8601. */
type CreatorRow = Omit<Selected<typeof CREATOR_COLUMNS>, Instants> & Record<Instants, Date | string | null>;

const NO_OUTLOOK = { chance_7d: null, chance_28d: null, expected_7d: null, expected_28d: null, reason: null };
const NO_GROWTH = { ...NO_OUTLOOK, growth_1d_percent: null, growth_7d_percent: null };
/** Without a count there is nothing to score. */
const UNSCORED = { ...NO_OUTLOOK, score: null };

/** A channel as clients see it on a UTC day. @param row without other columns */
export function toCreator({ readAt, lastSnapshotAt, ...facts }: CreatorRow, today: Day): Creator {
  const latest = lastSnapshotAt instanceof Date ? toUtcDay(lastSnapshotAt) : lastSnapshotAt?.slice(0, 10);
  const hasGrowth = latest !== undefined && isCurrent(latest, facts.status, today);
  const uncounted = readAt === null ? "unread" : "hidden";
  return {
    ...facts,
    ...(!hasGrowth && NO_GROWTH),
    url: toChannelUrl(facts.channel_id),
    counts: facts.subscribers === null ? uncounted : "known",
    alert_level: classifyLevel(facts.score),
  };
}

const TRACKED_COLUMNS = {
  ...CREATOR_COLUMNS,
  tracked_since: trackedCreators.trackedSince,
  ownSource: snapshots.source,
  ownReadAt: snapshots.readAt,
  ownSubscribers: snapshots.subscribers,
  ownViews: snapshots.views,
  ownVideos: snapshots.videos,
  runStartedAt: snapshotRuns.startedAt,
};
type Joined = "ownSource" | "ownReadAt" | "runStartedAt";
type Tracked = {
  [Name in keyof typeof TRACKED_COLUMNS]: Selected<typeof TRACKED_COLUMNS>[Name] | (Name extends Joined ? null : never);
};

/** The latest snapshot of a creator since the key tracks it: of a daily run, or of the day tracking began. */
export const OWN_SNAPSHOT_SQL = sql`lateral (
  select * from snapshots as own
  where own.channel_id = tracked_creators.channel_id
    and own.day >= (tracked_creators.tracked_since at time zone 'UTC')::date
    and (own.source = 'daily' or own.day = (tracked_creators.tracked_since at time zone 'UTC')::date)
  order by own.day desc limit 1
) as snapshots`;

/** The joins of {@link TRACKED_COLUMNS}. @param tracked the table `tracked_creators`, or a part of it under that name */
function joinTrackedSql(tracked: SQL): SQL {
  return sql`${tracked} join channels on channels.id = tracked_creators.channel_id
    left join ${OWN_SNAPSHOT_SQL} on true left join snapshot_runs on snapshot_runs.day = snapshots.day`;
}

/** A page of the key's creators, newest first, each row with their total. */
const selectLatestTracked = prepareStatement<Tracked & { total: number }, PageQuery & { keyId: KeyId }>(sql`
  select counted.total, ${selectColumnsSql(TRACKED_COLUMNS)}
  from (select count(*)::int as total from tracked_creators where key_id = ${opaqueValueSql("keyId", "text")}) as counted
  left join (${joinTrackedSql(sql`(
    select channel_id, tracked_since from tracked_creators where key_id = ${opaqueValueSql("keyId", "text")}
    order by tracked_since desc, channel_id desc offset ${opaqueValueSql("offset", "int")} limit ${opaqueValueSql("limit", "int")}
  ) as tracked_creators`)}) on true
  order by tracked_creators.tracked_since desc, tracked_creators.channel_id desc`);

/** A page of the key's tracked creators, the latest tracked first. */
export async function listTracked({ db, clock }: CoreContext, keyId: KeyId, page: PageQuery) {
  const rows = await selectLatestTracked(db, { keyId, ...page });
  const today = toUtcDay(clock.now());
  const total = rows[0]?.total ?? 0;
  // A page after the last has one row, with the total and no creator.
  const creators = page.offset < total ? rows.map(({ total: _, ...row }) => toTracked(row, today)) : [];
  return { pagination: buildPagination(page, total), creators };
}

/** Whether a row of `tracked_creators` is of the key and one of these channels. @param channelIds a list, or a query of ids */
export function isTrackedSql(keyId: KeyId, channelIds: readonly string[] | SQL) {
  return and(eq(trackedCreators.keyId, keyId), inArray(trackedCreators.channelId, channelIds));
}

/** The tracked creators that match a condition. */
export async function listTrackedWhere(
  { db, clock }: CoreContext,
  wanted: SQL | undefined,
  order: SQL[] = [sql`tracked_creators.channel_id`],
): Promise<TrackedCreator[]> {
  const rows = await db.execute<Tracked>(sql`
    select ${selectColumnsSql(TRACKED_COLUMNS)} from ${joinTrackedSql(sql`tracked_creators`)}
    where ${wanted} order by ${sql.join(order, sql`, `)}`);
  const today = toUtcDay(clock.now());
  return rows.map((row) => toTracked(row, today));
}

/** A creator that the key tracks. @throws AppError `not_found` when the key does not track it */
export async function findTracked(ctx: CoreContext, keyId: KeyId, channelId: string): Promise<TrackedCreator> {
  const [creator] = await listTrackedWhere(ctx, isTrackedSql(keyId, [channelId]));
  if (!creator) throw createNotTrackedError();
  return creator;
}

/** The id of a tracked creator by id or handle. Only the platform resolves user names. @throws AppError `not_found` */
export async function findTrackedId(ctx: CoreContext, keyId: KeyId, reference: ChannelReference): Promise<string> {
  if (reference.kind === "id") return reference.id;
  const tracked = sql`(select channel_id from tracked_creators where key_id = ${keyId})`;
  const id = await findStoredChannel(ctx, reference, tracked);
  if (id === null) throw createNotTrackedError();
  return id;
}

/** The id of a channel by its id or handle, as last read. A handle that no channel has stays, and finds nothing. */
export async function findChannelId(ctx: CoreContext, reference: ChannelReference): Promise<string> {
  if (reference.kind === "id") return reference.id;
  if (reference.kind === "username")
    throw createFieldError("channel_id", "must be a channel id or an @handle: user names are found by tracking only");
  return (await findStoredChannel(ctx, reference)) ?? reference.handle;
}

/** The id of a stored channel by its id or handle; null when none has it. @param among a query of ids, all when left out */
export async function findStoredChannel({ db }: CoreContext, reference: ChannelReference, among?: SQL) {
  const name = getReferenceName(reference);
  const isNamed = reference.kind === "id" ? eq(channels.id, name) : eq(lowerCaseSql(channels.handle), name);
  const [row] = await db
    .select({ id: channels.id })
    .from(channels)
    .where(and(isNamed, among && inArray(channels.id, among)))
    // A handle can pass to another channel.
    .orderBy(sql`${channels.readAt} desc nulls last`)
    .limit(1);
  return row?.id ?? null;
}

/** A tracked creator, with the counts of the key's own latest snapshot. */
function toTracked(row: Tracked, today: Day): TrackedCreator {
  const { tracked_since, ownSource, ownReadAt, ownSubscribers, ownViews, ownVideos, runStartedAt, ...facts } = row;
  const counts = { subscribers: ownSubscribers, views: ownViews, videos: ownVideos, readAt: ownReadAt };
  const own = ownReadAt === null ? facts : { ...facts, ...counts, ...(ownSubscribers === null && UNSCORED) };
  // The start of the run: the exact time would reveal how many channels are read before this one.
  const dailyAt = ownSource === "daily" ? (runStartedAt ?? ownReadAt) : null;
  const isOwn = dailyAt !== null && dailyAt >= tracked_since;
  return { ...toCreator(own, today), tracked_since, last_snapshot_at: isOwn ? dailyAt : null };
}

export function createNotTrackedError(): AppError {
  return new AppError("not_tracked", "Your key does not track this creator");
}
