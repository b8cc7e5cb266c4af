import { formatCount } from "@/core/format";
import { TIERS, type Tier } from "@/db/values";

interface TierRules {
  requestsPerDay: number;
  /** Niches never searched before that a key can have searched. */
  newNichesPerDay: number;
  /** Handles and user names that a key can have resolved at the platform, one each. */
  lookupsPerDay: number;
  /** In USD. */
  pricePerMonth: number;
}

/** Everything that differs between tiers. Days are UTC days. */
export const TIER_RULES: Readonly<Record<Tier, TierRules>> = {
  free: { requestsPerDay: 50, newNichesPerDay: 2, lookupsPerDay: 100, pricePerMonth: 0 },
  starter: { requestsPerDay: 500, newNichesPerDay: 5, lookupsPerDay: 500, pricePerMonth: 29 },
  pro: { requestsPerDay: 2000, newNichesPerDay: 10, lookupsPerDay: 2000, pricePerMonth: 99 },
};

/** The name of each tier, as people read it. */
export const TIER_NAMES: Readonly<Record<Tier, string>> = { free: "Free", starter: "Starter", pro: "Pro" };

/** What a tier costs: `$0`, `$29 a month`. */
export function formatPrice(tier: Tier): string {
  const { pricePerMonth } = TIER_RULES[tier];
  return pricePerMonth === 0 ? "$0" : `$${pricePerMonth} a month`;
}

/** A number of each tier: `free 50, starter 500, pro 2,000`. */
export function formatPerTier(rule: keyof TierRules): string {
  return TIERS.map((tier) => `${tier} ${formatCount(TIER_RULES[tier][rule])}`).join(", ");
}

/** The daily limit of each tier, as the API shows it. */
export const TIER_LIMITS = Object.fromEntries(TIERS.map((tier) => [tier, TIER_RULES[tier].requestsPerDay])) as Readonly<
  Record<Tier, number>
>;
