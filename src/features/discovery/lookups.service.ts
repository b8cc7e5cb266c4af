import { and, countDistinct, desc, eq, gt, isNotNull, isNull, lt, lte, not, or, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import {
  keyNicheSearches,
  nicheChannels,
  nicheQuestions,
  nicheSearches,
  niches,
  type SEARCH_PURPOSES,
} from "@/core/db/schema";
import { addDays, type Day, instant, MINUTE, utcDay } from "@/core/time";
import { upsertChannels } from "@/features/growth/service";
import type { Key } from "@/features/keys/schema";
import {
  CHANNELS_PER_CALL,
  type ChannelReading,
  isPlatformError,
  type PlatformContext,
  type PlatformError,
} from "@/platform/port";
import { NEW_NICHES_PER_DAY, SEARCHES_PER_DAY, searchWords } from "./niches.rules";
import { DEMAND_DAYS, dropCandidates, findClose, hasCandidates, MAX_AGE } from "./niches.service";

/** Whoever looks a niche up for longer is taken to have died; no look-up that lives takes so long. */
const LEASE = MINUTE;

/**
 * What became of asking for a look-up: the caller is to make it; another makes it, or has; or there is none left today
 * for the key, or for the whole service.
 */
export type Claim = "claimed" | "taken" | "key_spent" | "service_spent";

/** A niche to be looked up for a question. */
export interface NewNiche {
  niche: string;
  spelling: string;
  /** Whether it has an entry already, in which nothing was found. */
  isKnown: boolean;
}

/** Rolls a claim back. */
class Spent extends Error {
  constructor(readonly claim: Claim) {
    super(claim);
  }
}

/**
 * Claims the look-up of a niche that has no entry, or one in which nothing was found, at the cost of one of the key's and of the service's day. Of all
 * who ask for one niche at the same time one gets it, and only that one is charged.
 */
export async function claimNew(
  { db, clock }: CoreContext,
  key: Pick<Key, "id" | "tier">,
  { niche, spelling, isKnown }: NewNiche,
): Promise<Claim> {
  const now = clock.now();
  const day = utcDay(now);
  const claimedUntil = instant(now.getTime() + LEASE);
  const claiming = db.transaction(async (tx): Promise<Claim> => {
    const claimed = await tx
      .insert(niches)
      .values({ niche, spelling, claimedUntil })
      .onConflictDoUpdate({
        target: niches.niche,
        set: { claimedUntil },
        setWhere: and(isFree(now), isKnown ? not(hasCandidates) : isNull(niches.refreshedAt)),
      })
      .returning({ niche: niches.niche });
    if (claimed.length === 0) return "taken";
    // Always niche, key, service: whoever waits for a lock holds none that comes after it.
    if (!(await spendOfKey(tx, key, day))) throw new Spent("key_spent");
    if (!(await spendOfService(tx, "first", day))) throw new Spent("service_spent");
    return "claimed";
  });
  return claiming.catch((error) => {
    if (error instanceof Spent) return error.claim;
    throw error;
  });
}

type SearchPurpose = (typeof SEARCH_PURPOSES)[number];

/** Gives back what a claim cost whose look-up the platform had no call left for. */
export async function refundClaim({ db }: CoreContext, keyId: string, day: Day): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(keyNicheSearches)
      .set({ searches: sql`greatest(${keyNicheSearches.searches} - 1, 0)` })
      .where(and(eq(keyNicheSearches.keyId, keyId), eq(keyNicheSearches.day, day)));
    await refundService(tx, "first", day);
  });
}

async function refundService(db: Database, purpose: SearchPurpose, day: Day): Promise<void> {
  await db
    .update(nicheSearches)
    .set({ searches: sql`greatest(${nicheSearches.searches} - 1, 0)` })
    .where(and(eq(nicheSearches.purpose, purpose), eq(nicheSearches.day, day)));
}

/**
 * Renews the entry of a niche if it is due, nobody else is at it, and the day has a search left for it.
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

/** The spelling that most keys used within the last week, so that the first one to ask does not settle it for ever. */
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
      // Of equals the plainest, whoever came first.
      sql`${spelling} <> normalize(${spelling}, nfkc)`,
      sql`length(${spelling})`,
      nicheQuestions.spelling,
    )
    .limit(1);
  return usual?.spelling ?? null;
}

/** Nobody is at it, or whoever was has died. */
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
 * Makes a claimed look-up: one search, then what it found is read 50 a call, scored, and put into the niche's entry.
 * A look-up that fails leaves the entry as it was, none where there was none, and ends the claim.
 * @param refund called where the platform has no call left for it: once it has searched, the claim is spent
 * @throws PlatformError
 */
export async function lookUp(
  ctx: PlatformContext,
  niche: string,
  spelling: string,
  refund: () => Promise<void>,
): Promise<void> {
  try {
    const results = await ctx.platform.search(searchWords(spelling)).catch(async (error) => {
      if (isExhausted(error)) await refund();
      throw error;
    });
    const found = [...new Set(results)];
    const readings: ChannelReading[] = [];
    for (let from = 0; from < found.length; from += CHANNELS_PER_CALL)
      readings.push(...(await ctx.platform.channels(found.slice(from, from + CHANNELS_PER_CALL), "spare")));
    await storeEntry(ctx, niche, spelling, readings);
  } catch (error) {
    await ctx.db.delete(niches).where(and(eq(niches.niche, niche), isNull(niches.refreshedAt)));
    // Not of a niche that another has claimed since: it has nothing else yet.
    const isFilled = and(eq(niches.niche, niche), isNotNull(niches.refreshedAt));
    await ctx.db.update(niches).set({ claimedUntil: null }).where(isFilled);
    throw error;
  }
}

/** Whether the platform has no call left for now. */
export function isExhausted(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.failure === "quota_exhausted";
}

async function storeEntry(
  { db, clock }: PlatformContext,
  niche: string,
  spelling: string,
  readings: ChannelReading[],
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    await upsertChannels(tx, readings, now);
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
    const closeTo = await findClose(tx, niche, utcDay(now));
    const old = instant(now.getTime() - MAX_AGE).toISOString();
    const isFresh = sql`coalesce(${niches.refreshedAt} > ${old}::timestamptz, false)`;
    // A fresh entry in which nothing was found, in another spelling either, is as old as it was.
    const refreshedAt =
      readings.length > 0
        ? now
        : sql`case when ${isFresh} then ${niches.refreshedAt} else ${now.toISOString()}::timestamptz end`;
    await tx
      .update(niches)
      .set({ refreshedAt, claimedUntil: null, renewalAskedAt: null, closeTo })
      .where(eq(niches.niche, niche));
  });
}

async function spendOfKey(tx: Database, { id, tier }: Pick<Key, "id" | "tier">, day: Day): Promise<boolean> {
  const spent = await tx
    .insert(keyNicheSearches)
    .values({ keyId: id, day, searches: 1 })
    .onConflictDoUpdate({
      target: [keyNicheSearches.keyId, keyNicheSearches.day],
      set: { searches: sql`${keyNicheSearches.searches} + 1` },
      setWhere: lt(keyNicheSearches.searches, NEW_NICHES_PER_DAY[tier]),
    })
    .returning({ searches: keyNicheSearches.searches });
  return spent.length > 0;
}

async function spendOfService(tx: Database, purpose: SearchPurpose, day: Day): Promise<boolean> {
  const spent = await tx
    .insert(nicheSearches)
    .values({ day, purpose, searches: 1 })
    .onConflictDoUpdate({
      target: [nicheSearches.day, nicheSearches.purpose],
      set: { searches: sql`${nicheSearches.searches} + 1` },
      setWhere: lt(nicheSearches.searches, SEARCHES_PER_DAY[purpose]),
    })
    .returning({ searches: nicheSearches.searches });
  return spent.length > 0;
}
