import { count, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { channels, snapshots } from "@/core/db/schema";
import { addDays, type Day, instant, utcDay } from "@/core/time";
import type { ChannelReading } from "@/platform/port";
import { type GrowthReading, growthPercent, oneDayGrowthPercent, type PastReading } from "./rules";
import { HISTORY_DAYS, type Score, scoreChannel } from "./score.rules";

/** What became of one reading: the day's snapshot as it was written, and the one of the day before. */
export interface RecordedReading {
  reading: ChannelReading;
  current: GrowthReading;
  baseline: GrowthReading | undefined;
  /** The stored readings of the 28 days before. */
  past: PastReading[];
}

/**
 * Stores readings as the day's snapshots and refreshes what is known and derived of their channels. A day has one
 * snapshot per channel: a daily reading replaces one taken for something else, and nothing replaces a daily one.
 * @param source the daily run, or whatever had the channel read besides
 * @returns the readings that became the day's snapshot; the others changed nothing of the day
 */
export async function recordReadings(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  day: Day,
  source: "daily" | "track",
  given: readonly ChannelReading[],
): Promise<RecordedReading[]> {
  if (given.length === 0) return [];
  const readings = given.map(storable);
  const readAt = clock.now();
  await upsertChannels(db, readings, readAt);
  const history = await loadHistory(db, readings, day);
  const judged = readings.map((reading) => {
    const past = history.get(reading.channelId) ?? [];
    const current = { day, readAt, subscribers: reading.subscribers, views: reading.views };
    return { reading, current, past, score: scoreChannel([...past, current], day, reading) };
  });
  const written = await writeSnapshots(db, source, judged);
  const recorded = judged.filter(({ reading }) => written.has(reading.channelId));
  await updateDerived(db, source, recorded);
  return recorded.map(({ reading, current, past }) => {
    return { reading, current, baseline: onDay(past, day, -1), past };
  });
}

/**
 * Stores what was read of channels without making it a snapshot. A channel that has none yet is scored by its totals.
 */
export async function upsertChannels(
  db: Database,
  readings: readonly ChannelReading[],
  readAt: Date,
): Promise<void> {
  if (readings.length === 0) return;
  const day = utcDay(readAt);
  const rows = readings.map((reading) => {
    const { value, basis, version } = scoreChannel([], day, reading);
    return { ...storable(reading), score: value, basis, version };
  });
  // One parameter for all rows, so that the text is the same for any number of them; one order for all writers, so that
  // two of them never wait for each other.
  await db.execute(sql`
    insert into channels as known (id, name, handle, thumbnail_url, country, status, subscribers, views, videos, read_at,
      score, score_basis, score_version)
    select "channelId", name, handle, "thumbnailUrl", country, 'active', subscribers, views, videos,
      ${readAt.toISOString()}::timestamptz, score, basis, version
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("channelId" text, name text, handle text,
      "thumbnailUrl" text, country text, subscribers int8, views int8, videos int4, score int2, basis text, version int2)
    order by "channelId"
    on conflict (id) do update set
      name = excluded.name, handle = excluded.handle, thumbnail_url = excluded.thumbnail_url, country = excluded.country,
      status = excluded.status, subscribers = excluded.subscribers, views = excluded.views, videos = excluded.videos,
      read_at = excluded.read_at,
      score = case when ${UNSCORED} then excluded.score else known.score end,
      score_basis = case when ${UNSCORED} then excluded.score_basis else known.score_basis end,
      score_version = case when ${UNSCORED} then excluded.score_version else known.score_version end,
      percentile = case when ${UNSCORED} then null else known.percentile end,
      growth_1d_percent = case when ${OUTDATED} then null else known.growth_1d_percent end,
      growth_7d_percent = case when ${OUTDATED} then null else known.growth_7d_percent end
    where known.read_at <= excluded.read_at`);
}

// What was derived from snapshots is worth as much as they are new.
const UNSCORED = sql`coalesce(known.last_snapshot_at < excluded.read_at - interval '28 days', true)`;
const OUTDATED = sql`coalesce(known.last_snapshot_at < excluded.read_at - interval '36 hours', true)`;

/** Makes channels known of which nothing has been read yet: their id stands in for their name. */
export async function insertUnread(db: Database, ids: readonly string[], readAt: Date): Promise<void> {
  const score = scoreColumns(
    scoreChannel([], utcDay(readAt), { subscribers: null, views: null, videos: null }),
  );
  const rows = ids.map((id) => ({ id, name: id, status: "unavailable" as const, readAt, ...score }));
  await db.insert(channels).values(rows).onConflictDoNothing();
}

/** Snapshots stored in all. */
export async function countSnapshots({ db }: Pick<CoreContext, "db">): Promise<number> {
  const [row] = await db.select({ stored: count() }).from(snapshots);
  return row?.stored ?? 0;
}

/** A reading whose texts PostgreSQL can store and read as JSON: it knows no U+0000 and no half surrogate pairs. */
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

interface JudgedReading {
  reading: ChannelReading;
  current: PastReading;
  past: PastReading[];
  score: Score;
}

async function loadHistory(
  db: Database,
  readings: readonly ChannelReading[],
  day: Day,
): Promise<Map<string, PastReading[]>> {
  const ids = readings.map(({ channelId }) => channelId);
  // One row for each channel, as JSON: to read thousands of rows costs the driver more than all that follows.
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

/** Day, milliseconds since the epoch, subscribers, views. */
type StoredReading = [day: Day, readAt: number, subscribers: number | null, views: number | null];

async function writeSnapshots(
  db: Database,
  source: "daily" | "track",
  judged: JudgedReading[],
): Promise<Set<string>> {
  const rows = judged.map(({ reading, current, score }) => ({
    ...reading,
    day: current.day,
    readAt: current.readAt,
    score: score.value,
    version: score.version,
    parts: score.parts,
  }));
  const written = await db.execute<{ channel_id: string }>(sql`
    insert into snapshots as held (channel_id, day, read_at, source, subscribers, views, videos, score, score_version,
      score_parts)
    select "channelId", day, "readAt", ${source}, subscribers, views, videos, score, version, parts
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("channelId" text, day date, "readAt" timestamptz,
      subscribers int8, views int8, videos int4, score int2, version int2, parts jsonb)
    order by "channelId"
    on conflict (channel_id, day) do update set
      read_at = excluded.read_at, source = excluded.source, subscribers = excluded.subscribers, views = excluded.views,
      videos = excluded.videos, score = excluded.score, score_version = excluded.score_version,
      score_parts = excluded.score_parts
    where held.source = 'track' and excluded.source = 'daily'
    returning channel_id`);
  return new Set(written.map(({ channel_id }) => channel_id));
}

async function updateDerived(
  db: Database,
  source: "daily" | "track",
  judged: JudgedReading[],
): Promise<void> {
  const derived = judged.map(({ reading, current, past, score }) => ({
    id: reading.channelId,
    score: score.value,
    basis: score.basis,
    version: score.version,
    growth_1d: oneDayGrowthPercent(onDay(past, current.day, -1), current),
    growth_7d: growthPercent(onDay(past, current.day, -7)?.subscribers ?? null, current.subscribers),
    read_at: current.readAt.toISOString(),
  }));
  await db.execute(sql`
    update channels set score = derived.score, score_basis = derived.basis, score_version = derived.version,
      growth_1d_percent = derived.growth_1d, growth_7d_percent = derived.growth_7d, last_snapshot_at = derived.read_at,
      last_daily_at = case when ${source} = 'daily' then derived.read_at else last_daily_at end
    from jsonb_to_recordset(${JSON.stringify(derived)}::jsonb) as derived
      (id text, score smallint, basis text, version smallint, growth_1d float8, growth_7d float8, read_at timestamptz)
    where channels.id = derived.id`);
}

function onDay(readings: readonly GrowthReading[], day: Day, offset: number): GrowthReading | undefined {
  const wanted = addDays(day, offset);
  return readings.find((reading) => reading.day === wanted);
}

function scoreColumns({ value, basis, version }: Score) {
  return { score: value, scoreBasis: basis, scoreVersion: version };
}
