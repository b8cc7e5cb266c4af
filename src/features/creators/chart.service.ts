import { and, asc, eq, inArray } from "drizzle-orm";
import type { CoreContext } from "@/db/context";
import { channels, snapshotRuns, trackedCreators } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import type { PlatformContext } from "@/platform/port";
import { YOUTUBE_EVENTS } from "@/platform/youtube/events";
import type { ChartAnswer, } from "./chart.schema";
import { loadHistories } from "./history.service";

/** The histories to compare a creator with, what the platform did to its counts, and the days of daily runs. */
export async function getChart(ctx: PlatformContext, keyId: KeyId, compared: readonly string[]): Promise<ChartAnswer> {
  const [creators, runs] = await Promise.all([
    listComparedCreators(ctx, keyId, compared),
    ctx.db.select({ day: snapshotRuns.day }).from(snapshotRuns).orderBy(asc(snapshotRuns.day)),
  ]);
  return {
    compared: creators,
    // The events are YouTube's.
    events: ctx.platform.name === "youtube" ? YOUTUBE_EVENTS : [],
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
      .where(and(eq(trackedCreators.keyId, keyId), inArray(trackedCreators.channelId, [...ids]))),
    loadHistories(ctx, keyId, ids),
  ]);
  return [...new Set(ids)].flatMap((id) => {
    const creator = rows.find(({ channel_id }) => channel_id === id);
    return creator ? [{ ...creator, history: histories(id) }] : [];
  });
}
