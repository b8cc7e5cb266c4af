import type { Tier } from "@/db/values";

/** Look-ups of channels that a key can make in one UTC day. The platform finds one handle or user name per look-up. */
export const LOOKUPS_PER_DAY: Readonly<Record<Tier, number>> = { free: 100, starter: 500, pro: 2000 };

/** Why a channel is not looked up, and what to do. */
export function formatLookupsSpent(limit: number): string {
  const count = limit.toLocaleString("en");
  return `This key has used its ${count} look-ups today. They reset at midnight UTC. Channel ids need none.`;
}
