import { type SQL, sql } from "drizzle-orm";
import { addDays, type Day, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { ChannelChange } from "@/db/feed";
import { channels } from "@/db/schema";
import { prepareStatement } from "@/db/statement";
import type { ChannelStats } from "@/platform/port";
import type { Corrected, Correction, Corrections } from "./correction.rules";
import { SCORE_VERSION } from "./score.rules";
import { type Histories, type ScoredChannel, scoreAll } from "./storing.rules";
import { HISTORY_DAYS } from "./strength.rules";

type StoredSnapshot = [
  day: Day,
  readAt: number,
  subscribers: number | null,
  views: number | null,
  score: number | null,
];

const SCORE_VERSION_SQL = sql.raw(String(SCORE_VERSION));

// One JSON row per channel, because thousands of rows cost the driver too much.
const selectHistories = prepareStatement<
  { id: string; past: StoredSnapshot[] },
  { ids: string; from: Day; day: Day }
>(sql`
  select given.id, past from jsonb_array_elements_text(${sql.placeholder("ids")}::jsonb) as given (id), lateral (
    select json_agg(json_build_array(day, (extract(epoch from read_at) * 1000)::int8, subscribers, views,
      case when score_version = ${SCORE_VERSION_SQL} then score end)) as past
    from snapshots where channel_id = given.id
      and day >= ${sql.placeholder("from")}::date and day < ${sql.placeholder("day")}::date
    having count(*) > 0
  ) as stored`);

export async function loadHistories({ db }: CoreContext, channelIds: readonly string[], day: Day): Promise<Histories> {
  const from = addDays(day, -HISTORY_DAYS);
  const rows = await selectHistories(db, { ids: JSON.stringify(channelIds), from, day });
  return new Map(
    rows.map(({ id, past }) => [
      id,
      past.map(([day, readAt, subscribers, views, score]) => ({
        ...{ day, readAt: toDate(readAt), subscribers, views, score },
      })),
    ]),
  );
}

const selectCorrections = prepareStatement<Correction & { chance: Corrected }, Record<string, never>>(
  sql`select chance, intercept, slope from chance_corrections`,
);

/** How the service's own record corrects chances. */
export async function loadCorrections({ db }: CoreContext): Promise<Corrections> {
  return Object.fromEntries((await selectCorrections(db, {})).map(({ chance, ...correction }) => [chance, correction]));
}

/** The values of a statement with {@link GIVEN_STATS_SQL}. */
export type StatsValues = { stats: string; day: Day; readAt: string };

export function toStatsValues(scored: readonly ScoredChannel[], day: Day, readAt: Date): StatsValues {
  return { stats: JSON.stringify(scored.map(({ stats }) => stats)), day, readAt: readAt.toISOString() };
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
    select * from jsonb_to_recordset(${sql.placeholder("stats")}::jsonb) as given ("channelId" text, name text,
      handle text, "thumbnailUrl" text, country text, subscribers int8, views int8, videos int4, value int2,
      basis text, version int2, chance_7d float8, chance_28d float8, shown_7d float8, shown_28d float8,
      expected_7d jsonb, expected_28d jsonb, reason text, parts jsonb, growth_1d float8, growth_7d float8, growth_28d float8)
  ), before as materialized (
    select id, name, status, read_at, last_snapshot_at from channels
    -- An array, because a join with an unknown number of rows would scan the table.
    where id = any (array(select "channelId" from given)) order by id for no key update
  ), moved as (
    select id, status, last_snapshot_at, given.name, before.name as name_before
    from before join given on id = "channelId" where coalesce(read_at <= ${READ_AT_SQL}, true)
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
      insert into snapshots as held (channel_id, day, read_at, source, subscribers, views, videos, score, score_version,
        chance_7d, chance_28d, expected_7d, expected_28d, score_parts)
      select "channelId", ${DAY_SQL}, ${READ_AT_SQL}, ${sql.raw(`'${source}'`)}, subscribers, views, videos, value,
        version, chance_7d, chance_28d, expected_7d, expected_28d, parts
      from given where ${IS_LOCKED_SQL}
      order by "channelId"
      on conflict (channel_id, day) do update set
        read_at = excluded.read_at, source = excluded.source, subscribers = excluded.subscribers,
        views = excluded.views, videos = excluded.videos, score = excluded.score,
        score_version = excluded.score_version, chance_7d = excluded.chance_7d, chance_28d = excluded.chance_28d,
        expected_7d = excluded.expected_7d, expected_28d = excluded.expected_28d, score_parts = excluded.score_parts
      where held.source = 'track' and excluded.source = 'daily'
      returning channel_id
    ), shown as (
      select channel_id from written where ${isShown}
    ), updated as (
      insert into channels as known (id, name, handle, thumbnail_url, country, status, read_at, subscribers, views,
        videos, score, score_basis, score_version, chance_7d, chance_28d, expected_7d, expected_28d, reason,
        growth_1d_percent, growth_7d_percent, growth_28d_percent, last_snapshot_at)
      select "channelId", name, handle, "thumbnailUrl", country, 'active', ${READ_AT_SQL}, subscribers, views, videos,
        value, basis, version, shown_7d, shown_28d, expected_7d, expected_28d, reason, growth_1d, growth_7d, growth_28d,
        case when channel_id is not null then ${READ_AT_SQL} end
      from given left join shown on channel_id = "channelId"
      order by "channelId"
      on conflict (id) do update set
        ${keepIfSql(sql`known.read_at > excluded.read_at`, "name", "handle", "thumbnail_url", "country", "status", "read_at")},
        ${keepIfSql(sql`excluded.last_snapshot_at is null`, ...COUNTS, ...SCORE, ...GROWTH)},
        percentile = case when known.last_snapshot_at >= excluded.read_at - interval '28 days' then known.percentile end
    )`;
}

const COUNTS = ["subscribers", "views", "videos"];
const SCORE = [
  ...["score", "score_basis", "score_version", "chance_7d", "chance_28d"],
  ...["expected_7d", "expected_28d", "reason"],
];
const GROWTH = ["growth_1d_percent", "growth_7d_percent", "growth_28d_percent", "last_snapshot_at"];

/** Assignments of `on conflict do update` that keep the columns of the row `known` if the condition holds. */
function keepIfSql(condition: SQL, ...columns: string[]): SQL {
  const assignments = columns.map((name) => {
    const column = sql.identifier(name);
    return sql`${column} = case when ${condition} then known.${column} else excluded.${column} end`;
  });
  return sql.join(assignments, sql`, `);
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
    insert into channels as known (id, name, handle, thumbnail_url, country, status, read_at, subscribers, views, videos,
      score, score_basis, score_version, chance_7d, chance_28d)
    select "channelId", name, handle, "thumbnailUrl", country, 'active', ${READ_AT_SQL}, subscribers, views, videos,
      value, basis, version, shown_7d, shown_28d
    from given where ${IS_LOCKED_SQL}
    order by "channelId"
    on conflict (id) do update set
      name = excluded.name, handle = excluded.handle, thumbnail_url = excluded.thumbnail_url, country = excluded.country,
      status = excluded.status, read_at = excluded.read_at,
      ${keepIfSql(isFresh, ...COUNTS)}, ${keepIfSql(isScored, ...SCORE, "percentile")}
    where coalesce(known.read_at <= excluded.read_at, true)
  )
  select * from seen`);

/**
 * Stores the look-up of channels without making snapshots. It changes the counts only of channels without a snapshot of
 * that day or the day before, and the score only of channels without a score of the last 28 days.
 * @returns channels that were renamed or are available again, which the caller adds to the feeds in the same transaction
 */
export async function upsertChannels(
  ctx: CoreContext,
  channelStats: readonly ChannelStats[],
): Promise<ChannelChange[]> {
  if (channelStats.length === 0) return [];
  const readAt = ctx.clock.now();
  const day = toUtcDay(readAt);
  // An earlier statement, because one that both locks and inserts rows has no fixed lock order and could deadlock.
  await insertUnread(
    ctx,
    channelStats.map(({ channelId }) => channelId),
  );
  return updateLookedUp(ctx.db, toStatsValues(scoreAll(channelStats, day, readAt, new Map()), day, readAt));
}

/** Adds channels that were never read, in one order for all writers. Their id stands in for their name. */
export async function insertUnread({ db }: CoreContext, ids: readonly string[]): Promise<void> {
  const unread = { status: "unavailable", score: null, scoreBasis: "profile" } as const;
  const rows = ids.toSorted().map((id) => ({ id, name: id, ...unread, scoreVersion: SCORE_VERSION }));
  await db.insert(channels).values(rows).onConflictDoNothing();
}
