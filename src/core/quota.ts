import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/core/db/client";
import { apiKeys } from "@/core/db/schema";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { TIER_LIMITS, type Tier } from "@/core/tiers";
import { type Clock, utcDay } from "@/core/time";

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
   * Finds the standing key whose secret has that hash and counts one request of it under its tier's limit, at once;
   * null when there is none. Only where keys and counters lie together.
   */
  admit?(secretHash: string): Promise<Admission | null>;
}

/**
 * The quota counter in PostgreSQL: one statement a request, atomic by the row's lock. Its commit alone does not
 * wait for the disk; a crash of the database may forget the last fraction of a second of counting.
 */
export function createPostgresQuota(db: Database, clock: Clock): Quota & Required<Pick<Quota, "admit">> {
  return {
    async take(keyId, limit) {
      const key = sql`select id, tier, ${limit}::int as allowed from ${apiKeys} where id = ${keyId}`;
      const counted = await countRequest(db, clock, key);
      if (!counted) throw new AppError("unauthorized", INVALID_API_KEY);
      return { granted: counted.granted, used: counted.used };
    },
    admit(secretHash) {
      const key = sql`
        select id, tier, (${JSON.stringify(TIER_LIMITS)}::jsonb ->> tier)::int as allowed
        from ${apiKeys} where secret_hash = ${secretHash} and revoked_at is null`;
      return countRequest(db, clock, key);
    },
  };
}

/** Counts a request of the one key that a query shows as `id, tier, allowed`; null when it shows none. */
async function countRequest(db: Database, clock: Clock, key: SQL): Promise<Admission | null> {
  const now = clock.now();
  const day = utcDay(now);
  const [found] = await db.execute<{ id: string; tier: Tier; requests: number | null }>(sql`
    with fast as materialized (select set_config('synchronous_commit', 'off', true)),
    key as materialized (${key}),
    counted as (
      insert into daily_usage as usage (key_id, day, requests, last_request_at)
      select id, ${day}::date, 1, ${now.toISOString()}::timestamptz from fast, key
      on conflict (key_id, day) do update
        set requests = usage.requests + 1, last_request_at = excluded.last_request_at
        where usage.requests < (select allowed from key)
      returning requests
    )
    select id, tier, (select requests from counted) from key`);
  if (!found) return null;
  const { id: keyId, tier, requests } = found;
  if (requests !== null) return { keyId, tier, granted: true, used: requests };
  // Asked again, since a statement does not see what others counted while it ran.
  const [refused] = await db.execute<{ requests: number }>(
    sql`select requests from daily_usage where key_id = ${keyId} and day = ${day}::date`,
  );
  return refused ? { keyId, tier, granted: false, used: refused.requests } : null;
}
