import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import { DAY, type Day, SECOND, startOfDay, toDate, toUtcDay, withTimeout } from "@/core/time";
import type { QuotaGrant } from "./quota.service";

export interface RedisSettings {
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
export function createRedisCounter({ url, token, timeoutMs = SECOND }: RedisSettings) {
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
