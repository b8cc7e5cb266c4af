import { type Day, toUtcDay } from "@/core/time";
import { getSpent, giveBack, take } from "@/db/allowance";
import type { CoreContext } from "@/db/context";
import type { SEARCH_PURPOSES, Tier } from "@/db/values";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { SEARCHES_PER_DAY } from "./niches.rules";
import type { NicheAllowance } from "./schema";

type SearchPurpose = (typeof SEARCH_PURPOSES)[number];

/** A key that a look-up is made for. */
export interface Spender {
  id: string;
  tier: Tier;
}

const newNiches = (keyId: string, day: Day) => ({ kind: "new_niche", scope: { key: keyId }, day }) as const;
const searches = (purpose: SearchPurpose, day: Day) => ({ kind: `${purpose}_search`, day }) as const;

/** The new niches of a key today. */
export async function getNicheAllowance(ctx: CoreContext, { id, tier }: Spender): Promise<NicheAllowance> {
  const { used } = await getSpent(ctx, newNiches(id, toUtcDay(ctx.clock.now())));
  return { new_niches_today: used, new_niches_limit: TIER_RULES[tier].newNichesPerDay };
}

/** Spends one of a key's look-ups of a day. @returns false when none is left */
export function spendKeySearch(ctx: CoreContext, { id, tier }: Spender, day: Day): Promise<boolean> {
  return take(ctx, newNiches(id, day), TIER_RULES[tier].newNichesPerDay);
}

/** Spends one of the service's look-ups of a day. @returns false when none is left */
export function spendServiceSearch(
  ctx: CoreContext,
  purpose: SearchPurpose,
  day: Day,
  limit: number = SEARCHES_PER_DAY[purpose],
): Promise<boolean> {
  return take(ctx, searches(purpose, day), limit);
}

/** Gives back a look-up of the key and of the service that the platform had no call left for. */
export async function refundLookup(ctx: CoreContext, keyId: string, day: Day): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const inTransaction = { ...ctx, db: tx };
    await giveBack(inTransaction, newNiches(keyId, day));
    await refundServiceSearch(inTransaction, "first", day);
  });
}

/** Gives back one of the service's look-ups of a day. */
export function refundServiceSearch(ctx: CoreContext, purpose: SearchPurpose, day: Day): Promise<void> {
  return giveBack(ctx, searches(purpose, day));
}

/** The service's look-ups of a day. */
export async function countSearches(ctx: CoreContext, purpose: SearchPurpose, day: Day): Promise<number> {
  return (await getSpent(ctx, searches(purpose, day))).used;
}
