import { type Day, toUtcDay } from "@/core/time";
import { type Allowance, getLeft, getSpent } from "@/db/allowance";
import type { CoreContext } from "@/db/context";
import type { SEARCH_PURPOSES } from "@/db/values";
import type { Key } from "@/features/keys/schema";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { SEARCHES_PER_DAY } from "./niches.rules";

export type SearchPurpose = (typeof SEARCH_PURPOSES)[number];

/** The key that a niche is searched for. */
export type Spender = Pick<Key, "tier"> & { id: string };

/** New niches of a key on a day. */
export function getNewNiches(keyId: string, day: Day): Allowance {
  return { kind: "new_niche", scope: { key: keyId }, day };
}

/** Searches of the service on a day. */
export function getSearches(purpose: SearchPurpose, day: Day): Allowance {
  return { kind: `${purpose}_search`, day };
}

/** How many new niches a key has had searched today, and may have. */
export async function getNicheAllowance(ctx: CoreContext, { id, tier }: Spender) {
  const { used } = await getSpent(ctx, getNewNiches(id, toUtcDay(ctx.clock.now())));
  return { new_niches_today: used, new_niches_limit: TIER_RULES[tier].newNichesPerDay };
}

/** How many of the service's searches are left today. */
export function countSearchesLeft(ctx: CoreContext, purpose: SearchPurpose, limit: number = SEARCHES_PER_DAY[purpose]) {
  return getLeft(ctx, getSearches(purpose, toUtcDay(ctx.clock.now())), limit);
}
