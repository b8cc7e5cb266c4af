/** The plans a key can be on, cheapest first. */
export const TIERS = ["free", "starter", "pro"] as const;
export type Tier = (typeof TIERS)[number];

/** Requests a key may make in one UTC day. Enforcement, documents and pages all read this table. */
export const TIER_LIMITS: Readonly<Record<Tier, number>> = { free: 50, starter: 500, pro: 2000 };

/** Price of each plan in US dollars a month. */
export const TIER_PRICES: Readonly<Record<Tier, number>> = { free: 0, starter: 29, pro: 99 };
