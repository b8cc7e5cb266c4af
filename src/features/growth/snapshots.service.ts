import { type SQL, sql } from "drizzle-orm";
import { addDays, type Day, toDate } from "@/core/time";
import type { Database } from "@/db/client";
import type { CoreContext } from "@/db/context";
import type { ChannelChange } from "@/db/feed";
import { prepareStatement } from "@/db/statement";
import type { ChannelStats } from "@/platform/port";
import { computeGrowthPercent, computeOneDayGrowth, type GrowthSnapshot, type PastSnapshot } from "./rules";
import { HISTORY_DAYS } from "./score.rules";
import {
  insertUnread,
  keepIfSql,
  type Moved,
  type StoredScore,
  sanitizeStats,
  scoreStats,
  toChanges,
} from "./service";

/** A channel's statistics with their score and the earlier snapshots. */
export interface ScoredChannel {
  stats: ChannelStats;
  current: PastSnapshot;
  /** The snapshot of the day before. */
  baseline: GrowthSnapshot | undefined;
  /** The snapshots of the 28 days before. */
  past: PastSnapshot[];
  score: StoredScore;
}

/** Snapshots of the 28 days before a day, by channel. */
export type Histories = ReadonlyMap<string, PastSnapshot[]>;

type StoredSnapshot = [day: Day, readAt: number, subscribers: number | null, views: number | null];

// One JSON row per channel, because thousands of rows cost the driver too much.
const selectHistories = prepareStatement<
  { id: string; past: StoredSnapshot[] },
  { ids: string; from: Day; day: Day }
>(sql`
  select given.id, past from jsonb_array_elements_text(${sql.placeholder("ids")}::jsonb) as given (id), lateral (
    select json_agg(json_build_array(day, (extract(epoch from read_at) * 1000)::int8, subscribers, views)) as past
    from snapshots where channel_id = given.id
      and day >= ${sql.placeholder("from")}::date and day < ${sql.placeholder("day")}::date
    having count(*) > 0
  ) as stored`);

export async function loadHistories(db: Database, ids: readonly string[], day: Day): Promise<Histories> {
  const rows = await selectHistories(db, {
    ids: JSON.stringify(ids),
    from: addDays(day, -HISTORY_DAYS),
    day,
  });
  return new Map(
    rows.map(({ id, past }) => [
      id,
      past.map(([day, readAt, subscribers, views]) => ({ day, readAt: toDate(readAt), subscribers, views })),
    ]),
  );
}

export function scoreAll(
  given: readonly ChannelStats[],
  day: Day,
  readAt: Date,
  histories: Histories,
): ScoredChannel[] {
  const yesterday = addDays(day, -1);
  return given.map(sanitizeStats).map((stats) => {
    const past = histories.get(stats.channelId) ?? [];
    const current = { day, readAt, subscribers: stats.subscribers, views: stats.views };
    const score = scoreStats([...past, current], day, stats);
    return { stats, current, baseline: findOnDay(past, yesterday), past, score };
  });
}

/** The values of {@link upsertSnapshotsSql}. */
export type SnapshotValues = { readings: string; day: Day; readAt: string };

/** @returns the values of a statement with {@link upsertSnapshotsSql} */
export function toSnapshotValues(scored: readonly ScoredChannel[], day: Day, readAt: Date): SnapshotValues {
  const weekAgo = addDays(day, -7);
  const records = scored.map(({ stats, current, baseline, past, score }) => ({
    ...stats,
    ...score,
    growth_1d: computeOneDayGrowth(baseline, current),
    growth_7d: computeGrowthPercent(findOnDay(past, weekAgo)?.subscribers ?? null, current.subscribers),
  }));
  return { readings: JSON.stringify(records), day, readAt: readAt.toISOString() };
}

/**
 * Part of a `with` clause that stores statistics as the day's snapshots and updates their channels. `written`
 * has the
 * channel_id of each snapshot that was written; `moved` the channels that were renamed or are available again.
 */
export function upsertSnapshotsSql(source: "daily" | "track"): SQL {
  const readAt = sql`${sql.placeholder("readAt")}::timestamptz`;
  const day = sql`${sql.placeholder("day")}::date`;
  const isShown =
    source === "daily"
      ? sql`true`
      : sql`not exists (select from snapshots as daily where daily.channel_id = written.channel_id
          and daily.day = ${day} - 1 and daily.source = 'daily')`;
  // One parameter for all rows keeps the text the same. One order for all writers prevents deadlocks.
  return sql`
    given as materialized (
      select * from jsonb_to_recordset(${sql.placeholder("readings")}::jsonb) as given ("channelId" text, name text,
        handle text, "thumbnailUrl" text, country text, subscribers int8, views int8, videos int4, value int2,
        basis text, version int2, chance_7d float8, chance_28d float8, parts jsonb, growth_1d float8, growth_7d float8)
    ), before as materialized (
      select id, name, status, read_at, last_snapshot_at from channels
      -- An array, because a join with an unknown number of rows would scan the table.
      where id = any (array(select "channelId" from given)) order by id for no key update
    ), written as (
      insert into snapshots as held (channel_id, day, read_at, source, subscribers, views, videos, score, score_version,
        chance_7d, chance_28d, score_parts)
      select "channelId", ${day}, ${readAt}, ${sql.raw(`'${source}'`)}, subscribers, views, videos, value, version,
        chance_7d, chance_28d, parts
      -- All channels that exist are locked before the first snapshot is written.
      from given where (select count(*) from before) >= 0
      order by "channelId"
      on conflict (channel_id, day) do update set
        read_at = excluded.read_at, source = excluded.source, subscribers = excluded.subscribers,
        views = excluded.views, videos = excluded.videos, score = excluded.score,
        score_version = excluded.score_version, chance_7d = excluded.chance_7d, chance_28d = excluded.chance_28d,
        score_parts = excluded.score_parts
      where held.source = 'track' and excluded.source = 'daily'
      returning channel_id
    ), shown as (
      select channel_id from written where ${isShown}
    ), updated as (
      insert into channels as known (id, name, handle, thumbnail_url, country, status, read_at, subscribers, views,
        videos, score, score_basis, score_version, chance_7d, chance_28d, growth_1d_percent, growth_7d_percent,
        last_snapshot_at)
      select "channelId", name, handle, "thumbnailUrl", country, 'active', ${readAt}, subscribers, views, videos, value,
        basis, version, chance_7d, chance_28d, growth_1d, growth_7d, case when channel_id is not null then ${readAt} end
      from given left join shown on channel_id = "channelId"
      order by "channelId"
      on conflict (id) do update set
        ${keepIfSql(sql`known.read_at > excluded.read_at`, "name", "handle", "thumbnail_url", "country", "status", "read_at")},
        ${keepIfSql(sql`excluded.last_snapshot_at is null`, ...FIGURES)},
        percentile = case when known.last_snapshot_at >= excluded.read_at - interval '28 days' then known.percentile end
    ), moved as (
      select id, given.name, before.name <> given.name and before.name <> id as is_renamed,
        status = 'unavailable' and last_snapshot_at is not null as is_back
      from before join given on id = "channelId" where coalesce(read_at <= ${readAt}, true)
    )`;
}

const FIGURES = [
  ...["subscribers", "views", "videos", "score", "score_basis", "score_version", "chance_7d", "chance_28d"],
  ...["growth_1d_percent", "growth_7d_percent", "last_snapshot_at"],
];

type Stored = { written: string[]; moved: Moved[] };
const prepareStore = (source: "daily" | "track") =>
  prepareStatement<Stored, SnapshotValues>(sql`
    with ${upsertSnapshotsSql(source)}
    select (select coalesce(json_agg(channel_id), '[]') from written) as written,
      (select coalesce(json_agg(moved), '[]') from moved) as moved`);
const STORE = { daily: prepareStore("daily"), track: prepareStore("track") };

/**
 * Stores statistics as the day's snapshots and updates their channels. A channel has one snapshot a day: that
 * of the daily run replaces any other and is never replaced. A channel in the daily run of the day before
 * shows those counts until the next run.
 * @returns the statistics that were stored, and channel changes for the caller to add to the feeds
 */
export async function recordSnapshots(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  day: Day,
  source: "daily" | "track",
  channelStats: readonly ChannelStats[],
): Promise<{ recorded: ScoredChannel[]; changes: ChannelChange[] }> {
  if (channelStats.length === 0) return { recorded: [], changes: [] };
  const readAt = clock.now();
  const ids = channelStats.map(({ channelId }) => channelId);
  // So that all writers lock the channels first, new ones too.
  await insertUnread(db, ids);
  const scored = scoreAll(channelStats, day, readAt, await loadHistories(db, ids, day));
  const [stored] = await STORE[source](db, toSnapshotValues(scored, day, readAt));
  const written = new Set(stored?.written);
  const recorded = scored.filter(({ stats }) => written.has(stats.channelId));
  return { recorded, changes: toChanges(stored?.moved ?? []) };
}

function findOnDay<Reading extends GrowthSnapshot>(history: readonly Reading[], day: Day) {
  return history.find((row) => row.day === day);
}
