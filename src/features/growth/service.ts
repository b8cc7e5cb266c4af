import { count, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { ChannelChange } from "@/core/db/changes";
import type { Database } from "@/core/db/client";
import { channels, snapshots } from "@/core/db/schema";
import { addDays, type Day, instant, startOfDay, utcDay } from "@/core/time";
import type { ChannelReading } from "@/platform/port";
import { type GrowthReading, growthPercent, oneDayGrowthPercent, type PastReading } from "./rules";
import { HISTORY_DAYS, SCORE_VERSION, type Score, scoreChannel } from "./score.rules";

/** A reading that became the day's snapshot, with the snapshots before it. */
export interface RecordedReading {
  reading: ChannelReading;
  current: GrowthReading;
  /** The snapshot of the day before. */
  baseline: GrowthReading | undefined;
  /** The snapshots of the 28 days before. */
  past: PastReading[];
}

type Source = "daily" | "track";

/**
 * Stores readings as the day's snapshots and updates their channels. A channel has one snapshot a day: a daily reading
 * replaces any other, and nothing replaces a daily one. A channel that was in the daily run of the day before shows those
 * counts until the next run.
 * @returns the readings that became the day's snapshot, and changes of channels, which the caller adds to the feeds
 */
export async function recordReadings(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  day: Day,
  source: Source,
  given: readonly ChannelReading[],
): Promise<{ recorded: RecordedReading[]; changes: ChannelChange[] }> {
  if (given.length === 0) return { recorded: [], changes: [] };
  const readings = given.map(storable);
  const readAt = clock.now();
  // The daily run reads known channels.
  if (source !== "daily") await insertUnread(db, idsOf(readings));
  const changes = await updateKnown(db, readings, readAt);
  const history = await loadHistory(db, readings, day);
  const judged = readings.map((reading) => {
    const past = history.get(reading.channelId) ?? [];
    const current = { day, readAt, subscribers: reading.subscribers, views: reading.views };
    return { reading, current, past, score: scoreOf([...past, current], day, reading) };
  });
  const written = await writeSnapshots(db, source, judged);
  const kept = judged.filter(({ reading }) => written.has(reading.channelId));
  await updateChannels(db, source, kept);
  const recorded = kept.map(({ reading, current, past }) => {
    return { reading, current, baseline: onDay(past, day, -1), past };
  });
  return { recorded, changes };
}

/**
 * Stores the look-up of channels without making snapshots. It changes the counts only of channels without a snapshot of
 * that day or the day before, and the score only of channels without a score of the last 28 days.
 * @returns channels that were renamed or are available again, which the caller adds to the feeds in the same transaction
 */
export async function upsertChannels(
  db: Database,
  readings: readonly ChannelReading[],
  readAt: Date,
): Promise<ChannelChange[]> {
  if (readings.length === 0) return [];
  await insertUnread(db, idsOf(readings));
  return updateKnown(db, readings, readAt);
}

const idsOf = (readings: readonly ChannelReading[]) => readings.map(({ channelId }) => channelId);

/**
 * Writes the readings of channels that have a row. New rows are inserted by a statement before, because one that locks
 * existing rows and inserts others takes no common order, and two of them can wait for each other.
 */
async function updateKnown(
  db: Database,
  readings: readonly ChannelReading[],
  readAt: Date,
): Promise<ChannelChange[]> {
  const day = utcDay(readAt);
  const rows = readings.map((reading) => ({ ...storable(reading), ...scoreOf([], day, reading) }));
  const isFresh = sql`coalesce(known.last_snapshot_at >= ${startOfDay(addDays(day, -1)).toISOString()}::timestamptz, false)`;
  const isScored = sql`(${isFresh} or coalesce(known.score + excluded.score >= 0
    and known.last_snapshot_at >= excluded.read_at - interval '28 days', false))`;
  // One parameter for all rows keeps the text the same. One order for all writers prevents deadlocks.
  const moved = await db.execute<{ id: string; name: string; is_renamed: boolean; is_back: boolean }>(sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("channelId" text, name text, handle text,
        "thumbnailUrl" text, country text, subscribers int8, views int8, videos int4, value int2, basis text,
        version int2, chance_7d float8, chance_28d float8)
    ), before as materialized (
      select id, name, status, last_snapshot_at from channels where id in (select "channelId" from given)
      order by id for no key update
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
      ${keptIf(isFresh, "subscribers", "views", "videos")},
      ${keptIf(isScored, "score", "score_basis", "score_version", "chance_7d", "chance_28d", "percentile")}
    where coalesce(known.read_at <= excluded.read_at, true)
    returning id, name
    )
    select written.id, written.name, before.name <> written.name and before.name <> before.id as is_renamed,
      before.status = 'unavailable' and before.last_snapshot_at is not null as is_back
    from written join before on before.id = written.id`);
  return moved.flatMap(({ id: channel_id, name, is_renamed, is_back }): ChannelChange[] => [
    ...(is_renamed ? [{ kind: "renamed" as const, channel_id, name }] : []),
    ...(is_back ? [{ kind: "available" as const, channel_id }] : []),
  ]);
}

function keptIf(condition: SQL, ...columns: string[]): SQL {
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

/** A reading whose texts PostgreSQL accepts: without U+0000 and half surrogate pairs. */
function storable(reading: ChannelReading): ChannelReading {
  const { name, handle, thumbnailUrl, country } = reading;
  return {
    ...reading,
    name: storableText(name) || reading.channelId,
    handle: handle && storableText(handle),
    thumbnailUrl: thumbnailUrl && storableText(thumbnailUrl),
    country: country && storableText(country),
  };
}

function storableText(text: string): string {
  return text.replaceAll("\u0000", "").replace(/\p{Cs}/gu, "\ufffd");
}

interface StoredScore extends Pick<Score, "basis" | "version" | "parts"> {
  value: number | null;
  chance_7d: number | null;
  chance_28d: number | null;
}

const NO_CHANCES = { chance_7d: null, chance_28d: null };

function scoreOf(known: readonly PastReading[], day: Day, reading: ChannelReading): StoredScore {
  if (reading.subscribers === null)
    return { value: null, basis: "profile", version: SCORE_VERSION, parts: {}, ...NO_CHANCES };
  const { value, basis, version, parts, chances } = scoreChannel(known, day, reading);
  return { value, basis, version, parts, ...(chances ?? NO_CHANCES) };
}

interface JudgedReading {
  reading: ChannelReading;
  current: PastReading;
  past: PastReading[];
  score: StoredScore;
}

async function loadHistory(
  db: Database,
  readings: readonly ChannelReading[],
  day: Day,
): Promise<Map<string, PastReading[]>> {
  const ids = readings.map(({ channelId }) => channelId);
  // One JSON row per channel: thousands of rows cost the driver more than everything else here.
  const rows = await db.execute<{ id: string; past: StoredReading[] }>(sql`
    select given.id, past from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as given (id), lateral (
      select json_agg(json_build_array(day, (extract(epoch from read_at) * 1000)::int8, subscribers, views)) as past
      from snapshots where channel_id = given.id and day >= ${addDays(day, -HISTORY_DAYS)}::date and day < ${day}::date
      having count(*) > 0
    ) as stored`);
  return new Map(
    rows.map(({ id, past }) => [
      id,
      past.map(([day, readAt, subscribers, views]) => ({ day, readAt: instant(readAt), subscribers, views })),
    ]),
  );
}

type StoredReading = [day: Day, readAt: number, subscribers: number | null, views: number | null];

async function writeSnapshots(db: Database, source: Source, judged: JudgedReading[]): Promise<Set<string>> {
  const rows = judged.map(({ reading, current, score }) => ({
    ...reading,
    day: current.day,
    readAt: current.readAt,
    ...score,
  }));
  const written = await db.execute<{ channel_id: string }>(sql`
    insert into snapshots as held (channel_id, day, read_at, source, subscribers, views, videos, score, score_version,
      chance_7d, chance_28d, score_parts)
    select "channelId", day, "readAt", ${source}, subscribers, views, videos, value, version,
      chance_7d, chance_28d, parts
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("channelId" text, day date, "readAt" timestamptz,
      subscribers int8, views int8, videos int4, value int2, version int2, chance_7d float8, chance_28d float8,
      parts jsonb)
    order by "channelId"
    on conflict (channel_id, day) do update set
      read_at = excluded.read_at, source = excluded.source, subscribers = excluded.subscribers, views = excluded.views,
      videos = excluded.videos, score = excluded.score, score_version = excluded.score_version,
      chance_7d = excluded.chance_7d, chance_28d = excluded.chance_28d, score_parts = excluded.score_parts
    where held.source = 'track' and excluded.source = 'daily'
    returning channel_id`);
  return new Set(written.map(({ channel_id }) => channel_id));
}

async function updateChannels(db: Database, source: Source, judged: JudgedReading[]): Promise<void> {
  const rows = judged.map(({ reading, current, past, score: { parts: _, ...score } }) => ({
    id: reading.channelId,
    subscribers: reading.subscribers,
    views: reading.views,
    videos: reading.videos,
    ...score,
    growth_1d: oneDayGrowthPercent(onDay(past, current.day, -1), current),
    growth_7d: growthPercent(onDay(past, current.day, -7)?.subscribers ?? null, current.subscribers),
    read_at: current.readAt.toISOString(),
    day: current.day,
  }));
  const isShown =
    source === "daily"
      ? sql`true`
      : sql`not exists (select from snapshots as daily where daily.channel_id = given.id and daily.day = given.day - 1
          and daily.source = 'daily')`;
  await db.execute(sql`
    update channels set subscribers = given.subscribers, views = given.views, videos = given.videos, score = value,
      score_basis = basis, score_version = version, chance_7d = given.chance_7d, chance_28d = given.chance_28d, growth_1d_percent = growth_1d, growth_7d_percent = growth_7d,
      last_snapshot_at = given.read_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, subscribers int8, views int8, videos int4,
      value int2, basis text, version int2, chance_7d float8, chance_28d float8, growth_1d float8, growth_7d float8, read_at timestamptz, day date)
    where channels.id = given.id and ${isShown}`);
}

function onDay(readings: readonly GrowthReading[], day: Day, offset: number): GrowthReading | undefined {
  const wanted = addDays(day, offset);
  return readings.find((reading) => reading.day === wanted);
}
