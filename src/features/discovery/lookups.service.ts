import {
  and,
  countDistinct,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { nicheChannels, nicheQuestions, nicheQueue, niches } from "@/core/db/schema";
import { addDays, type Day, instant, MINUTE, utcDay } from "@/core/time";
import { recordReadings, upsertChannels } from "@/features/growth/service";
import {
  CHANNELS_PER_CALL,
  type ChannelReading,
  isPlatformError,
  type PlatformContext,
  type PlatformError,
} from "@/platform/port";
import { refundService, type Spender, spendOfKey, spendOfService } from "./budget.service";
import { SEARCHES_PER_DAY, searchWords } from "./niches.rules";
import { DEMAND_DAYS, dropCandidates, findClose, hasCandidates, MAX_AGE } from "./niches.service";

/** Milliseconds after which a look-up counts as crashed. */
const LEASE = MINUTE;

/** Whether the caller makes a look-up: yes; no, another request does; no, key or service has none left today. */
export type Claim = "claimed" | "taken" | "key_spent" | "service_spent";

/** A niche to be looked up. */
export interface NewNiche {
  niche: string;
  spelling: string;
  /** Whether it has an empty entry already. */
  isKnown: boolean;
}

/** Rolls back a claim when no look-up is left. */
class Spent extends Error {
  constructor(readonly claim: Claim) {
    super(claim);
  }
}

/**
 * Claims the look-up of a niche that has no entry or an empty one, and spends one of the key's and the service's
 * look-ups of the day. Of several requests for one niche, one gets the claim and pays.
 * @param share how many of the service's look-ups may be spent for it
 */
export async function claimNew(
  { db, clock }: CoreContext,
  key: Spender,
  { niche, spelling, isKnown }: NewNiche,
  share: number = SEARCHES_PER_DAY.first,
): Promise<Claim> {
  const now = clock.now();
  const day = utcDay(now);
  const claiming = db.transaction(async (tx): Promise<Claim> => {
    const isOpen = isKnown ? not(hasCandidates) : isNull(niches.refreshedAt);
    if (!(await insertClaim(tx, { niche, spelling }, now, isOpen))) return "taken";
    // Locks are taken in one order (niche, key, service), so that requests cannot deadlock.
    if (!(await spendOfKey(tx, key, day))) throw new Spent("key_spent");
    if (!(await spendOfService(tx, "first", day, share))) throw new Spent("service_spent");
    return "claimed";
  });
  return claiming.catch((error) => {
    if (error instanceof Spent) return error.claim;
    throw error;
  });
}

async function insertClaim(
  tx: Database,
  { niche, spelling }: Pick<NewNiche, "niche" | "spelling">,
  now: Date,
  isOpen: SQL | undefined,
): Promise<boolean> {
  const claimedUntil = instant(now.getTime() + LEASE);
  const claimed = await tx
    .insert(niches)
    .values({ niche, spelling, claimedUntil })
    .onConflictDoUpdate({
      target: niches.niche,
      set: { claimedUntil },
      setWhere: and(isFree(now), isOpen),
    })
    .returning({ niche: niches.niche });
  return claimed.length > 0;
}

/** Claims the look-up of a niche of the map that has no entry or one from before `age` milliseconds, if a search is left. */
export async function claimOfMap(
  { db, clock, platform }: PlatformContext,
  asked: Pick<NewNiche, "niche" | "spelling">,
  age: number,
): Promise<boolean> {
  const now = clock.now();
  const isDue = or(isNull(niches.refreshedAt), lte(niches.refreshedAt, instant(now.getTime() - age)));
  const claiming = db.transaction(async (tx) => {
    if (!(await insertClaim(tx, asked, now, isDue))) return false;
    if (platform.searchesAreFree || (await spendOfService(tx, "map", utcDay(now)))) return true;
    throw new Spent("service_spent");
  });
  return claiming.catch((error) => {
    if (error instanceof Spent) return false;
    throw error;
  });
}

/**
 * Renews the entry of a niche if it is due, no other process renews it, and the day has a search left.
 * @throws PlatformError
 */
export async function renewNiche(ctx: PlatformContext, niche: string): Promise<void> {
  const now = ctx.clock.now();
  const claiming = ctx.db.transaction(async (tx) => {
    const claimed = await tx
      .update(niches)
      .set({ claimedUntil: instant(now.getTime() + LEASE) })
      .where(
        and(eq(niches.niche, niche), lte(niches.refreshedAt, instant(now.getTime() - MAX_AGE)), isFree(now)),
      )
      .returning({ niche: niches.niche });
    if (claimed.length === 0) return null;
    if (!(await spendOfService(tx, "renewal", utcDay(now)))) throw new Spent("service_spent");
    return usualSpelling(tx, niche, utcDay(now));
  });
  const spelling = await claiming.catch((error) => {
    if (error instanceof Spent) return null;
    throw error;
  });
  if (spelling !== null)
    await lookUp(ctx, niche, spelling, () => refundService(ctx.db, "renewal", utcDay(now)));
}

/** The spelling that most keys used within the last week. */
async function usualSpelling(tx: Database, niche: string, today: Day): Promise<string | null> {
  const spelling = sql<string>`coalesce(${nicheQuestions.spelling}, ${niches.spelling})`;
  const [usual] = await tx
    .select({ spelling })
    .from(niches)
    .leftJoin(
      nicheQuestions,
      and(eq(nicheQuestions.niche, niches.niche), gt(nicheQuestions.day, addDays(today, -DEMAND_DAYS))),
    )
    .where(eq(niches.niche, niche))
    .groupBy(nicheQuestions.spelling, niches.spelling)
    .orderBy(
      desc(countDistinct(nicheQuestions.keyId)),
      // Of equals the plainest.
      sql`${spelling} <> normalize(${spelling}, nfkc)`,
      sql`length(${spelling})`,
      nicheQuestions.spelling,
    )
    .limit(1);
  return usual?.spelling ?? null;
}

/** No look-up is under way. */
function isFree(now: Date) {
  return or(isNull(niches.claimedUntil), lte(niches.claimedUntil, now));
}

/** Whether the first look-up of a niche is under way. */
export async function isBeingLookedUp({ db }: CoreContext, niche: string): Promise<boolean> {
  const [entry] = await db
    .select({ niche: niches.niche })
    .from(niches)
    .where(and(eq(niches.niche, niche), isNull(niches.refreshedAt)));
  return entry !== undefined;
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
  const asked = utcDay(ctx.clock.now());
  try {
    const results = await ctx.platform.search(searchWords(spelling)).catch(async (error) => {
      if (isExhausted(error)) await refund();
      throw error;
    });
    const found = [...new Set(results)];
    const readings: ChannelReading[] = [];
    for (let from = 0; from < found.length; from += CHANNELS_PER_CALL)
      readings.push(...(await ctx.platform.channels(found.slice(from, from + CHANNELS_PER_CALL), "spare")));
    await storeEntry(ctx, { niche, spelling, asked }, readings);
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
  { niche, spelling, asked }: { niche: string; spelling: string; asked: Day },
  readings: ChannelReading[],
): Promise<void> {
  const now = clock.now();
  const today = utcDay(now);
  await db.transaction(async (tx) => {
    // A reading from before midnight is a snapshot of neither day.
    if (today === asked)
      await recordReadings({ db: tx, clock: { now: () => now } }, today, "track", readings);
    else await upsertChannels(tx, readings, now);
    if (readings.length > 0) {
      await tx.update(niches).set({ spelling }).where(eq(niches.niche, niche));
      await tx
        .insert(nicheChannels)
        .values(readings.map(({ channelId }) => ({ niche, channelId, foundAt: now })))
        .onConflictDoUpdate({
          target: [nicheChannels.niche, nicheChannels.channelId],
          set: { foundAt: now },
        });
    }
    await dropCandidates(tx, niche, now);
    const closeTo = await findClose(tx, niche, today);
    const old = instant(now.getTime() - MAX_AGE).toISOString();
    const isFresh = sql`coalesce(${niches.refreshedAt} > ${old}::timestamptz, false)`;
    // A fresh entry stays as old as it was when another spelling finds nothing either.
    const refreshedAt =
      readings.length > 0
        ? now
        : sql`case when ${isFresh} then ${niches.refreshedAt} else ${now.toISOString()}::timestamptz end`;
    await tx
      .update(niches)
      .set({ refreshedAt, claimedUntil: null, renewalAskedAt: null, closeTo })
      .where(eq(niches.niche, niche));
    await endWaiting(tx, niche, today);
  });
}

/** Takes a niche off the queue. The keys that waited for it count as having asked for it today. */
async function endWaiting(tx: Database, niche: string, day: Day): Promise<void> {
  const { keyId, spelling } = nicheQueue;
  const waited = await tx
    .delete(nicheQueue)
    .where(eq(nicheQueue.niche, niche))
    .returning({ keyId, spelling });
  if (waited.length === 0) return;
  const questions = waited.map((question) => ({ ...question, niche, day }));
  await tx.insert(nicheQuestions).values(questions).onConflictDoNothing();
}
