import { count, type SQL, sql } from "drizzle-orm";
import { addDays, type Day, startOfDay, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import type { CoreContext } from "@/db/context";
import type { ChannelChange } from "@/db/feed";
import { channels, snapshots } from "@/db/schema";
import type { ChannelStats } from "@/platform/port";
import type { PastSnapshot } from "./rules";
import { SCORE_VERSION, type Score, scoreChannel } from "./score.rules";

/**
 * Stores the look-up of channels without making snapshots. It changes the counts only of channels without a snapshot of
 * that day or the day before, and the score only of channels without a score of the last 28 days.
 * @returns channels that were renamed or are available again, which the caller adds to the feeds in the same transaction
 */
export async function upsertChannels(
  db: Database,
  channelStats: readonly ChannelStats[],
  readAt: Date,
): Promise<ChannelChange[]> {
  if (channelStats.length === 0) return [];
  await insertUnread(db, listIds(channelStats));
  return updateKnown(db, channelStats, readAt);
}

const listIds = (channelStats: readonly ChannelStats[]) => channelStats.map(({ channelId }) => channelId);

/**
 * Updates channels that have a row. New rows are inserted by an earlier statement, because one that both
 * locks and inserts rows has no fixed lock order and could deadlock.
 */
async function updateKnown(
  db: Database,
  channelStats: readonly ChannelStats[],
  readAt: Date,
): Promise<ChannelChange[]> {
  const day = toUtcDay(readAt);
  const rows = channelStats.map((reading) => ({
    ...sanitizeStats(reading),
    ...scoreStats([], day, reading),
  }));
  const isFresh = sql`coalesce(known.last_snapshot_at >= ${startOfDay(addDays(day, -1)).toISOString()}::timestamptz, false)`;
  const isScored = sql`(${isFresh} or coalesce(known.score + excluded.score >= 0
    and known.last_snapshot_at >= excluded.read_at - interval '28 days', false))`;
  // One parameter for all rows keeps the text the same. One order for all writers prevents deadlocks.
  const moved = await db.execute<Moved>(sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("channelId" text, name text, handle text,
        "thumbnailUrl" text, country text, subscribers int8, views int8, videos int4, value int2, basis text,
        version int2, chance_7d float8, chance_28d float8)
    ), before as materialized (
      select id, name, status, last_snapshot_at from channels
      -- An array, so the planner always uses the index.
      where id = any (array(select "channelId" from given)) order by id for no key update
    ), written as (
    insert into channels as known (id, name, handle, thumbnail_url, country, status, subscribers, views, videos, read_at,
      score, score_basis, score_version, chance_7d, chance_28d)
    select "channelId", name, handle, "thumbnailUrl", country, 'active', subscribers, views, videos,
      ${readAt.toISOString()}::timestamptz, value, basis, version, chance_7d, chance_28d
    -- All rows that exist are locked before the first is written.
    from given where (select count(*) from before) >= 0
    order by "channelId"
    on conflict (id) do update set
      name = excluded.name, handle = excluded.handle, thumbnail_url = excluded.thumbnail_url, country = excluded.country,
      status = excluded.status, read_at = excluded.read_at,
      ${keepIfSql(isFresh, "subscribers", "views", "videos")},
      ${keepIfSql(isScored, "score", "score_basis", "score_version", "chance_7d", "chance_28d", "percentile")}
    where coalesce(known.read_at <= excluded.read_at, true)
    returning id, name
    )
    select written.id, written.name, before.name <> written.name and before.name <> before.id as is_renamed,
      before.status = 'unavailable' and before.last_snapshot_at is not null as is_back
    from written join before on before.id = written.id`);
  return toChanges(moved);
}

/** A channel that was read, and whether it was renamed or is available again. */
export type Moved = { id: string; name: string; is_renamed: boolean; is_back: boolean };

export function toChanges(moved: readonly Moved[]): ChannelChange[] {
  return moved.flatMap(({ id: channel_id, name, is_renamed, is_back }): ChannelChange[] => [
    ...(is_renamed ? [{ kind: "renamed" as const, channel_id, name }] : []),
    ...(is_back ? [{ kind: "available" as const, channel_id }] : []),
  ]);
}

/** Assignments of `on conflict do update` that keep the columns of the row `known` if the condition holds. */
export function keepIfSql(condition: SQL, ...columns: string[]): SQL {
  const assignments = columns.map((name) => {
    const column = sql.identifier(name);
    return sql`${column} = case when ${condition} then known.${column} else excluded.${column} end`;
  });
  return sql.join(assignments, sql`, `);
}

/** Adds channels that were never read, in one order for all writers. Their id stands in for their name. */
export async function insertUnread(db: Database, ids: readonly string[]): Promise<void> {
  const unread = { status: "unavailable", score: null, scoreBasis: "profile" } as const;
  const rows = ids.toSorted().map((id) => ({ id, name: id, ...unread, scoreVersion: SCORE_VERSION }));
  await db.insert(channels).values(rows).onConflictDoNothing();
}

/** The number of stored snapshots. */
export async function countSnapshots({ db }: Pick<CoreContext, "db">): Promise<number> {
  const [row] = await db.select({ stored: count() }).from(snapshots);
  return row?.stored ?? 0;
}

/** Removes what PostgreSQL refuses from texts: U+0000 and half surrogate pairs. */
export function sanitizeStats(stats: ChannelStats): ChannelStats {
  const { name, handle, thumbnailUrl, country } = stats;
  return {
    ...stats,
    name: sanitizeText(name) || stats.channelId,
    handle: handle && sanitizeText(handle),
    thumbnailUrl: thumbnailUrl && sanitizeText(thumbnailUrl),
    country: country && sanitizeText(country),
  };
}

function sanitizeText(text: string): string {
  return text.replaceAll("\u0000", "").replace(/\p{Cs}/gu, "\ufffd");
}

export interface StoredScore extends Pick<Score, "basis" | "version" | "parts"> {
  value: number | null;
  chance_7d: number | null;
  chance_28d: number | null;
}

const NO_CHANCES = { chance_7d: null, chance_28d: null };

export function scoreStats(known: readonly PastSnapshot[], day: Day, stats: ChannelStats): StoredScore {
  if (stats.subscribers === null)
    return { value: null, basis: "profile", version: SCORE_VERSION, parts: {}, ...NO_CHANCES };
  const { value, basis, version, parts, chances } = scoreChannel(known, day, stats);
  return { value, basis, version, parts, ...(chances ?? NO_CHANCES) };
}
