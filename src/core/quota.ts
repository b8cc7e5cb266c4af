import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/core/db/client";
import { apiKeys, dailyUsage } from "@/core/db/schema";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { TIER_LIMITS, type Tier } from "@/core/tiers";
import { type Clock, type Day, secondsToMidnight, utcDay } from "@/core/time";

/** The outcome of asking for one request of a key's day. */
export interface QuotaGrant {
  granted: boolean;
  /** Requests counted today, this one included when it was granted. */
  used: number;
}

/**
 * Counts requests per key and UTC day. Exact under any concurrency: of all requests made on a day at most `limit`
 * are granted, and a refused one is not counted.
 */
export interface Quota {
  /**
   * Counts one request of the key if its day has one left under `limit`.
   * @throws AppError `unauthorized` when the key has been deleted meanwhile.
   */
  take(keyId: string, limit: number): Promise<QuotaGrant>;
  /**
   * Requests of the key counted today, without counting one.
   * @throws AppError `unauthorized` for a key that does not exist
   */
  used(keyId: string): Promise<number>;
  /** Resolves once everything counted here so far is in the database. */
  flush(): Promise<void>;
}

/** Where a key's day stands. */
export interface RateState {
  tier: Tier;
  limit: number;
  used: number;
  secondsLeft: number;
}

/** Counts one request of a key by the limit of its tier. */
export async function takeRequest(
  { quota, clock }: { quota: Quota; clock: Clock },
  key: { id: string; tier: Tier },
): Promise<RateState & { granted: boolean }> {
  const limit = TIER_LIMITS[key.tier];
  const { granted, used } = await quota.take(key.id, limit);
  return { granted, tier: key.tier, limit, used, secondsLeft: secondsToMidnight(clock.now()) };
}

/** The failure of a request that came after the day's last one. */
export function limitReached({ tier, limit, used, secondsLeft }: RateState): AppError {
  return new AppError("quota_exceeded", "Daily rate limit reached", {
    retryAfter: secondsLeft,
    members: { tier, limit, used, resets_at: "midnight UTC" },
  });
}

/**
 * The quota counter in PostgreSQL: one statement a request, atomic by the row's lock. Its commit alone does not
 * wait for the disk; a crash of the database may forget the last fraction of a second of counting.
 */
export function createPostgresQuota(db: Database, clock: Clock): Quota {
  async function usedOn(day: Day, keyId: string): Promise<number> {
    const [counted] = await db
      .select({ requests: dailyUsage.requests })
      .from(apiKeys)
      .leftJoin(dailyUsage, and(eq(dailyUsage.keyId, apiKeys.id), eq(dailyUsage.day, day)))
      .where(eq(apiKeys.id, keyId));
    if (!counted) throw new AppError("unauthorized", INVALID_API_KEY);
    return counted.requests ?? 0;
  }
  return {
    async take(keyId, limit) {
      const now = clock.now();
      const day = utcDay(now);
      const [counted] = await db.execute<{ requests: number }>(sql`
        with fast as materialized (select set_config('synchronous_commit', 'off', true))
        insert into daily_usage as usage (key_id, day, requests, last_request_at)
        select id, ${day}::date, 1, ${now.toISOString()}::timestamptz from fast, api_keys where id = ${keyId}
        on conflict (key_id, day) do update
          set requests = usage.requests + 1, last_request_at = excluded.last_request_at
          where usage.requests < ${limit}
        returning requests`);
      if (counted) return { granted: true, used: counted.requests };
      return { granted: false, used: await usedOn(day, keyId) };
    },
    used: (keyId) => usedOn(utcDay(clock.now()), keyId),
    flush: async () => {},
  };
}
