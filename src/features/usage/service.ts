import { and, count, desc, eq, gte, sql } from "drizzle-orm";
import { addDays, type Day, startOfDay, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts, dailyAllowances, dailyUsage, trackedCreators } from "@/db/schema";
import { opaqueValueSql, prepareStatement } from "@/db/statement";
import type { Key, KeyId } from "@/features/keys/schema";
import { requireHash, toKeyId } from "@/features/keys/service";
import { getRateState, type Quota } from "./quota.service";
import { projectRunOut } from "./rules";
import type { Usage, UsageByDay } from "./schema";
import { TIER_LIMITS, TIER_RULES } from "./tiers.rules";

const DAYS_SHOWN = 30;

/**
 * Counted requests of the last UTC days, and the number of keys that made them, today first; days without requests are
 * left out.
 * @param keyId all keys when left out
 */
export function listRequestsPerDay({ db, clock }: CoreContext, days: number, keyId?: KeyId) {
  const first = addDays(toUtcDay(clock.now()), 1 - days);
  const { day } = dailyUsage;
  const requests = sql<number>`sum(${dailyUsage.requests})::int`;
  return db
    .select({ day, requests, keys: count() })
    .from(dailyUsage)
    .where(and(gte(day, first), keyId && eq(dailyUsage.keyId, keyId)))
    .groupBy(day)
    .orderBy(desc(day));
}

type Totals = { creators: number; alerts: number; niches: number | null };
const selectTotals = prepareStatement<Totals, { keyId: KeyId; day: Day }>(sql`
  select
    (select count(*)::int from ${trackedCreators} where key_id = key.id) as creators,
    (select count(*)::int from ${alerts} where key_id = key.id) as alerts,
    (select used from ${dailyAllowances}
      where scope = key.id and kind = 'new_niche' and day = ${opaqueValueSql("day", "text")}::date) as niches
  from (select ${opaqueValueSql("keyId", "text")} as id) as key`);

/** The usage record of a key. @param requestsToday requests counted today */
export async function getUsage({ db, clock }: CoreContext, { id, tier }: Key, requestsToday: number): Promise<Usage> {
  const [counts] = await selectTotals(db, { keyId: id, day: toUtcDay(clock.now()) });
  return {
    tier,
    requests_today: requestsToday,
    requests_limit: TIER_RULES[tier].requestsPerDay,
    creators_tracked: counts?.creators ?? 0,
    alerts_count: counts?.alerts ?? 0,
    new_niches_today: counts?.niches ?? 0,
    new_niches_limit: TIER_RULES[tier].newNichesPerDay,
    tier_limits: { ...TIER_LIMITS },
  };
}

export type UsageToday = Awaited<ReturnType<typeof getUsageToday>>;

/** Today's usage of a key. Does not count. */
export async function getUsageToday({ quota, clock }: CoreContext & { quota: Quota }, key: Key) {
  const now = clock.now();
  const used = await quota.getUsed(key.id);
  const limit = TIER_RULES[key.tier].requestsPerDay;
  return {
    tier: key.tier,
    requests_today: used,
    requests_limit: limit,
    resets_at: startOfDay(addDays(toUtcDay(now), 1)).toISOString(),
    /** When the quota runs out at today's rate; null when it lasts. */
    runs_out_at: projectRunOut(used, limit, now)?.toISOString() ?? null,
  };
}

/** Counted requests of a key on each of the last 30 UTC days. */
export async function getUsageByDay(ctx: CoreContext, key: Key): Promise<UsageByDay> {
  const perDay = await listRequestsPerDay(ctx, DAYS_SHOWN, key.id);
  const counted = new Map(perDay.map(({ day, requests }) => [day, requests]));
  const first = addDays(toUtcDay(ctx.clock.now()), 1 - DAYS_SHOWN);
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) => addDays(first, index));
  return { days: days.map((day) => ({ day, requests: counted.get(day) ?? 0 })) };
}

/**
 * Authenticates a key and counts one request of its day. `expiresAt` is when the secret ends that a rotation replaced.
 * @throws AppError `unauthorized`, the same for a missing, mistyped, unknown or revoked key
 */
export async function admitRequest(ctx: CoreContext & { quota: Quota }, presented: string | null) {
  const requestedAt = ctx.clock.now();
  const admission = await ctx.quota.admit(requireHash(presented));
  const { keyId, tier, expiresAt } = admission;
  return { key: { id: toKeyId(keyId), tier }, state: getRateState(requestedAt, tier, admission), expiresAt };
}
