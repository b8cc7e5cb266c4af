import { and, eq, inArray, isNotNull, isNull, max, notInArray, sql } from "drizzle-orm";
import { type Day, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { addChanges } from "@/db/feed";
import { apiKeys, channels, nicheChannels, snapshots, trackedCreators } from "@/db/schema";
import { recordSnapshots } from "@/features/growth/service";
import { CHANNELS_PER_CALL, type ChannelList, type PlatformContext } from "@/platform/port";
import { selectDemandSql } from "./niches.service";
import { isExhausted } from "./search.service";

/**
 * Reads up to 50 candidates of niches in demand that have no snapshot today, the most wanted first, and stores their
 * snapshots. Where calls cost nothing, the candidates of all niches. Tracked channels are left to the daily run.
 * @returns number of channels read; 0 when none is left or the platform has no call to spare
 * @throws PlatformError
 */
export async function readCandidates(ctx: PlatformContext): Promise<number> {
  const { db, clock, platform, log } = ctx;
  const day = toUtcDay(clock.now());
  const demand = selectDemandSql(ctx, day);
  const tracked = db
    .select({ channelId: trackedCreators.channelId })
    .from(trackedCreators)
    .innerJoin(apiKeys, and(eq(apiKeys.id, trackedCreators.keyId), isNull(apiKeys.revokedAt)));
  const isToday = and(eq(snapshots.channelId, channels.id), eq(snapshots.day, day));
  const isWanted = platform.searchesAreFree ? undefined : isNotNull(demand.asks);
  const due = await db
    .select({ id: channels.id })
    .from(nicheChannels)
    .leftJoin(demand, eq(demand.niche, nicheChannels.niche))
    .innerJoin(channels, and(eq(channels.id, nicheChannels.channelId), eq(channels.status, "active")))
    .leftJoin(snapshots, isToday)
    .where(and(isWanted, isNull(snapshots.day), notInArray(channels.id, tracked)))
    .groupBy(channels.id)
    .orderBy(sql`${max(demand.asks)} desc nulls last`, channels.id)
    .limit(CHANNELS_PER_CALL);
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const answer = await platform.listChannels(ids, "spare").catch((error) => {
    if (!isExhausted(error)) throw error;
    log.info({ left: ids.length, problem: error.detail }, "candidates not read: no calls to spare");
    return null;
  });
  // Statistics of a call that runs past midnight belong to neither day.
  if (answer && toUtcDay(clock.now()) === day) await storeStats(ctx, day, ids, answer);
  return answer ? ids.length : 0;
}

async function storeStats(ctx: CoreContext, day: Day, ids: string[], answer: ChannelList): Promise<void> {
  const shown = new Set([...answer.channels.map(({ channelId }) => channelId), ...answer.unread]);
  const absent = ids.filter((id) => !shown.has(id));
  const isGone = and(inArray(channels.id, absent), eq(channels.status, "active"));
  await inTransaction(ctx, async (tx) => {
    const { changes } = await recordSnapshots(tx, day, "track", answer.channels);
    const lost = tx.db.update(channels).set({ status: "unavailable" }).where(isGone);
    const gone = await lost.returning({ channel_id: channels.id });
    await addChanges(tx, [...changes, ...gone.map((one) => ({ kind: "unavailable" as const, ...one }))]);
  });
}
