import { group } from "d3-array";
import { and, asc, eq, gte, lte, or, sql } from "drizzle-orm";
import { CSV_ROWS, createCsvReply } from "@/core/http/csv";
import { addDays, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { channels, snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import { TREND_DAYS } from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import type { PlatformContext } from "@/platform/port";
import { YOUTUBE_EVENTS } from "@/platform/youtube/events";
import { findTracked, isTrackedSql } from "./rows.service";
import { HISTORY_CSV, type HistoryQuery } from "./schema";

type Days = Pick<HistoryQuery, "from" | "to">;

/** The snapshots of tracked creators from the day the key began tracking each, oldest first, by channel id. */
export async function loadHistories({ db }: CoreContext, keyId: KeyId, ids: readonly string[], days: Days = {}) {
  const { from, to } = days;
  const { channelId, day, source, subscribers, views, videos } = snapshots;
  const since = sql`(${trackedCreators.trackedSince} at time zone 'UTC')::date`;
  // Other snapshots were taken because another key began tracking.
  const isOwn = and(gte(day, since), or(eq(source, "daily"), eq(day, since)));
  const isWanted = and(from ? gte(day, from) : undefined, to ? lte(day, to) : undefined);
  const rows = await db
    .select({ channelId, snapshot: { day, subscribers, views, videos } })
    .from(trackedCreators)
    .innerJoin(snapshots, and(eq(channelId, trackedCreators.channelId), isOwn, isWanted))
    .where(isTrackedSql(keyId, ids))
    .orderBy(asc(day));
  const histories = group(rows, (row) => row.channelId);
  return (id: string) => histories.get(id)?.map(({ snapshot }) => snapshot) ?? [];
}

/** The snapshots of a creator since the key tracks it, oldest first. @throws AppError `not_found` when it does not */
export async function listHistory(ctx: CoreContext, keyId: KeyId, channelId: string, days?: Days) {
  await findTracked(ctx, keyId, channelId);
  return (await loadHistories(ctx, keyId, [channelId], days))(channelId);
}

/** The history of a tracked creator by the query of the API: as JSON or as CSV. */
export async function queryHistory(ctx: CoreContext, keyId: KeyId, id: string, { format, ...days }: HistoryQuery) {
  const history = await listHistory(ctx, keyId, id, days);
  if (format === "json") return { channel_id: id, history };
  return createCsvReply(history.slice(0, CSV_ROWS), HISTORY_CSV, { total: history.length, name: id });
}

/** The subscribers of tracked creators on each of the 30 days up to today, from the same snapshots as their histories. */
export async function listTrends(ctx: CoreContext, keyId: KeyId, channelIds: readonly string[]) {
  const from = addDays(toUtcDay(ctx.clock.now()), 1 - TREND_DAYS);
  const histories = await loadHistories(ctx, keyId, channelIds, { from });
  return (channelId: string) => {
    const counts = new Map(histories(channelId).map(({ day, subscribers }) => [day, subscribers]));
    return Array.from({ length: TREND_DAYS }, (_, index) => counts.get(addDays(from, index)) ?? null);
  };
}

export type ChartAnswer = Awaited<ReturnType<typeof getChart>>;
export type ComparedCreator = ChartAnswer["compared"][number];

/** The histories to compare a creator with, what the platform did to its counts, and the days of daily runs. */
export async function getChart(ctx: PlatformContext, keyId: KeyId, compared: readonly string[]) {
  const [creators, runs] = await Promise.all([
    listComparedCreators(ctx, keyId, compared),
    ctx.db.select({ day: snapshotRuns.day }).from(snapshotRuns).orderBy(asc(snapshotRuns.day)),
  ]);
  return {
    compared: creators,
    // The events are YouTube's.
    events: ctx.platform.name === "youtube" ? YOUTUBE_EVENTS : [],
    /** Whether the numbers are invented. */
    is_sample: ctx.platform.name === "sample",
    run_days: runs.map(({ day }) => day),
  };
}

/** The creators that the key tracks among the given ones, each with its history since then, in the given order. */
async function listComparedCreators(ctx: CoreContext, keyId: KeyId, ids: readonly string[]) {
  const [rows, histories] = await Promise.all([
    ctx.db
      .select({ channel_id: channels.id, name: channels.name, handle: channels.handle })
      .from(trackedCreators)
      .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
      .where(isTrackedSql(keyId, ids)),
    loadHistories(ctx, keyId, ids),
  ]);
  return [...new Set(ids)].flatMap((id) => {
    const creator = rows.find(({ channel_id }) => channel_id === id);
    return creator ? [{ ...creator, history: histories(id) }] : [];
  });
}
