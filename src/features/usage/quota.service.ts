import { type SQL, sql } from "drizzle-orm";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { type Day, getSecondsToMidnight, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { hasActiveSecret, selectExpirySql } from "@/db/schema";
import { prepareStatement } from "@/db/statement";
import type { Tier } from "@/db/values";
import type { Key } from "@/features/keys/schema";
import { TIER_LIMITS, TIER_RULES } from "@/features/usage/tiers.rules";

/** The result of counting one request of a key. */
export interface QuotaGrant {
  granted: boolean;
  /** Requests counted today, including this one when it was granted. */
  used: number;
}

/** A key found by its secret or id. */
export interface FoundKey {
  keyId: string;
  tier: Tier;
  /** When the presented secret stops working, because a rotation replaced it; null for the current one. */
  expiresAt: string | null;
}

export type Admission = QuotaGrant & FoundKey;

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

export type RateState = ReturnType<typeof getRateState>;

/**
 * A key's quota after a request, with the seconds until midnight UTC.
 * @param countedAt the time before the request was counted, so that an answer after midnight belongs to the day it was
 * counted on
 */
export function getRateState(countedAt: Date, tier: Tier, { granted, used }: QuotaGrant) {
  const limit = TIER_RULES[tier].requestsPerDay;
  return { granted, tier, limit, used, secondsLeft: getSecondsToMidnight(countedAt) };
}

/** Counts one request of a key. @throws AppError `quota_exceeded` when it has none left today */
export async function takeRequest({ quota, clock }: CoreContext & { quota: Quota }, { id, tier }: Key): Promise<void> {
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

const [HASH, NOW] = [sql`${sql.placeholder("secretHash")}`, sql`${sql.placeholder("now")}`];
export const KEY_BY_SECRET_SQL = sql`
  select id as "keyId", tier, ${selectExpirySql(HASH)} from api_keys where ${hasActiveSecret(HASH, NOW)}`;
export const KEY_BY_ID_SQL = sql`
  select id as "keyId", tier, null as "expiresAt" from api_keys where id = ${sql.placeholder("keyId")}`;

const LIMITS = sql.raw(`'${JSON.stringify(TIER_LIMITS)}'::jsonb`);

/** Counts 1 request, whatever the endpoint, of a key. `requests` of the day include it; null when none was left. */
const prepareCount = <Value extends object>(key: SQL) =>
  prepareStatement<FoundKey & { requests: number | null }, Value & { day: Day; now: string }>(sql`
    with fast as materialized (select set_config('synchronous_commit', 'off', true)),
    key as materialized (${key}),
    counted as (
      insert into daily_usage as usage (key_id, day, requests, last_request_at)
      select "keyId", ${sql.placeholder("day")}::date, 1, ${NOW}::timestamptz from fast, key
      on conflict (key_id, day) do update
        set requests = usage.requests + 1, last_request_at = greatest(usage.last_request_at, excluded.last_request_at)
        where usage.requests < (select coalesce(${sql.placeholder("limit")}::int, (${LIMITS} ->> tier)::int) from key)
      returning requests
    )
    select key.*, counted.requests from key left join counted on true`);

type CountRequest<Value extends object> = ReturnType<typeof prepareCount<Value>>;
const countBySecret = prepareCount<{ secretHash: string; limit: null }>(KEY_BY_SECRET_SQL);
// The lock keeps a key from being deleted before its request is inserted.
export const countById = prepareCount<{ keyId: string; limit: number }>(sql`${KEY_BY_ID_SQL} for key share`);

/**
 * The quota counter in PostgreSQL: one statement per request, atomic by the row's lock. Its commit does not wait for the
 * disk, so a crash of the database may forget less than a second of counting.
 */
export function createPostgresQuota(ctx: CoreContext): Quota {
  return {
    async take(keyId, limit) {
      const { granted, used } = await count(ctx, countById, { keyId, limit });
      return { granted, used };
    },
    admit: (secretHash) => count(ctx, countBySecret, { secretHash, limit: null }),
    getUsed: (keyId) => getUsed(ctx, keyId),
    flush: async () => {},
  };
}

async function count<Value extends object>(ctx: CoreContext, countRequest: CountRequest<Value>, value: Value) {
  const today = getToday(ctx);
  const [found] = await countRequest(ctx.db, { ...value, ...today });
  if (!found) throw createUnknownKeyError();
  const { requests, ...key } = found;
  // A second statement, because the first does not see what was counted while it waited for the lock.
  return { ...key, granted: requests !== null, used: requests ?? (await getUsed(ctx, key.keyId, today)) };
}

const findUsage = prepareStatement<{ used: number }, { keyId: string; day: Day; now: string }>(sql`
  select coalesce(requests, 0) as used from api_keys
  left join daily_usage on key_id = id and day = ${sql.placeholder("day")}::date where id = ${sql.placeholder("keyId")}`);

async function getUsed(ctx: CoreContext, keyId: string, today = getToday(ctx)): Promise<number> {
  const [usage] = await findUsage(ctx.db, { keyId, ...today });
  if (!usage) throw createUnknownKeyError();
  return usage.used;
}

/** The values of time that the statements take. */
export function getToday({ clock }: CoreContext): { day: Day; now: string } {
  const now = clock.now();
  return { day: toUtcDay(now), now: now.toISOString() };
}

/** The error for a key that does not exist or is revoked. */
export function createUnknownKeyError(): AppError {
  return new AppError("unauthorized", INVALID_API_KEY);
}
