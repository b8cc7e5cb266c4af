import { and, countDistinct, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { addDays, type Day, toDate, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import { addChanges } from "@/db/feed";
import { nicheChannels, nicheQueue, nicheRequests, niches } from "@/db/schema";
import { upsertChannels } from "@/features/growth/service";
import { recordSnapshots } from "@/features/growth/snapshots.service";
import {
  CHANNELS_PER_CALL,
  type ChannelStats,
  isPlatformError,
  type PlatformContext,
  type PlatformError,
} from "@/platform/port";
import { refundServiceSearch } from "./budget.service";
import { leaseRenewal } from "./lease.service";
import { toSearchQuery } from "./niches.rules";
import { DEMAND_DAYS, dropCandidates, findSimilarNiche, MAX_AGE } from "./niches.service";

/**
 * Renews the entry of a niche if it is due, no other process renews it, and the day has a search left.
 * @throws PlatformError
 */
export async function renewNiche(ctx: PlatformContext, niche: string): Promise<void> {
  const day = toUtcDay(ctx.clock.now());
  if (!(await leaseRenewal(ctx, niche))) return;
  const spelling = await findUsualSpelling(ctx.db, niche, day);
  if (spelling !== null) await lookUp(ctx, niche, spelling, () => refundServiceSearch(ctx, "renewal", day));
}

/** The spelling that most keys used within the last week. */
async function findUsualSpelling(tx: Database, niche: string, today: Day): Promise<string | null> {
  const spelling = sql<string>`coalesce(${nicheRequests.spelling}, ${niches.spelling})`;
  const [usual] = await tx
    .select({ spelling })
    .from(niches)
    .leftJoin(
      nicheRequests,
      and(eq(nicheRequests.niche, niches.niche), gt(nicheRequests.day, addDays(today, -DEMAND_DAYS))),
    )
    .where(eq(niches.niche, niche))
    .groupBy(nicheRequests.spelling, niches.spelling)
    .orderBy(
      desc(countDistinct(nicheRequests.keyId)),
      // Of equals the plainest.
      sql`${spelling} <> normalize(${spelling}, nfkc)`,
      sql`length(${spelling})`,
      nicheRequests.spelling,
    )
    .limit(1);
  return usual?.spelling ?? null;
}

/**
 * Makes a claimed look-up: searches, reads the channels found 50 a call, scores them and stores the niche's entry. A
 * failed look-up leaves the entry as it was and ends the claim.
 * @param refund called when the platform has no search left
 * @throws PlatformError
 */
export async function lookUp(
  ctx: PlatformContext,
  niche: string,
  spelling: string,
  refund: () => Promise<void>,
): Promise<void> {
  const startedOn = toUtcDay(ctx.clock.now());
  try {
    const results = await ctx.platform.search(toSearchQuery(spelling)).catch(async (error) => {
      if (isExhausted(error)) await refund();
      throw error;
    });
    const found = [...new Set(results)];
    const stats: ChannelStats[] = [];
    for (let from = 0; from < found.length; from += CHANNELS_PER_CALL)
      stats.push(...(await ctx.platform.listChannels(found.slice(from, from + CHANNELS_PER_CALL), "spare")));
    await storeEntry(ctx, { niche, spelling, asked: startedOn }, stats);
  } catch (error) {
    await ctx.db.delete(niches).where(and(eq(niches.niche, niche), isNull(niches.refreshedAt)));
    const isFilled = and(eq(niches.niche, niche), isNotNull(niches.refreshedAt));
    await ctx.db.update(niches).set({ claimedUntil: null }).where(isFilled);
    throw error;
  }
}

/** {@link lookUp} by a job. @returns false when the platform cannot answer */
export async function tryLookUp(...[ctx, niche, ...more]: Parameters<typeof lookUp>): Promise<boolean> {
  try {
    await lookUp(ctx, niche, ...more);
    return true;
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    ctx.log.info({ niche, problem: error.detail }, "niche not searched");
    return false;
  }
}

/** Whether the platform has no call left today. */
export function isExhausted(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.failure === "quota_exhausted";
}

async function storeEntry(
  { db, clock }: PlatformContext,
  { niche, spelling, asked: startedOn }: { niche: string; spelling: string; asked: Day },
  stats: ChannelStats[],
): Promise<void> {
  const now = clock.now();
  const today = toUtcDay(now);
  await db.transaction(async (tx) => {
    // Statistics from before midnight are a snapshot of neither day.
    const changes =
      today === startedOn
        ? (await recordSnapshots({ db: tx, clock: { now: () => now } }, today, "track", stats)).changes
        : await upsertChannels(tx, stats, now);
    if (stats.length > 0) {
      await tx.update(niches).set({ spelling }).where(eq(niches.niche, niche));
      await tx
        .insert(nicheChannels)
        .values(stats.map(({ channelId }) => ({ niche, channelId, foundAt: now })))
        .onConflictDoUpdate({
          target: [nicheChannels.niche, nicheChannels.channelId],
          set: { foundAt: now },
        });
    }
    await dropCandidates(tx, niche, now);
    const closeTo = await findSimilarNiche(tx, niche, today);
    const old = toDate(now.getTime() - MAX_AGE).toISOString();
    const isFresh = sql`coalesce(${niches.refreshedAt} > ${old}::timestamptz, false)`;
    // A fresh entry stays as old as it was when another spelling finds nothing either.
    const refreshedAt =
      stats.length > 0
        ? now
        : sql`case when ${isFresh} then ${niches.refreshedAt} else ${now.toISOString()}::timestamptz end`;
    await tx
      .update(niches)
      .set({ refreshedAt, claimedUntil: null, renewalRequestedAt: null, closeTo })
      .where(eq(niches.niche, niche));
    await endWaiting(tx, niche, today);
    await addChanges(tx, now, changes);
  });
}

/** Removes a niche from the queue and records a search of today for each key that waited. */
async function endWaiting(tx: Database, niche: string, day: Day): Promise<void> {
  const { keyId, spelling } = nicheQueue;
  const waited = await tx
    .delete(nicheQueue)
    .where(eq(nicheQueue.niche, niche))
    .returning({ keyId, spelling });
  if (waited.length === 0) return;
  const questions = waited.map((question) => ({ ...question, niche, day }));
  await tx.insert(nicheRequests).values(questions).onConflictDoNothing();
}
