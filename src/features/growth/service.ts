import { and, count, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { channels, snapshots } from "@/core/db/schema";
import { addDays, type Day, utcDay } from "@/core/time";
import type { ChannelReading } from "@/platform/port";
import {
  type GrowthReading,
  type GrowthWindow,
  growthPercent,
  growthWindows,
  oneDayGrowthPercent,
  type PastReading,
} from "./rules";
import { ScoreParts } from "./schema";
import { HISTORY_DAYS, type ScoreParts as Parts, type Score, scoreChannel } from "./score";

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
 * snapshot per channel: a daily reading replaces one taken when tracking began, and nothing replaces a daily one.
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
  await updateDerived(db, recorded);
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
  const rows = readings.map((reading) => {
    const { channelId, ...known } = storable(reading);
    const score = scoreChannel([], utcDay(readAt), reading);
    return { id: channelId, ...known, status: "active" as const, readAt, ...scoreColumns(score) };
  });
  // One order for all writers, so that two of them never wait for each other.
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  // What was derived from snapshots is worth as much as they are new.
  const unscored = sql`coalesce(${channels.lastSnapshotAt} < excluded.read_at - interval '28 days', true)`;
  const outdated = sql`coalesce(${channels.lastSnapshotAt} < excluded.read_at - interval '36 hours', true)`;
  await db
    .insert(channels)
    .values(rows)
    .onConflictDoUpdate({
      target: channels.id,
      set: {
        name: sql`excluded.name`,
        handle: sql`excluded.handle`,
        thumbnailUrl: sql`excluded.thumbnail_url`,
        country: sql`excluded.country`,
        status: sql`excluded.status`,
        subscribers: sql`excluded.subscribers`,
        views: sql`excluded.views`,
        videos: sql`excluded.videos`,
        readAt: sql`excluded.read_at`,
        score: sql`case when ${unscored} then excluded.score else ${channels.score} end`,
        scoreBasis: sql`case when ${unscored} then excluded.score_basis else ${channels.scoreBasis} end`,
        scoreVersion: sql`case when ${unscored} then excluded.score_version else ${channels.scoreVersion} end`,
        percentile: sql`case when ${unscored} then null else ${channels.percentile} end`,
        growth1dPercent: sql`case when ${outdated} then null else ${channels.growth1dPercent} end`,
        growth7dPercent: sql`case when ${outdated} then null else ${channels.growth7dPercent} end`,
      },
      setWhere: sql`${channels.readAt} <= excluded.read_at`,
    });
}

/** Makes channels known of which nothing has been read yet: their id stands in for their name. */
export async function insertUnread(db: Database, ids: readonly string[], readAt: Date): Promise<void> {
  const score = scoreColumns(
    scoreChannel([], utcDay(readAt), { subscribers: null, views: null, videos: null }),
  );
  const rows = ids.map((id) => ({ id, name: id, status: "unavailable" as const, readAt, ...score }));
  await db.insert(channels).values(rows).onConflictDoNothing();
}

/** Growth of a channel over 1, 7 and 28 days up to its latest snapshot. */
export async function measuredGrowth(
  { db }: Pick<CoreContext, "db">,
  channelId: string,
): Promise<GrowthWindow[]> {
  const latest = db
    .select({ day: snapshots.day })
    .from(snapshots)
    .where(eq(snapshots.channelId, channelId))
    .orderBy(desc(snapshots.day))
    .limit(1);
  const readings = await db
    .select({ day: snapshots.day, readAt: snapshots.readAt, subscribers: snapshots.subscribers })
    .from(snapshots)
    .where(
      and(eq(snapshots.channelId, channelId), gte(snapshots.day, sql`(${latest}) - ${HISTORY_DAYS}::int`)),
    );
  return growthWindows(readings);
}

/** What the present scores of channels are made of. A score that rests on no measured growth has no parts. */
export async function scorePartsOf(
  { db }: Pick<CoreContext, "db">,
  channelIds: readonly string[],
): Promise<Map<string, Parts>> {
  if (channelIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([snapshots.channelId], { channelId: snapshots.channelId, parts: snapshots.scoreParts })
    .from(snapshots)
    .innerJoin(
      channels,
      and(
        eq(channels.id, snapshots.channelId),
        eq(channels.scoreBasis, "history"),
        // The latest snapshot may tell of another score than the one that is shown.
        eq(channels.score, snapshots.score),
        eq(channels.scoreVersion, snapshots.scoreVersion),
        eq(channels.lastSnapshotAt, snapshots.readAt),
      ),
    )
    .where(inArray(snapshots.channelId, [...channelIds]))
    .orderBy(snapshots.channelId, desc(snapshots.day));
  return new Map(
    rows.flatMap(({ channelId, parts }) => {
      const known = ScoreParts.safeParse(parts);
      return known.success ? [[channelId, known.data] as const] : [];
    }),
  );
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
    name: storableText(name),
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
  const rows = await db
    .select({
      channelId: snapshots.channelId,
      day: snapshots.day,
      readAt: snapshots.readAt,
      subscribers: snapshots.subscribers,
      views: snapshots.views,
    })
    .from(snapshots)
    .where(
      and(
        inArray(
          snapshots.channelId,
          readings.map(({ channelId }) => channelId),
        ),
        gte(snapshots.day, addDays(day, -HISTORY_DAYS)),
        lt(snapshots.day, day),
      ),
    );
  const byChannel = new Map<string, PastReading[]>();
  for (const { channelId, ...reading } of rows) {
    const known = byChannel.get(channelId);
    if (known) known.push(reading);
    else byChannel.set(channelId, [reading]);
  }
  return byChannel;
}

async function writeSnapshots(
  db: Database,
  source: "daily" | "track",
  judged: JudgedReading[],
): Promise<Set<string>> {
  const rows = judged.map(({ reading, current, score }) => ({
    channelId: reading.channelId,
    day: current.day,
    readAt: current.readAt,
    source,
    subscribers: reading.subscribers,
    views: reading.views,
    videos: reading.videos,
    score: score.value,
    scoreVersion: score.version,
    scoreParts: score.parts,
  }));
  rows.sort((a, b) => (a.channelId < b.channelId ? -1 : 1));
  const written = await db
    .insert(snapshots)
    .values(rows)
    .onConflictDoUpdate({
      target: [snapshots.channelId, snapshots.day],
      set: {
        readAt: sql`excluded.read_at`,
        source: sql`excluded.source`,
        subscribers: sql`excluded.subscribers`,
        views: sql`excluded.views`,
        videos: sql`excluded.videos`,
        score: sql`excluded.score`,
        scoreVersion: sql`excluded.score_version`,
        scoreParts: sql`excluded.score_parts`,
      },
      setWhere: sql`${snapshots.source} = 'track' and excluded.source = 'daily'`,
    })
    .returning({ channelId: snapshots.channelId });
  return new Set(written.map(({ channelId }) => channelId));
}

async function updateDerived(db: Database, judged: JudgedReading[]): Promise<void> {
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
      growth_1d_percent = derived.growth_1d, growth_7d_percent = derived.growth_7d, last_snapshot_at = derived.read_at
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
