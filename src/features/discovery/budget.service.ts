import { and, eq, lt, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { keyNicheSearches, nicheSearches, type SEARCH_PURPOSES } from "@/core/db/schema";
import type { Day } from "@/core/time";
import type { Key } from "@/features/keys/schema";
import { NEW_NICHES_PER_DAY, SEARCHES_PER_DAY } from "./niches.rules";

type SearchPurpose = (typeof SEARCH_PURPOSES)[number];

/** Gives back a look-up of the key and of the service that the platform had no call left for. */
export async function refundClaim({ db }: CoreContext, keyId: string, day: Day): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(keyNicheSearches)
      .set({ searches: sql`greatest(${keyNicheSearches.searches} - 1, 0)` })
      .where(and(eq(keyNicheSearches.keyId, keyId), eq(keyNicheSearches.day, day)));
    await refundService(tx, "first", day);
  });
}

/** Gives back one of the service's look-ups of a day. */
export async function refundService(db: Database, purpose: SearchPurpose, day: Day): Promise<void> {
  await db
    .update(nicheSearches)
    .set({ searches: sql`greatest(${nicheSearches.searches} - 1, 0)` })
    .where(and(eq(nicheSearches.purpose, purpose), eq(nicheSearches.day, day)));
}

/** Spends one of a key's look-ups of a day. @returns false when none is left */
export async function spendOfKey(
  tx: Database,
  { id, tier }: Pick<Key, "id" | "tier">,
  day: Day,
): Promise<boolean> {
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

/** Spends one of the service's look-ups of a day. @returns false when none is left */
export async function spendOfService(tx: Database, purpose: SearchPurpose, day: Day): Promise<boolean> {
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
