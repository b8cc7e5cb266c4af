import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import type { CoreContext } from "@/core/context";
import { errorMessage } from "@/core/errors";
import { afterAnswer } from "@/core/http/after";
import { createPostgresQuota, type Quota, type QuotaGrant } from "@/core/quota/quota";
import { createUsageWriter } from "@/core/quota/usage-writer";
import { DAY, type Day, SECOND, systemClock, utcDay } from "@/core/time";

/** How long PostgreSQL counts after a call to Redis failed. */
const PAUSE_MS = 5 * SECOND;

interface RedisSettings {
  url: string;
  token: string;
  /** Milliseconds after which a call fails, its retry included. */
  timeoutMs?: number;
}

/**
 * The quota counter in Upstash Redis, for any number of instances. Granted requests are added to PostgreSQL after the
 * answer. While Redis fails, PostgreSQL counts; where Redis has less than PostgreSQL, it is raised.
 *
 * Exact while nothing fails. When Redis is away or was emptied, a key gets at most as many requests over its limit as
 * other instances have under way or not yet written at that moment, and none with one instance.
 */
export function createUpstashQuota(settings: RedisSettings, { db, clock, log }: CoreContext): Quota {
  const counter = createCounter(settings);
  const stored = createPostgresQuota(db, clock);
  const writer = createUsageWriter({ db, log }, (...count) => counter.raise(...count).catch(pause));
  /** The highest count of each key that this instance knows; replaced where Redis has lost its count. */
  let known = new Map<string, Promise<{ count: number }>>();
  let knownDay = "";
  let pausedUntil = 0;

  function pause(error: unknown): void {
    if (pausedUntil === 0) log.warn({ reason: errorMessage(error) }, "Redis failed: PostgreSQL counts");
    pausedUntil = clock.now().getTime() + PAUSE_MS;
    known = new Map();
  }

  /** After a pause, one request at a time tries Redis again. */
  function isPaused(): boolean {
    const now = clock.now().getTime();
    if (now < pausedUntil) return true;
    if (pausedUntil !== 0) pausedUntil = now + PAUSE_MS;
    return false;
  }

  async function used(keyId: string): Promise<number> {
    await writer.flush();
    return stored.used(keyId);
  }

  /** Reads what PostgreSQL has of a key's day when the key is first seen, and raises Redis to it. */
  function standing(keyId: string, day: Day): Promise<{ count: number }> {
    if (day !== knownDay) known = new Map();
    knownDay = day;
    const reading = known.get(keyId) ?? read(keyId, day);
    known.set(keyId, reading);
    return reading;
  }

  async function read(keyId: string, day: Day): Promise<{ count: number }> {
    try {
      const count = await used(keyId);
      if (count > 0) await counter.raise(keyId, day, count).catch(pause);
      return { count };
    } catch (error) {
      known.delete(keyId);
      throw error;
    }
  }

  /** Null where Redis cannot be used, or its count cannot be trusted. */
  async function countInRedis(keyId: string, limit: number, tries = 2): Promise<QuotaGrant | null> {
    if (tries === 0 || isPaused()) return null;
    const at = clock.now();
    const day = utcDay(at);
    const key = standing(keyId, day);
    const state = await key;
    const before = state.count;
    const isCurrent = () => known.get(keyId) === key && utcDay(clock.now()) === day;
    const answer = isCurrent() && (await counter.count(keyId, day, limit).catch(pause));
    // The library's window follows the machine's clock, so a count that midnight overtakes is made again.
    if (!answer || !isCurrent()) return countInRedis(keyId, limit, tries - 1);
    if (answer.granted && answer.used <= before) {
      log.warn({ keyId }, "Redis lost its count");
      known.delete(keyId);
      return countInRedis(keyId, limit, tries - 1);
    }
    if (pausedUntil !== 0) log.info("Redis is back");
    pausedUntil = 0;
    if (!answer.granted) {
      const [total] = await Promise.all([used(keyId), counter.giveBack(keyId, day, limit)]);
      return { granted: false, used: Math.max(limit, total) };
    }
    state.count = Math.max(state.count, answer.used);
    afterAnswer(writer.add({ keyId, day, at, used: answer.used }));
    return answer;
  }

  async function countInPostgres(keyId: string, limit: number): Promise<QuotaGrant> {
    await writer.flush();
    return stored.take(keyId, limit).finally(() => known.delete(keyId));
  }

  return {
    take: async (keyId, limit) => (await countInRedis(keyId, limit)) ?? countInPostgres(keyId, limit),
    used,
    flush: writer.flush,
  };
}

/** Sets a counter that is lower; atomic, so that several instances may do it at once. */
const RAISE = `#!lua flags=allow-key-locking
  if tonumber(redis.call("GET", KEYS[1]) or 0) < tonumber(ARGV[1]) then
    redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
  end
  return 1
`;

/** The counters in Redis: one per key and day of the injected clock, whatever the tier. */
function createCounter({ url, token, timeoutMs = 400 }: RedisSettings) {
  const signal = () => AbortSignal.timeout(timeoutMs);
  const open = (retries: number) =>
    new Redis({ url, token, signal, enableTelemetry: false, retry: { retries, backoff: () => 40 } });
  // A request that a retry counts twice is one fewer for the key; one that is given back twice would be one more.
  const [redis, redisOnce] = [open(1), open(0)];

  /** The signal does not end an answer whose body cannot be decoded. */
  function inTime<T>(call: Promise<T>): Promise<T> {
    let reject: (error: Error) => void = () => {};
    const promise = new Promise<never>((_, fail) => {
      reject = fail;
    });
    const timer = setTimeout(() => reject(new Error("Redis did not answer in time")), timeoutMs);
    return Promise.race([call, promise]).finally(() => clearTimeout(timer));
  }

  async function ask(client: Redis, id: string, limit: number, rate: number): Promise<QuotaGrant> {
    const limiter = Ratelimit.fixedWindow(limit, "1 d");
    // With a cache or a time limit of its own, the library would answer what Redis did not count.
    const options = { prefix: "quota", ephemeralCache: false, timeout: 0, enableTelemetry: false } as const;
    const answer = await inTime(new Ratelimit({ redis: client, limiter, ...options }).limit(id, { rate }));
    const { success, remaining } = answer;
    const isCount = answer.limit === limit && remaining >= 0 && (!success || remaining < limit);
    if (!isCount) throw new Error("Redis answered something other than a count");
    return { granted: success, used: limit - remaining };
  }

  return {
    count: (keyId: string, day: Day, limit: number) => ask(redis, `${keyId}@${day}`, limit, 1),
    /** The library also counts what it refuses. A failure costs the key one request and needs no pause. */
    giveBack: (keyId: string, day: Day, limit: number) =>
      ask(redisOnce, `${keyId}@${day}`, limit, -1).catch(() => null),
    async raise(keyId: string, day: Day, to: number): Promise<void> {
      const window = Math.floor(systemClock.now().getTime() / DAY);
      await inTime(redis.eval(RAISE, [`quota:${keyId}@${day}:${window}`], [to, DAY]));
    },
  };
}
