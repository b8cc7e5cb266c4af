import type { Tier } from "@/db/values";

export const TIER_LIMITS: Readonly<Record<Tier, number>> = { free: 50, starter: 500, pro: 2000 };

/** New niches that a key can have searched in one UTC day. */
export const NEW_NICHES_PER_DAY: Readonly<Record<Tier, number>> = { free: 2, starter: 5, pro: 10 };

export const TIER_PRICES: Readonly<Record<Tier, number>> = { free: 0, starter: 29, pro: 99 };
