import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import type { CoreContext } from "@/db/context";
import { channels, snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import type { PlatformContext } from "@/platform/port";
import { YOUTUBE_EVENTS } from "@/platform/youtube/events";
import type { ChartAnswer, ComparedCreator } from "./chart.schema";

/** The histories to compare a creator with, what the platform did to its counts, and the days of daily runs. */
export async function getChart(ctx: PlatformContext, keyId: KeyId, compared: readonly string[]): Promise<ChartAnswer> {
  const [creators, runs] = await Promise.all([
    listComparedCreators(ctx, keyId, compared),
    ctx.db.select({ day: snapshotRuns.day }).from(snapshotRuns).orderBy(asc(snapshotRuns.day)),
  ]);
  const isSample = ctx.platform.name === "sample";
  return {
    compared: creators,
    // The events are YouTube's.
    events: ctx.platform.name === "youtube" ? YOUTUBE_EVENTS : [],
    is_sample: isSample,
    run_days: runs.map(({ day }) => day),
  };
}

/** The creators that the key tracks among the given ones, each with its history since then, in the given order. */
async function listComparedCreators(
  { db }: CoreContext,
  keyId: KeyId,
  ids: readonly string[],
): Promise<ComparedCreator[]> {
  if (ids.length === 0) return [];
  const since = sql`(${trackedCreators.trackedSince} at time zone 'UTC')::date`;
  const rows = await db
    .select({
      id: channels.id,
      name: channels.name,
      handle: channels.handle,
      reading: {
        day: snapshots.day,
        subscribers: snapshots.subscribers,
        views: snapshots.views,
        videos: snapshots.videos,
      },
    })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .leftJoin(
      snapshots,
      and(
        eq(snapshots.channelId, trackedCreators.channelId),
        sql`${snapshots.day} >= ${since}`,
        // Other snapshots were taken because another key began tracking.
        or(eq(snapshots.source, "daily"), sql`${snapshots.day} = ${since}`),
      ),
    )
    .where(and(eq(trackedCreators.keyId, keyId), inArray(trackedCreators.channelId, [...ids])))
    .orderBy(asc(snapshots.day));
  return [...new Set(ids)].flatMap((id) => {
    const own = rows.filter((row) => row.id === id);
    const [first] = own;
    if (!first) return [];
    const { name, handle } = first;
    return [{ channel_id: id, name, handle, history: own.flatMap(({ reading }) => reading ?? []) }];
  });
}
