import { and, eq, type SQL, sql } from "drizzle-orm";
import { TIER_LIMITS, type Tier } from "@/core/config/tiers";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { apiKeys, dailyUsage } from "@/core/db/schema";
import { type Statement, statement, unplanned } from "@/core/db/statement";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { type Clock, type Day, isoTime, secondsToMidnight, utcDay } from "@/core/time";

/** The outcome of asking for one request of a key's day. */
export interface QuotaGrant {
  granted: boolean;
  /** Requests counted today, this one included when it was granted. */
  used: number;
}

/** Requests of a key that were counted on a day. */
export interface CountedDay {
  day: Day;
  requests: number;
}

/** The same for a key that was found by its secret. */
export interface Admission<Told> extends QuotaGrant {
  keyId: string;
  tier: Tier;
  /** What was asked about the key; of no meaning where the request was refused. */
  told: Told;
}

/**
 * Counts requests per key and UTC day. Exact under any concurrency: of all requests made on a day at most `limit`
 * are granted, and a refused one is not counted.
 */
export interface Quota {
  /**
   * Counts one request of the key if its day has one left under `limit`.
   * @param counted what the database had when the key was found, where that is known
   * @throws AppError `unauthorized` when the key has been deleted meanwhile
   */
  take(keyId: string, limit: number, counted?: CountedDay): Promise<QuotaGrant>;
  /**
   * Finds the standing key whose secret has that hash and counts one request of it by the limit of its tier, at once;
   * null when there is none. Tells by the same statement what is asked about the key. Only where keys and counters lie
   * together.
   */
  admit?<Told extends object>(secretHash: string, inquiry: Inquiry<Told>): Promise<Admission<Told> | null>;
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

/**
 * Where a key's day stands after it asked for one request.
 * @param asked before the counter was: an answer that comes after midnight tells when the day before ended
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
  { id, tier, counted }: { id: string; tier: Tier; counted: CountedDay },
): Promise<RateState & { granted: boolean }> {
  const asked = clock.now();
  return rateState(asked, tier, await quota.take(id, TIER_LIMITS[tier], counted));
}

/** The failure of a request that came after the day's last one. */
export function limitReached({ tier, limit, used, secondsLeft }: RateState): AppError {
  return new AppError("quota_exceeded", "Daily rate limit reached", {
    retryAfter: secondsLeft,
    members: { tier, limit, used, resets_at: "midnight UTC" },
  });
}

interface Counted {
  id: string;
  tier: Tier;
  /** Requests of the day with this one; null when none was left. */
  requests: number | null;
}

type Moment = { day: Day; now: string };

/** Counts a request of the one key that a query shows as `id, tier, allowed`, and tells what is asked of `admitted`. */
const counting = <Value extends object, Told extends object = object>(key: SQL, asked?: SQL) =>
  statement<Counted & Told, Moment & Value>(sql`
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
    select key.id, key.tier, admitted.requests${asked && sql`, ${asked}`} from key left join admitted on true`);

const countOfId = counting<{ keyId: string; limit: number }>(sql`
  select id, tier, ${sql.placeholder("limit")}::int as allowed from api_keys where id = ${sql.placeholder("keyId")}`);

const LIMITS = JSON.stringify(TIER_LIMITS);
type BySecret = { secretHash: string; limits: string };
const BY_SECRET = sql`
  select id, tier, (${sql.placeholder("limits")}::jsonb ->> tier)::int as allowed
  from api_keys where secret_hash = ${sql.placeholder("secretHash")} and revoked_at is null`;

/** What an endpoint has to know of whoever's request it is let in with, so that it need not ask for it apart. */
export interface Inquiry<Told extends object> {
  whileAdmitting: Statement<Counted & Told, Moment & BySecret>;
  /** The same, asked apart. */
  ofKey: Statement<Told, { keyId: string }>;
}

/** @param asked columns that are subqueries about the key `admitted.key_id` */
export function inquiry<Told extends object>(asked: SQL): Inquiry<Told> {
  return {
    whileAdmitting: counting<BySecret, Told>(BY_SECRET, asked),
    ofKey: statement(sql`select ${asked} from (select ${unplanned("keyId", "text")} as key_id) as admitted`),
  };
}

/** Most endpoints have to know nothing more. */
export const NO_INQUIRY: Inquiry<object> = {
  whileAdmitting: counting(BY_SECRET),
  ofKey: async () => [{}],
};

/**
 * The quota counter in PostgreSQL: one statement a request, atomic by the row's lock. Its commit does not
 * wait for the disk; a crash of the database may forget the last fraction of a second of counting.
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

  /** Counts a request of the one key that a statement finds by that value; null when it finds none. */
  async function count<Value extends object, Told extends object>(
    by: Statement<Counted & Told, Moment & Value>,
    value: Value,
  ): Promise<Admission<Told> | null> {
    const now = clock.now();
    const day = utcDay(now);
    const [found] = await by(db, { ...value, day, now: isoTime(now) });
    if (!found) return null;
    const { id: keyId, tier, requests } = found;
    if (requests !== null) return { keyId, tier, granted: true, used: requests, told: found };
    // Asked apart, since a statement does not see what others counted while it waited.
    return { keyId, tier, granted: false, used: await usedOn(day, keyId), told: found };
  }

  return {
    async take(keyId, limit) {
      const counted = await count(countOfId, { keyId, limit });
      if (!counted) throw new AppError("unauthorized", INVALID_API_KEY);
      return { granted: counted.granted, used: counted.used };
    },
    admit: (secretHash, { whileAdmitting }) => count(whileAdmitting, { secretHash, limits: LIMITS }),
    used: (keyId) => usedOn(utcDay(clock.now()), keyId),
    flush: async () => {},
  };
}
