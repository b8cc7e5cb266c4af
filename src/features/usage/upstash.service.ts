import { type SQL, sql } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import { runAfterResponse } from "@/core/http/after";
import { type Day, SECOND, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { hasActiveSecret, redisOutages, selectExpirySql } from "@/db/schema";
import { prepareStatement } from "@/db/statement";
import type { Tier } from "@/db/values";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import {
  createPostgresQuota,
  createUnknownKeyError,
  type KeyExpiry,
  type Quota,
  type QuotaGrant,
} from "./quota.service";
import { createRedisCounter, type RedisSettings } from "./redis.service";

/** How long PostgreSQL counts after a call to Redis failed. */
const PAUSE = 5 * SECOND;

/** A key's requests of the day in PostgreSQL, and whether an instance has found Redis unavailable. */
type Usage = { id: string; tier: Tier; stored: number; isRedisOut: boolean } & KeyExpiry;
const prepareUsage = <Value extends object>(isKey: SQL, expiry = sql`null as "expiresAt"`) =>
  prepareStatement<Usage, Value & { day: Day; now: string }>(sql`
    select id, tier, ${expiry}, coalesce(requests, 0) as stored,
      exists (select from redis_outages where until > ${sql.placeholder("now")}::timestamptz) as "isRedisOut"
    from api_keys left join daily_usage on key_id = id and day = ${sql.placeholder("day")}::date where ${isKey}`);

const findBySecret = prepareUsage<{ secretHash: string }>(
  hasActiveSecret(sql`${sql.placeholder("secretHash")}`, sql`${sql.placeholder("now")}`),
  selectExpirySql(sql`${sql.placeholder("secretHash")}`),
);
const findById = prepareUsage<{ keyId: string }>(sql`id = ${sql.placeholder("keyId")}`);

const addUsage = prepareStatement<never, { keyId: string; day: Day; at: string }>(sql`
  with fast as materialized (select set_config('synchronous_commit', 'off', true)),
  key as materialized (select id from api_keys where id = ${sql.placeholder("keyId")} for key share)
  insert into daily_usage as usage (key_id, day, requests, last_request_at)
  select id, ${sql.placeholder("day")}::date, 1, ${sql.placeholder("at")}::timestamptz from fast, key
  on conflict (key_id, day) do update
    set requests = usage.requests + 1,
      last_request_at = greatest(usage.last_request_at, excluded.last_request_at)`);

/**
 * The quota counter in Upstash Redis, for any number of instances. Redis decides, and each granted request is added to
 * PostgreSQL after the answer. When a call to Redis fails, PostgreSQL decides for 5 seconds, for all instances: a row says
 * so, which every request reads. When Redis has counted less than PostgreSQL, it is raised.
 *
 * Exact while nothing fails, and while one instance alone is slow to reach Redis. When Redis is away or was emptied, a key
 * may get as many requests over its limit as were under way, or not added to PostgreSQL yet, at that moment.
 */
export function createUpstashQuota(settings: RedisSettings, ctx: CoreContext): Quota {
  const { db, clock, log } = ctx;
  const redis = createRedisCounter(settings);
  const postgres = createPostgresQuota(ctx);
  const adding = new Set<Promise<void>>();
  let pausedUntil = toDate(0);

  /** Makes PostgreSQL count for all instances. */
  async function pause(error: unknown): Promise<void> {
    const now = clock.now();
    if (now < pausedUntil) return;
    pausedUntil = toDate(now.getTime() + PAUSE);
    log.warn({ reason: getErrorMessage(error) }, "Redis failed; PostgreSQL counts for 5 seconds");
    await db.insert(redisOutages).values({ until: pausedUntil }).onConflictDoNothing();
  }

  function addToPostgres(keyId: string, day: Day): Promise<void> {
    const work = addUsage(db, { keyId, day, at: clock.now().toISOString() }).then(
      () => {},
      (error) => log.error({ err: error }, "a counted request could not be stored"),
    );
    adding.add(work);
    return work.finally(() => adding.delete(work));
  }

  async function flush(): Promise<void> {
    await Promise.all(adding);
  }

  async function countInRedis(keyId: string, limit: number, today: Day, stored: number): Promise<QuotaGrant> {
    let answer = await redis.count(keyId, limit);
    // After midnight the answer is for the next day, which has no stored count yet.
    if (answer.day === today && answer.granted && answer.used <= stored) {
      log.warn({ keyId }, "Redis has counted less than PostgreSQL and is raised");
      await redis.raise(keyId, today, stored);
      answer = await redis.count(keyId, limit);
    }
    const { day, granted, used } = answer;
    if (granted) runAfterResponse(addToPostgres(keyId, day));
    else await redis.refund(keyId, day).catch(pause);
    return { granted, used: granted ? used : Math.max(limit, stored) };
  }

  async function count(usage: Usage | undefined, day: Day, given?: number): Promise<QuotaGrant & Usage> {
    if (!usage) throw createUnknownKeyError();
    const { id, tier, stored, isRedisOut } = usage;
    const limit = given ?? TIER_RULES[tier].requestsPerDay;
    const answer = isRedisOut ? null : await countInRedis(id, limit, day, stored).catch(pause);
    if (answer) return { ...usage, ...answer };
    await flush();
    return { ...usage, ...(await postgres.take(id, limit)) };
  }

  return {
    async admit(secretHash) {
      const now = clock.now();
      const day = toUtcDay(now);
      const [usage] = await findBySecret(db, { secretHash, day, now: now.toISOString() });
      const { id: keyId, tier, expiresAt, granted, used } = await count(usage, day);
      return { keyId, tier, expiresAt, granted, used };
    },
    async take(keyId, limit) {
      await flush();
      const now = clock.now();
      const day = toUtcDay(now);
      const [usage] = await findById(db, { keyId, day, now: now.toISOString() });
      const { granted, used } = await count(usage, day, limit);
      return { granted, used };
    },
    async getUsed(keyId) {
      await flush();
      return postgres.getUsed(keyId);
    },
    flush,
  };
}
