import { and, eq, type SQL, sql } from "drizzle-orm";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { type Day, getSecondsToMidnight, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { apiKeys, dailyUsage, hasActiveSecret, selectExpirySql } from "@/db/schema";
import { prepareStatement } from "@/db/statement";
import type { Tier } from "@/db/values";
import { TIER_LIMITS, TIER_RULES } from "@/features/usage/tiers.rules";

/** The result of counting one request of a key. */
export interface QuotaGrant {
  granted: boolean;
  /** Requests counted today, including this one when it was granted. */
  used: number;
}

/** When the presented secret stops working, because a rotation replaced it; null for the current one. */
export interface KeyExpiry {
  expiresAt: string | null;
}

/** The same for a key found by its secret. */
export type Admission = QuotaGrant & { keyId: string; tier: Tier } & KeyExpiry;

/** Counts requests per key and UTC day. At most `limit` are granted a day; refused ones are not counted. */
export interface Quota {
  /** Counts a request of the active key with this secret hash. @throws AppError `unauthorized` without such a key */
  admit(secretHash: string): Promise<Admission>;
  /** Counts a request of the key if `limit` leaves it one. @throws AppError `unauthorized` when it was deleted */
  take(keyId: string, limit: number): Promise<QuotaGrant>;
  /** Requests of the key counted today. @throws AppError `unauthorized` when it was deleted */
  getUsed(keyId: string): Promise<number>;
  /** Resolves once everything counted here is in the database, or could not be written. */
  flush(): Promise<void>;
}

/** A key's quota after a request. */
export interface RateState extends QuotaGrant {
  tier: Tier;
  limit: number;
  /** Seconds until midnight UTC. */
  secondsLeft: number;
}

/** @param countedAt the time before the request was counted, so that an answer after midnight belongs to the day it was counted on */
export function getRateState(countedAt: Date, tier: Tier, { granted, used }: QuotaGrant): RateState {
  const limit = TIER_RULES[tier].requestsPerDay;
  return { granted, tier, limit, used, secondsLeft: getSecondsToMidnight(countedAt) };
}

/** Counts one request of a key. @throws AppError `quota_exceeded` when it has none left today */
export async function takeRequest(
  { quota, clock }: CoreContext & { quota: Quota },
  { id, tier }: { id: string; tier: Tier },
): Promise<void> {
  const countedAt = clock.now();
  const state = getRateState(countedAt, tier, await quota.take(id, TIER_RULES[tier].requestsPerDay));
  if (!state.granted) throw createLimitError(state);
}

/** The error for a request over the daily limit. */
export function createLimitError({ tier, limit, used, secondsLeft }: RateState): AppError {
  return new AppError("quota_exceeded", "Daily rate limit reached", {
    retryAfter: secondsLeft,
    members: { tier, limit, used, resets_at: "midnight UTC" },
  });
}

/** Requests of the day including this one; null when none was left. */
type Counted = Pick<Admission, "keyId" | "tier" | "expiresAt"> & { requests: number | null };

/** Counts 1 request, whatever the endpoint, of the key that a query returns as `id, tier, allowed`. */
const prepareCount = <Value extends object>(key: SQL) =>
  prepareStatement<Counted, { day: Day; now: string } & Value>(sql`
    with fast as materialized (select set_config('synchronous_commit', 'off', true)),
    key as materialized (${key}),
    admitted as (
      insert into daily_usage as usage (key_id, day, requests, last_request_at)
      select id, ${sql.placeholder("day")}::date, 1, ${sql.placeholder("now")}::timestamptz from fast, key
      on conflict (key_id, day) do update
        set requests = usage.requests + 1, last_request_at = excluded.last_request_at
        where usage.requests < (select allowed from key)
      returning key_id, requests
    )
    select key.id as "keyId", key.tier, key."expiresAt", admitted.requests from key left join admitted on true`);

const countById = prepareCount<{ keyId: string; limit: number }>(sql`
  select id, tier, ${sql.placeholder("limit")}::int as allowed, null as "expiresAt" from api_keys where id = ${sql.placeholder("keyId")}`);

const LIMITS = JSON.stringify(TIER_LIMITS);
const countBySecret = prepareCount<{ secretHash: string; limits: string }>(sql`
  select id, tier, (${sql.placeholder("limits")}::jsonb ->> tier)::int as allowed, ${selectExpirySql(sql`${sql.placeholder("secretHash")}`)}
  from api_keys where ${hasActiveSecret(sql`${sql.placeholder("secretHash")}`, sql`${sql.placeholder("now")}`)}`);

/**
 * The quota counter in PostgreSQL: one statement per request, atomic by the row's lock. Its commit does not wait for the
 * disk, so a crash of the database may forget less than a second of counting.
 */
export function createPostgresQuota({ db, clock }: CoreContext): Quota {
  async function getUsedOn(day: Day, keyId: string): Promise<number> {
    const [counted] = await db
      .select({ requests: dailyUsage.requests })
      .from(apiKeys)
      .leftJoin(dailyUsage, and(eq(dailyUsage.keyId, apiKeys.id), eq(dailyUsage.day, day)))
      .where(eq(apiKeys.id, keyId));
    if (!counted) throw createUnknownKeyError();
    return counted.requests ?? 0;
  }

  async function count<Value extends object>(by: ReturnType<typeof prepareCount<Value>>, value: Value) {
    const now = clock.now();
    const day = toUtcDay(now);
    const [found] = await by(db, { ...value, day, now: now.toISOString() });
    if (!found) throw createUnknownKeyError();
    const { requests, ...key } = found;
    // A second statement, because the first does not see what was counted while it waited for the lock.
    return { ...key, granted: requests !== null, used: requests ?? (await getUsedOn(day, key.keyId)) };
  }

  return {
    async take(keyId, limit) {
      const { granted, used } = await count(countById, { keyId, limit });
      return { granted, used };
    },
    admit: (secretHash) => count(countBySecret, { secretHash, limits: LIMITS }),
    getUsed: (keyId) => getUsedOn(toUtcDay(clock.now()), keyId),
    flush: async () => {},
  };
}

/** The error for a key that does not exist or is revoked. */
export function createUnknownKeyError(): AppError {
  return new AppError("unauthorized", INVALID_API_KEY);
}
