import { and, countDistinct, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { toChunks } from "@/core/parallel";
import { addDays, type Day, getSecondsToMidnight, SECOND, sleep, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { addChanges } from "@/db/feed";
import { nicheChannels, nicheQueue, nicheRequests, niches } from "@/db/schema";
import { recordSnapshots, upsertChannels } from "@/features/growth/service";
import {
  CHANNELS_PER_CALL,
  type ChannelStats,
  isPlatformError,
  type PlatformContext,
  type PlatformError,
} from "@/platform/port";
import { refundLookup, refundServiceSearch, type Spender } from "./budget.service";
import { isBeingLookedUp, leaseNewLookup, leaseRenewal, type NewNiche } from "./lease.service";
import { toSearchQuery } from "./niches.rules";
import { DEMAND_DAYS, dropCandidates, findSimilarNiche, MAX_AGE } from "./niches.service";

/** Milliseconds to wait for a look-up that another request makes, and between two checks. */
const LOOKUP_TIMEOUT = 20 * SECOND;
const CHECK_EVERY = SECOND / 10;

/** Why a niche is not looked up now. */
interface Refusal {
  /** When the platform has searches again; null when it has some. */
  earliest: Date | null;
}

/** Looks a niche up for a key, or waits for the request that already does. @returns null unless it is refused */
export async function lookUpNew(ctx: PlatformContext, key: Spender, entry: NewNiche): Promise<Refusal | null> {
  const now = ctx.clock.now();
  const { niche, spelling } = entry;
  const lease = await leaseNewLookup(ctx, key, entry);
  if (lease === "key_spent" || lease === "service_spent") return { earliest: null };
  if (lease === "taken") {
    await awaitLookup(ctx, niche);
    return null;
  }
  try {
    await lookUp(ctx, niche, spelling, () => refundLookup(ctx, key.id, toUtcDay(now)));
    return null;
  } catch (error) {
    if (!isExhausted(error)) throw error;
    const wait = error.retryAfter ?? getSecondsToMidnight(now);
    return { earliest: toDate(now.getTime() + wait * SECOND) };
  }
}

/** Waits until a look-up by another request or process has ended. */
async function awaitLookup(ctx: PlatformContext, niche: string): Promise<void> {
  for (let waited = 0; waited < LOOKUP_TIMEOUT; waited += CHECK_EVERY) {
    if (!(await isBeingLookedUp(ctx, niche))) return;
    await sleep(CHECK_EVERY);
  }
}

/**
 * Renews the entry of a niche if it is due, no other process renews it, and the day has a search left.
 * @throws PlatformError
 */
export async function renewNiche(ctx: PlatformContext, niche: string): Promise<void> {
  const day = toUtcDay(ctx.clock.now());
  if (!(await leaseRenewal(ctx, niche))) return;
  const spelling = await findUsualSpelling(ctx, niche);
  if (spelling !== null) await lookUp(ctx, niche, spelling, () => refundServiceSearch(ctx, "renewal", day));
}

/** The spelling that most keys used within the last week. */
async function findUsualSpelling({ db, clock }: CoreContext, niche: string): Promise<string | null> {
  const oldest = addDays(toUtcDay(clock.now()), -DEMAND_DAYS);
  const spelling = sql<string>`coalesce(${nicheRequests.spelling}, ${niches.spelling})`;
  const [usual] = await db
    .select({ spelling })
    .from(niches)
    .leftJoin(nicheRequests, and(eq(nicheRequests.niche, niches.niche), gt(nicheRequests.day, oldest)))
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
    const stats: ChannelStats[] = [];
    for (const ids of toChunks([...new Set(results)], CHANNELS_PER_CALL))
      stats.push(...(await ctx.platform.listChannels(ids, "spare")).channels);
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
  ctx: PlatformContext,
  { niche, spelling, asked: startedOn }: { niche: string; spelling: string; asked: Day },
  stats: ChannelStats[],
): Promise<void> {
  const now = ctx.clock.now();
  const today = toUtcDay(now);
  await ctx.db.transaction(async (tx) => {
    const at = { ...ctx, db: tx, clock: { now: () => now } };
    // Statistics from before midnight are a snapshot of neither day.
    const changes =
      today === startedOn
        ? (await recordSnapshots(at, today, "track", stats)).changes
        : await upsertChannels(at, stats);
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
    await dropCandidates(at, niche);
    const closeTo = await findSimilarNiche(at, niche);
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
    await endWaiting(at, niche);
    await addChanges(at, changes);
  });
}

/** Removes a niche from the queue and records a search of today for each key that waited. */
async function endWaiting({ db, clock }: CoreContext, niche: string): Promise<void> {
  const day = toUtcDay(clock.now());
  const { keyId, spelling } = nicheQueue;
  const waited = await db.delete(nicheQueue).where(eq(nicheQueue.niche, niche)).returning({ keyId, spelling });
  if (waited.length === 0) return;
  const questions = waited.map((question) => ({ ...question, niche, day }));
  await db.insert(nicheRequests).values(questions).onConflictDoNothing();
}
