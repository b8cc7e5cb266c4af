import { and, eq, type SQL, sql } from "drizzle-orm";
import { TIER_LIMITS, type Tier } from "@/core/config/tiers";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { apiKeys, dailyUsage } from "@/core/db/schema";
import { statement } from "@/core/db/statement";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { type Clock, type Day, isoTime, secondsToMidnight, utcDay } from "@/core/time";

/** The outcome of asking for one request of a key's day. */
export interface QuotaGrant {
  granted: boolean;
  /** Requests counted today, this one included when it was granted. */
  used: number;
}

/** The same for a key that was found by its secret. */
export interface Admission extends QuotaGrant {
  keyId: string;
  tier: Tier;
}

/** Counts requests per key and UTC day. At most `limit` are granted a day, and a refused one is not counted. */
export interface Quota {
  /**
   * Counts one request of the key if its day has one left under `limit`.
   * @throws AppError `unauthorized` when the key was deleted
   */
  take(keyId: string, limit: number): Promise<QuotaGrant>;
  /**
   * Finds the active key with that secret hash and counts one request by the limit of its tier, in one statement; null
   * when there is no such key. Only where keys and counters share a database.
   */
  admit?(secretHash: string): Promise<Admission | null>;
  /**
   * Requests of the key counted today, without counting one.
   * @throws AppError `unauthorized` for a key that does not exist
   */
  used(keyId: string): Promise<number>;
  /** Resolves once everything counted here so far is in the database. */
  flush(): Promise<void>;
}

/** A key's quota after a request. */
export interface RateState {
  tier: Tier;
  limit: number;
  used: number;
  secondsLeft: number;
}

/**
 * A key's quota after a request.
 * @param asked the time before the request was counted, so that an answer after midnight belongs to the day it was counted on
 */
export function rateState(
  asked: Date,
  tier: Tier,
  { granted, used }: QuotaGrant,
): RateState & { granted: boolean } {
  return { granted, tier, limit: TIER_LIMITS[tier], used, secondsLeft: secondsToMidnight(asked) };
}

/** Counts one request of a key by the limit of its tier. */
export async function takeRequest(
  { quota, clock }: { quota: Quota } & Pick<CoreContext, "clock">,
  { id, tier }: { id: string; tier: Tier },
): Promise<RateState & { granted: boolean }> {
  const asked = clock.now();
  return rateState(asked, tier, await quota.take(id, TIER_LIMITS[tier]));
}

/** The error for a request over the daily limit. */
export function limitReached({ tier, limit, used, secondsLeft }: RateState): AppError {
  return new AppError("quota_exceeded", "Daily rate limit reached", {
    retryAfter: secondsLeft,
    members: { tier, limit, used, resets_at: "midnight UTC" },
  });
}

interface Counted {
  id: string;
  tier: Tier;
  /** Requests of the day including this one; null when none was left. */
  requests: number | null;
}

/** Counts a request of the one key that a query returns as `id, tier, allowed`. */
const counting = <Value extends object>(key: SQL) =>
  statement<Counted, { day: Day; now: string } & Value>(sql`
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
    select key.id, key.tier, admitted.requests from key left join admitted on true`);

const countById = counting<{ keyId: string; limit: number }>(sql`
  select id, tier, ${sql.placeholder("limit")}::int as allowed from api_keys where id = ${sql.placeholder("keyId")}`);

const LIMITS = JSON.stringify(TIER_LIMITS);
const countBySecret = counting<{ secretHash: string; limits: string }>(sql`
  select id, tier, (${sql.placeholder("limits")}::jsonb ->> tier)::int as allowed
  from api_keys where secret_hash = ${sql.placeholder("secretHash")} and revoked_at is null`);

/**
 * The quota counter in PostgreSQL: one statement a request, atomic by the row's lock. Its commit does not wait for the
 * disk, so a crash of the database may forget the last fraction of a second of counting.
 */
export function createPostgresQuota(db: Database, clock: Clock): Quota & Required<Pick<Quota, "admit">> {
  async function usedOn(day: Day, keyId: string): Promise<number> {
    const [counted] = await db
      .select({ requests: dailyUsage.requests })
      .from(apiKeys)
      .leftJoin(dailyUsage, and(eq(dailyUsage.keyId, apiKeys.id), eq(dailyUsage.day, day)))
      .where(eq(apiKeys.id, keyId));
    if (!counted) throw new AppError("unauthorized", INVALID_API_KEY);
    return counted.requests ?? 0;
  }

  async function count<Value extends object>(
    by: ReturnType<typeof counting<Value>>,
    value: Value,
  ): Promise<Admission | null> {
    const now = clock.now();
    const day = utcDay(now);
    const [found] = await by(db, { ...value, day, now: isoTime(now) });
    if (!found) return null;
    const { id: keyId, tier, requests } = found;
    if (requests !== null) return { keyId, tier, granted: true, used: requests };
    // A statement of its own, because the first one does not see what was counted while it waited for the lock.
    return { keyId, tier, granted: false, used: await usedOn(day, keyId) };
  }

  return {
    async take(keyId, limit) {
      const counted = await count(countById, { keyId, limit });
      if (!counted) throw new AppError("unauthorized", INVALID_API_KEY);
      return { granted: counted.granted, used: counted.used };
    },
    admit: (secretHash) => count(countBySecret, { secretHash, limits: LIMITS }),
    used: (keyId) => usedOn(utcDay(clock.now()), keyId),
    flush: async () => {},
  };
}
