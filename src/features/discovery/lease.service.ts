import { and, eq, isNull, lte, not, or, type SQL } from "drizzle-orm";
import { instant, MINUTE, utcDay } from "@/core/time";
import type { Database } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { niches } from "@/db/schema";
import type { PlatformContext } from "@/platform/port";
import { type Spender, spendOfKey, spendOfService } from "./budget.service";
import { SEARCHES_PER_DAY } from "./niches.rules";
import { hasCandidates, MAX_AGE } from "./niches.service";

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
  return claiming(db, async (tx): Promise<Claim> => {
    const isOpen = isKnown ? not(hasCandidates) : isNull(niches.refreshedAt);
    if (!(await insertClaim(tx, { niche, spelling }, now, isOpen))) return "taken";
    // Locks are taken in one order (niche, key, service), so that requests cannot deadlock.
    if (!(await spendOfKey(tx, key, day))) throw new Spent("key_spent");
    if (!(await spendOfService(tx, "first", day, share))) throw new Spent("service_spent");
    return "claimed";
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
  const claim = await claiming(db, async (tx): Promise<Claim> => {
    if (!(await insertClaim(tx, asked, now, isDue))) return "taken";
    if (platform.searchesAreFree || (await spendOfService(tx, "map", utcDay(now)))) return "claimed";
    throw new Spent("service_spent");
  });
  return claim === "claimed";
}

/** Claims the renewal of a niche whose entry is due, if a search is left. */
export async function claimRenewal({ db, clock }: CoreContext, niche: string): Promise<boolean> {
  const now = clock.now();
  const isDue = lte(niches.refreshedAt, instant(now.getTime() - MAX_AGE));
  const claim = await claiming(db, async (tx): Promise<Claim> => {
    const claimed = await tx
      .update(niches)
      .set({ claimedUntil: instant(now.getTime() + LEASE) })
      .where(and(eq(niches.niche, niche), isDue, isFree(now)))
      .returning({ niche: niches.niche });
    if (claimed.length === 0) return "taken";
    if (!(await spendOfService(tx, "renewal", utcDay(now)))) throw new Spent("service_spent");
    return "claimed";
  });
  return claim === "claimed";
}

/** Runs a claim in a transaction, rolled back when no look-up is left for it. */
function claiming(db: Database, work: (tx: Database) => Promise<Claim>): Promise<Claim> {
  return db.transaction(work).catch((error) => {
    if (error instanceof Spent) return error.claim;
    throw error;
  });
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
