import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import { type SQL, sql } from "drizzle-orm";
import { getErrorMessage } from "@/core/errors";
import { runAfterResponse } from "@/core/http/after";
import { DAY, type Day, SECOND, startOfDay, toDate, toUtcDay, withTimeout } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { redisOutages } from "@/db/schema";
import { prepareStatement } from "@/db/statement";
import {
  type Admission,
  countById,
  createPostgresQuota,
  createUnknownKeyError,
  type FoundKey,
  getToday,
  KEY_BY_ID_SQL,
  KEY_BY_SECRET_SQL,
  type Quota,
  type QuotaGrant,
} from "./quota.service";
import { TIER_RULES } from "./tiers.rules";

/** How long PostgreSQL counts after a call to Redis failed. */
const PAUSE = 5 * SECOND;
/** What Redis granted is stored without a limit. */
const UNLIMITED = 2 ** 31 - 1;

/** A key's requests of the day in PostgreSQL, and whether an instance has found Redis unavailable. */
type Usage = FoundKey & { stored: number; isRedisOut: boolean };
const prepareUsage = <Value extends object>(key: SQL) =>
  prepareStatement<Usage, Value & { day: Day; now: string }>(sql`
    select key.*, coalesce(requests, 0) as stored,
      exists (select from redis_outages where until > ${sql.placeholder("now")}::timestamptz) as "isRedisOut"
    from (${key}) as key left join daily_usage on key_id = "keyId" and day = ${sql.placeholder("day")}::date`);
type FindUsage<Value extends object> = ReturnType<typeof prepareUsage<Value>>;
const findBySecret = prepareUsage<{ secretHash: string }>(KEY_BY_SECRET_SQL);
const findById = prepareUsage<{ keyId: string }>(KEY_BY_ID_SQL);

/**
 * The quota counter in Upstash Redis, for any number of instances. Redis decides, and each granted request is added to
 * PostgreSQL after the answer. When a call to Redis fails, PostgreSQL decides for 5 seconds, for all instances: a row says
 * so, which every request reads. When Redis has counted less than PostgreSQL, it is raised.
 *
 * Exact while nothing fails, and while one instance alone is slow to reach Redis. When Redis is away or was emptied, a key
 * may get as many requests over its limit as were under way, or not added to PostgreSQL yet, at that moment.
 */
export class UpstashQuota implements Quota {
  /** Granted requests that are not in PostgreSQL yet. */
  private readonly adding = new Set<Promise<void>>();
  private pausedUntil = toDate(0);

  constructor(
    settings: RedisSettings,
    private readonly ctx: CoreContext,
    private readonly redis = createRedisCounter(settings),
    private readonly postgres = createPostgresQuota(ctx),
  ) {}

  admit(secretHash: string): Promise<Admission> {
    return this.count(findBySecret, { secretHash });
  }

  async take(keyId: string, limit: number): Promise<QuotaGrant> {
    await this.flush();
    const { granted, used } = await this.count(findById, { keyId }, limit);
    return { granted, used };
  }

  async getUsed(keyId: string): Promise<number> {
    await this.flush();
    return this.postgres.getUsed(keyId);
  }

  async flush(): Promise<void> {
    await Promise.all(this.adding);
  }

  private async count<Value extends object>(find: FindUsage<Value>, value: Value, given?: number): Promise<Admission> {
    const today = getToday(this.ctx);
    const [usage] = await find(this.ctx.db, { ...value, ...today });
    if (!usage) throw createUnknownKeyError();
    const { stored, isRedisOut, ...key } = usage;
    const limit = given ?? TIER_RULES[key.tier].requestsPerDay;
    const counting = isRedisOut ? null : this.countInRedis(key.keyId, limit, today.day, stored);
    const grant = await counting?.catch((error) => this.pause(error));
    if (grant) return { ...key, ...grant };
    await this.flush();
    return { ...key, ...(await this.postgres.take(key.keyId, limit)) };
  }

  private async countInRedis(keyId: string, limit: number, today: Day, stored: number): Promise<QuotaGrant> {
    const first = await this.redis.count(keyId, limit);
    // After midnight the answer is for the next day, which has no stored count yet.
    const isBehind = first.day === today && first.granted && first.used <= stored;
    const { day, granted, used } = isBehind ? await this.raise(keyId, limit, today, stored) : first;
    if (granted) runAfterResponse(this.addToPostgres(keyId, day));
    else await this.redis.refund(keyId, day).catch((error) => this.pause(error));
    return { granted, used: granted ? used : Math.max(limit, stored) };
  }

  /** Raises Redis to the stored count, and counts the request again. */
  private async raise(keyId: string, limit: number, today: Day, stored: number) {
    this.ctx.log.warn({ keyId }, "Redis has counted less than PostgreSQL and is raised");
    await this.redis.raise(keyId, today, stored);
    return this.redis.count(keyId, limit);
  }

  private addToPostgres(keyId: string, day: Day): Promise<void> {
    const now = this.ctx.clock.now().toISOString();
    const added = countById(this.ctx.db, { keyId, day, limit: UNLIMITED, now }).then(
      () => {},
      (error) => this.ctx.log.error({ err: error }, "a counted request could not be stored"),
    );
    this.adding.add(added);
    return added.finally(() => this.adding.delete(added));
  }

  /** Makes PostgreSQL count for all instances. */
  private async pause(error: unknown): Promise<void> {
    const now = this.ctx.clock.now();
    if (now < this.pausedUntil) return;
    this.pausedUntil = toDate(now.getTime() + PAUSE);
    this.ctx.log.warn({ reason: getErrorMessage(error) }, "Redis failed; PostgreSQL counts for 5 seconds");
    await this.ctx.db.insert(redisOutages).values({ until: this.pausedUntil }).onConflictDoNothing();
  }
}

interface RedisSettings {
  url: string;
  token: string;
  /** Milliseconds after which a call fails, its retry included. */
  timeoutMs?: number;
}

/** Sets a counter that is lower. Atomic, so that several instances may do it at once. */
const RAISE = `#!lua flags=allow-key-locking
  if tonumber(redis.call("GET", KEYS[1]) or 0) < tonumber(ARGV[1]) then
    redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
  end
  return 1
`;

/** Counters in Upstash Redis: the library's fixed window of one day, which begins at midnight UTC. */
function createRedisCounter({ url, token, timeoutMs = SECOND }: RedisSettings) {
  const createSignal = () => AbortSignal.timeout(timeoutMs);
  const retry = { retries: 1, backoff: () => 40 };
  const redis = new Redis({ url, token, signal: createSignal, retry, enableTelemetry: false });
  // The signal does not end an answer that cannot be decompressed.
  const limitTime = <T>(call: Promise<T>) => withTimeout(call, timeoutMs, "Redis");
  const buildCounterName = (keyId: string, day: Day) => `quota:${keyId}:${startOfDay(day).getTime() / DAY}`;

  return {
    /** Counts a request, even one over the limit, and says on which day. */
    async count(keyId: string, limit: number): Promise<QuotaGrant & { day: Day }> {
      const limiter = Ratelimit.fixedWindow(limit, "1 d");
      // With its own cache or timeout, the library would answer without Redis.
      const options = { prefix: "quota", ephemeralCache: false, timeout: 0 } as const;
      const answer = await limitTime(new Ratelimit({ redis, limiter, ...options }).limit(keyId));
      const used = answer.limit - answer.remaining;
      if (!(used >= 1)) throw new Error("Redis did not answer with a count");
      return { granted: answer.success, used, day: toUtcDay(toDate(answer.reset - DAY)) };
    },
    /** Refunds a request that was counted but refused. */
    async refund(keyId: string, day: Day): Promise<void> {
      await limitTime(redis.decr(buildCounterName(keyId, day)));
    },
    async raise(keyId: string, day: Day, to: number): Promise<void> {
      await limitTime(redis.eval(RAISE, [buildCounterName(keyId, day)], [to, DAY]));
    },
  };
}
