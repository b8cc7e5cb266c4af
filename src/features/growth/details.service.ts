import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { addDays, type Day, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { channels, snapshots } from "@/db/schema";
import { explainScore } from "./explanation.rules";
import { computeGrowthWindows, isCurrent, TREND_DAYS } from "./rules";
import { ScoreParts } from "./schema";

/** What explains the growth of channels, by id. */
export async function loadGrowth(ctx: CoreContext, channelIds: readonly string[]) {
  const [measured, explained] = await Promise.all([loadMeasured(ctx, channelIds), listExplained(ctx, channelIds)]);
  // Null until growth is measured.
  const none = { score_parts: null, score_explanation: null };
  return (channelId: string) => ({ ...measured(channelId), ...(explained.get(channelId) ?? none) });
}

/** What explains a channel's growth. */
export type GrowthDetails = ReturnType<Awaited<ReturnType<typeof loadGrowth>>>;

async function loadMeasured({ db, clock }: CoreContext, channelIds: readonly string[]) {
  const today = toUtcDay(clock.now());
  const first = addDays(today, 1 - TREND_DAYS);
  // One JSON value per channel, since thousands of rows would cost the driver more than the query.
  const history = sql<[Day, number, number | null][] | null>`(
    select json_agg(json_build_array(day, (extract(epoch from read_at) * 1000)::int8, subscribers)) from ${snapshots}
    where ${snapshots.channelId} = ${channels.id} and ${snapshots.day} >= ${first}::date)`;
  const rows = await db
    .select({ id: channels.id, at: channels.lastSnapshotAt, status: channels.status, readings: history })
    .from(channels)
    .where(inArray(channels.id, channelIds));
  const measured = new Map(rows.map(({ id, ...row }) => [id, measureGrowth(row, today)]));
  const none = measureGrowth({ at: null, status: "active", readings: null }, today);
  return (channelId: string) => measured.get(channelId) ?? none;
}

interface Stored extends Pick<typeof channels.$inferSelect, "status"> {
  at: Date | null;
  readings: [Day, number, number | null][] | null;
}

function measureGrowth({ at, status, readings }: Stored, today: Day) {
  const latest = at && toUtcDay(at);
  const known = (readings ?? []).map(([day, readAt, subscribers]) => ({ day, readAt: toDate(readAt), subscribers }));
  const isShown = latest !== null && isCurrent(latest, status, today);
  const subscribers = new Map(known.map((snapshot) => [snapshot.day, snapshot.subscribers]));
  return {
    /** Over 1, 7 and 28 days; all null where the latest snapshot is not current. */
    growth: computeGrowthWindows(isShown ? known.filter(({ day }) => day <= latest) : []),
    /** UTC day of the latest snapshot, even if growth is null because it is out of date. */
    growth_day: latest,
    /** Subscribers on each of the last 30 UTC days, oldest first; null without a snapshot. */
    trend: Array.from({ length: TREND_DAYS }, (_, at) => subscribers.get(addDays(today, at + 1 - TREND_DAYS)) ?? null),
  };
}

/** A growth column of channels as an expression that is null where growth is not current, for sorting and filters. */
export function currentGrowthSql(column: PgColumn, today: Day): SQL {
  const isReadSinceSql = (day: Day) => sql`${channels.lastSnapshotAt} >= ${startOfDay(day).toISOString()}::timestamptz`;
  return sql`case when ${isReadSinceSql(today)} or (${channels.status} = 'active' and ${isReadSinceSql(addDays(today, -1))}) then ${column} end`;
}

/** The parts of the current scores of channels. A score without measured growth has no parts. */
async function listExplained({ db }: CoreContext, channelIds: readonly string[]) {
  const { channelId, score, scoreParts: parts, scoreVersion, readAt, day } = snapshots;
  // The latest snapshot may belong to another score than the one shown.
  const isShown = and(
    eq(channels.scoreBasis, "history"),
    eq(channels.score, score),
    eq(channels.scoreVersion, scoreVersion),
    eq(channels.lastSnapshotAt, readAt),
  );
  const rows = await db
    .selectDistinctOn([channelId], { channelId, score, parts })
    .from(snapshots)
    .innerJoin(channels, and(eq(channels.id, channelId), isShown))
    .where(inArray(channelId, channelIds))
    .orderBy(channelId, desc(day));
  return new Map(
    rows.flatMap(({ channelId, score, parts }) => {
      const { data } = ScoreParts.safeParse(parts);
      if (!data || score === null) return [];
      return [[channelId, { score_parts: data, score_explanation: explainScore(data, score) }] as const];
    }),
  );
}
