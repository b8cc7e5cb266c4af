import { and, eq, lt, sql } from "drizzle-orm";
import { type Day, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { keyNicheSearches, nicheSearches } from "@/db/schema";
import type { SEARCH_PURPOSES, Tier } from "@/db/values";
import { NEW_NICHES_PER_DAY } from "@/features/usage/tiers.rules";
import { SEARCHES_PER_DAY } from "./niches.rules";
import type { NicheAllowance } from "./schema";

type SearchPurpose = (typeof SEARCH_PURPOSES)[number];

/** The new niches of a key today. */
export async function getNicheAllowance(
  { db, clock }: CoreContext,
  { id, tier }: Spender,
): Promise<NicheAllowance> {
  const { keyId, day, searches } = keyNicheSearches;
  const isToday = and(eq(keyId, id), eq(day, toUtcDay(clock.now())));
  const [spent] = await db.select({ searches }).from(keyNicheSearches).where(isToday);
  return { new_niches_today: spent?.searches ?? 0, new_niches_limit: NEW_NICHES_PER_DAY[tier] };
}

/** Gives back a look-up of the key and of the service that the platform had no call left for. */
export async function refundLookup({ db }: CoreContext, keyId: string, day: Day): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(keyNicheSearches)
      .set({ searches: sql`greatest(${keyNicheSearches.searches} - 1, 0)` })
      .where(and(eq(keyNicheSearches.keyId, keyId), eq(keyNicheSearches.day, day)));
    await refundServiceSearch(tx, "first", day);
  });
}

/** Gives back one of the service's look-ups of a day. */
export async function refundServiceSearch(db: Database, purpose: SearchPurpose, day: Day): Promise<void> {
  await db
    .update(nicheSearches)
    .set({ searches: sql`greatest(${nicheSearches.searches} - 1, 0)` })
    .where(and(eq(nicheSearches.purpose, purpose), eq(nicheSearches.day, day)));
}

/** A key that a look-up is made for. */
export interface Spender {
  id: string;
  tier: Tier;
}

/** Spends one of a key's look-ups of a day. @returns false when none is left */
export async function spendKeySearch(tx: Database, { id, tier }: Spender, day: Day): Promise<boolean> {
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

/** The service's look-ups of a day. */
export async function countSearches(db: Database, purpose: SearchPurpose, day: Day): Promise<number> {
  const isMeant = and(eq(nicheSearches.purpose, purpose), eq(nicheSearches.day, day));
  const [spent] = await db.select({ searches: nicheSearches.searches }).from(nicheSearches).where(isMeant);
  return spent?.searches ?? 0;
}

/** Spends one of the service's look-ups of a day. @returns false when none is left */
export async function spendServiceSearch(
  tx: Database,
  purpose: SearchPurpose,
  day: Day,
  limit: number = SEARCHES_PER_DAY[purpose],
): Promise<boolean> {
  const spent = await tx
    .insert(nicheSearches)
    .values({ day, purpose, searches: 1 })
    .onConflictDoUpdate({
      target: [nicheSearches.day, nicheSearches.purpose],
      set: { searches: sql`${nicheSearches.searches} + 1` },
      setWhere: lt(nicheSearches.searches, limit),
    })
    .returning({ searches: nicheSearches.searches });
  return spent.length > 0;
}
