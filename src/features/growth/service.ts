import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { addDays, type Day, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { ChannelChange } from "@/db/feed";
import { channels, snapshots } from "@/db/schema";
import { formatRows, listColumnsSql, prepareStatement, readRowsSql } from "@/db/statement";
import type { ChannelStats } from "@/platform/port";
import type { Corrected, Correction, Corrections } from "./correction.rules";
import type { PastSnapshot } from "./rules";
import { SCORE_VERSION } from "./score.rules";
import { type Histories, type ScoredChannel, scoreAll } from "./storing.rules";
import { HISTORY_DAYS } from "./strength.rules";

type StoredSnapshot = Omit<PastSnapshot, "readAt"> & { readAt: number };

const SCORE_VERSION_SQL = sql.raw(String(SCORE_VERSION));

// One JSON row per channel, because thousands of rows cost the driver too much.
const selectHistories = prepareStatement<
  { id: string; past: StoredSnapshot[] },
  { ids: string; from: Day; day: Day }
>(sql`
  select given.id, past from jsonb_array_elements_text(${sql.placeholder("ids")}::jsonb) as given (id), lateral (
    select json_agg(json_build_object('day', day, 'readAt', (extract(epoch from read_at) * 1000)::int8,
      'subscribers', subscribers, 'views', views,
      'score', case when score_version = ${SCORE_VERSION_SQL} then score end)) as past
    from snapshots where channel_id = given.id
      and day >= ${sql.placeholder("from")}::date and day < ${sql.placeholder("day")}::date
    having count(*) > 0
  ) as stored`);

export async function loadHistories({ db }: CoreContext, channelIds: readonly string[], day: Day): Promise<Histories> {
  const from = addDays(day, -HISTORY_DAYS);
  const rows = await selectHistories(db, { ids: JSON.stringify(channelIds), from, day });
  const restore = (stored: StoredSnapshot) => ({ ...stored, readAt: toDate(stored.readAt) });
  return new Map(rows.map(({ id, past }) => [id, past.map(restore)]));
}

const selectCorrections = prepareStatement<Correction & { chance: Corrected }, Record<string, never>>(
  sql`select chance, intercept, slope from chance_corrections`,
);

/** How the service's own record corrects chances. */
export async function loadCorrections({ db }: CoreContext): Promise<Corrections> {
  return Object.fromEntries((await selectCorrections(db, {})).map(({ chance, ...correction }) => [chance, correction]));
}

const { id, status, readAt, percentile, lastSnapshotAt, videosTriedAt, ...facts } = getTableColumns(channels);
const { name, handle, thumbnailUrl, country, ...figures } = facts;
const { subscribers, views, videos, growth1dPercent, growth7dPercent, growth28dPercent, ...score } = figures;
const CHANNEL = { id, ...facts };
const READ = { name, handle, thumbnailUrl, country, status, readAt };
const { channelId, day, uploads7d, uploadViews7d, ...TAKEN } = getTableColumns(snapshots);
const { readAt: takenAt, source, ...measured } = TAKEN;
const SNAPSHOT = { channelId, ...measured };

/** The values of a statement with {@link GIVEN_STATS_SQL}: rows of `CHANNEL` and `SNAPSHOT`. */
export type StatsValues = { channels: string; snapshots: string; day: Day; readAt: string };

export function toStatsValues(scored: readonly ScoredChannel[], day: Day, readAt: Date): StatsValues {
  const [given, taken] = [scored.map(({ channel }) => channel), scored.map(({ snapshot }) => snapshot)];
  const rows = { channels: formatRows(CHANNEL, given), snapshots: formatRows(SNAPSHOT, taken) };
  return { ...rows, day, readAt: readAt.toISOString() };
}

const DAY_SQL = sql`${sql.placeholder("day")}::date`;
const READ_AT_SQL = sql`${sql.placeholder("readAt")}::timestamptz`;

/**
 * The head of a `with` clause for statistics: `given` has them, `before` the channels that exist, locked, and `seen` the
 * channels that were renamed or are available again.
 */
// One parameter for all rows keeps the text the same. One order for all writers prevents deadlocks.
const GIVEN_STATS_SQL = sql`
  given as materialized (
    select * from ${readRowsSql("channels", CHANNEL)}
  ), before as materialized (
    select id, name, status, read_at, last_snapshot_at from channels
    -- An array, because a join with an unknown number of rows would scan the table.
    where id = any (array(select id from given)) order by id for no key update
  ), moved as (
    select id, status, last_snapshot_at, given.name, before.name as name_before
    from before join given using (id) where coalesce(read_at <= ${READ_AT_SQL}, true)
  ), seen as (
    select id as channel_id, 'renamed' as kind, name from moved where name_before <> name and name_before <> id
    union all
    select id, 'available', null from moved where status = 'unavailable' and last_snapshot_at is not null
  )`;
/** True once all channels that exist are locked, which must be before the first write. */
const IS_LOCKED_SQL = sql`(select count(*) from before) >= 0`;

/**
 * The head of a `with` clause that stores statistics as the day's snapshots and updates their channels. `written` has the
 * channel_id of each snapshot that was written, `seen` the channel_id, kind and name of changes for the feeds.
 */
export function storeSnapshotsSql(source: "daily" | "track"): SQL {
  const isShown =
    source === "daily"
      ? sql`true`
      : sql`not exists (select from snapshots as daily where daily.channel_id = written.channel_id
          and daily.day = ${DAY_SQL} - 1 and daily.source = 'daily')`;
  return sql`${GIVEN_STATS_SQL}, written as (
      insert into snapshots as held (${listColumnsSql(SNAPSHOT)}, day, read_at, source)
      select ${listColumnsSql(SNAPSHOT)}, ${DAY_SQL}, ${READ_AT_SQL}, ${sql.raw(`'${source}'`)}
      from ${readRowsSql("snapshots", SNAPSHOT)} where ${IS_LOCKED_SQL}
      order by channel_id
      on conflict (channel_id, day) do update set ${replaceSql(TAKEN)}
      where held.source = 'track' and excluded.source = 'daily'
      returning channel_id
    ), shown as (
      select channel_id from written where ${isShown}
    ), updated as (
      insert into channels as known (${listColumnsSql(CHANNEL)}, status, read_at, last_snapshot_at)
      select ${listColumnsSql(CHANNEL)}, 'active', ${READ_AT_SQL}, case when channel_id is not null then ${READ_AT_SQL} end
      from given left join shown on channel_id = id
      order by id
      on conflict (id) do update set
        ${keepIfSql(sql`known.read_at > excluded.read_at`, READ)},
        ${keepIfSql(sql`excluded.last_snapshot_at is null`, { ...figures, lastSnapshotAt })},
        percentile = case when known.last_snapshot_at >= excluded.read_at - interval '28 days' then known.percentile end
    )`;
}

/** Assignments of `on conflict do update`. */
function replaceSql(columns: Record<string, PgColumn>): SQL {
  return listColumnsSql(columns, (column) => sql`${column} = excluded.${column}`);
}

/** Assignments of `on conflict do update` that keep the columns of the row `known` if the condition holds. */
function keepIfSql(condition: SQL, columns: Record<string, PgColumn>): SQL {
  const keepSql = (column: SQL) =>
    sql`${column} = case when ${condition} then known.${column} else excluded.${column} end`;
  return listColumnsSql(columns, keepSql);
}

type Recorded = { stored: string[]; changes: ChannelChange[] };
const prepareRecording = (source: "daily" | "track") =>
  prepareStatement<Recorded, StatsValues>(sql`
    with ${storeSnapshotsSql(source)}
    select (select coalesce(json_agg(channel_id), '[]') from written) as stored,
      (select coalesce(json_agg(seen), '[]') from seen) as changes`);
const RECORDING = { daily: prepareRecording("daily"), track: prepareRecording("track") };

/**
 * Stores statistics as the day's snapshots and updates their channels. A channel has one snapshot a day: that
 * of the daily run replaces any other and is never replaced. A channel in the daily run of the day before
 * shows those counts until the next run.
 * @returns the ids of the channels whose snapshot was stored, and changes for the caller to add to the feeds
 */
export async function recordSnapshots(
  ctx: CoreContext,
  day: Day,
  source: "daily" | "track",
  channelStats: readonly ChannelStats[],
): Promise<Recorded> {
  const nothing = { stored: [], changes: [] };
  if (channelStats.length === 0) return nothing;
  const readAt = ctx.clock.now();
  const ids = channelStats.map(({ channelId }) => channelId);
  // So that all writers lock the channels first, new ones too.
  await insertUnread(ctx, ids);
  const scored = scoreAll(channelStats, day, readAt, await loadHistories(ctx, ids, day), await loadCorrections(ctx));
  const [recorded = nothing] = await RECORDING[source](ctx.db, toStatsValues(scored, day, readAt));
  return recorded;
}

const isFresh = sql`coalesce(known.last_snapshot_at >= (${DAY_SQL} - 1)::timestamp at time zone 'UTC', false)`;
const isScored = sql`(${isFresh} or coalesce(known.score + excluded.score >= 0
  and known.last_snapshot_at >= excluded.read_at - interval '28 days', false))`;
const updateLookedUp = prepareStatement<ChannelChange, StatsValues>(sql`
  with ${GIVEN_STATS_SQL}, updated as (
    insert into channels as known (${listColumnsSql(CHANNEL)}, status, read_at)
    select ${listColumnsSql(CHANNEL)}, 'active', ${READ_AT_SQL} from given where ${IS_LOCKED_SQL}
    order by id
    on conflict (id) do update set ${replaceSql(READ)},
      ${keepIfSql(isFresh, { subscribers, views, videos })}, ${keepIfSql(isScored, { ...score, percentile })}
    where coalesce(known.read_at <= excluded.read_at, true)
  )
  select * from seen`);

/**
 * Stores the look-up of channels without making snapshots. It changes the counts only of channels without a snapshot of
 * that day or the day before, and the score only of channels without a score of the last 28 days.
 * @returns channels that were renamed or are available again, which the caller adds to the feeds in the same transaction
 */
export async function upsertChannels(ctx: CoreContext, channelStats: readonly ChannelStats[]) {
  if (channelStats.length === 0) return [];
  const readAt = ctx.clock.now();
  const day = toUtcDay(readAt);
  // An earlier statement, because one that both locks and inserts rows has no fixed lock order and could deadlock.
  const ids = channelStats.map((stats) => stats.channelId);
  await insertUnread(ctx, ids);
  return updateLookedUp(ctx.db, toStatsValues(scoreAll(channelStats, day, readAt, new Map()), day, readAt));
}

/** Adds channels that were never read, in one order for all writers. Their id stands in for their name. */
export async function insertUnread({ db }: CoreContext, ids: readonly string[]): Promise<void> {
  const unread = { status: "unavailable", score: null, scoreBasis: "profile" } as const;
  const rows = ids.toSorted().map((id) => ({ id, name: id, ...unread, scoreVersion: SCORE_VERSION }));
  await db.insert(channels).values(rows).onConflictDoNothing();
}
