import { and, eq, isNull, lte, not, or, type SQL } from "drizzle-orm";
import { MINUTE, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { niches } from "@/db/schema";
import type { PlatformContext } from "@/platform/port";
import { type Spender, spendKeySearch, spendServiceSearch } from "./budget.service";
import { SEARCHES_PER_DAY } from "./niches.rules";
import { hasCandidatesSql, MAX_AGE } from "./niches.service";

/** Milliseconds after which a look-up counts as crashed. */
const LEASE = MINUTE;

/**
 * Whether the caller may look up: yes; no, another request does; no, the key or the service has none left
 * today.
 */
export type LeaseResult = "claimed" | "taken" | "key_spent" | "service_spent";

/** A niche to be looked up. */
export interface NewNiche {
  niche: string;
  spelling: string;
  /** Whether it has an empty entry already. */
  isKnown: boolean;
}

/** Rolls back the transaction when no look-up is left. */
class LimitReached extends Error {
  constructor(readonly result: LeaseResult) {
    super(result);
  }
}

/**
 * Leases the look-up of a niche without an entry or with an empty one, and spends one daily look-up of the
 * key and of the service. Of several requests for a niche, one gets the lease and pays.
 * @param share how many of the service's look-ups may be spent for it
 */
export async function leaseNewLookup(
  ctx: CoreContext,
  key: Spender,
  { niche, spelling, isKnown }: NewNiche,
  share: number = SEARCHES_PER_DAY.first,
): Promise<LeaseResult> {
  const now = ctx.clock.now();
  const day = toUtcDay(now);
  return runLease(ctx, async (inLease): Promise<LeaseResult> => {
    const isOpen = isKnown ? not(hasCandidatesSql) : isNull(niches.refreshedAt);
    if (!(await insertLease(inLease, { niche, spelling }, now, isOpen))) return "taken";
    // Locks are taken in one order (niche, key, service), so that requests cannot deadlock.
    if (!(await spendKeySearch(inLease, key, day))) throw new LimitReached("key_spent");
    if (!(await spendServiceSearch(inLease, "first", day, share))) throw new LimitReached("service_spent");
    return "claimed";
  });
}

async function insertLease(
  { db }: CoreContext,
  { niche, spelling }: Pick<NewNiche, "niche" | "spelling">,
  now: Date,
  isOpen: SQL | undefined,
): Promise<boolean> {
  const claimedUntil = toDate(now.getTime() + LEASE);
  const leased = await db
    .insert(niches)
    .values({ niche, spelling, claimedUntil })
    .onConflictDoUpdate({
      target: niches.niche,
      set: { claimedUntil },
      setWhere: and(isUnleasedSql(now), isOpen),
    })
    .returning({ niche: niches.niche });
  return leased.length > 0;
}

/**
 * Leases the look-up of a map niche without an entry or with one older than `age` ms, if a search is left.
 */
export async function leaseMapLookup(
  ctx: PlatformContext,
  candidate: Pick<NewNiche, "niche" | "spelling">,
  age: number,
): Promise<boolean> {
  const now = ctx.clock.now();
  const isDue = or(isNull(niches.refreshedAt), lte(niches.refreshedAt, toDate(now.getTime() - age)));
  const result = await runLease(ctx, async (inLease): Promise<LeaseResult> => {
    if (!(await insertLease(inLease, candidate, now, isDue))) return "taken";
    if (ctx.platform.searchesAreFree || (await spendServiceSearch(inLease, "map", toUtcDay(now)))) return "claimed";
    throw new LimitReached("service_spent");
  });
  return result === "claimed";
}

/** Leases the renewal of a niche whose entry is due, if a search is left. */
export async function leaseRenewal(ctx: CoreContext, niche: string): Promise<boolean> {
  const now = ctx.clock.now();
  const isDue = lte(niches.refreshedAt, toDate(now.getTime() - MAX_AGE));
  const result = await runLease(ctx, async (inLease): Promise<LeaseResult> => {
    const leased = await inLease.db
      .update(niches)
      .set({ claimedUntil: toDate(now.getTime() + LEASE) })
      .where(and(eq(niches.niche, niche), isDue, isUnleasedSql(now)))
      .returning({ niche: niches.niche });
    if (leased.length === 0) return "taken";
    if (!(await spendServiceSearch(inLease, "renewal", toUtcDay(now)))) throw new LimitReached("service_spent");
    return "claimed";
  });
  return result === "claimed";
}

/** Runs `work` in a transaction that is rolled back when no look-up is left. */
function runLease(ctx: CoreContext, work: (ctx: CoreContext) => Promise<LeaseResult>): Promise<LeaseResult> {
  return ctx.db
    .transaction((tx) => work({ ...ctx, db: tx }))
    .catch((error) => {
      if (error instanceof LimitReached) return error.result;
      throw error;
    });
}

/** No look-up is under way. */
function isUnleasedSql(now: Date) {
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
