/** Cheapest first. */
export const TIERS = ["free", "starter", "pro"] as const;
export type Tier = (typeof TIERS)[number];

/** Requests a UTC day by tier. */
export const TIER_LIMITS: Readonly<Record<Tier, number>> = { free: 50, starter: 500, pro: 2000 };

/** US dollars a month by tier. */
export const TIER_PRICES: Readonly<Record<Tier, number>> = { free: 0, starter: 29, pro: 99 };
