import { Ratelimit } from "@upstash/ratelimit";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import { RedisClient } from "@/core/quota/redis-client";
import { DAY, systemClock } from "@/core/time";

/** One for all tiers, so that a key that changes its tier keeps its count. */
const PREFIX = "quota";
const GIVE_UP_MS = 400;
/** Giving it up costs more: until all instances count in one place again, each grants what the others do not know of. */
const PAUSES_MS = [1, 40, 120];
/** Not the id of any key. */
const PROBE = "probe";

/** Sets a counter that stands lower; in one go, so that all instances may do it at once. */
const RAISE = `#!lua flags=allow-key-locking
  local used = tonumber(redis.call("GET", KEYS[1]) or 0)
  if used < tonumber(ARGV[1]) then
    redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
  end
  return 1
`;

const Answer = z
  .object({
    success: z.boolean(),
    limit: z.int(),
    remaining: z.int().min(0),
    reason: z.undefined().optional(),
  })
  .refine(({ success, limit, remaining }) => !success || remaining < limit);

export interface RedisSettings {
  url: string;
  token: string;
  /** Milliseconds after which a call is given up; 400 unless given. */
  giveUpMs?: number;
}

/** Counters in Redis, one per id. Every call but `giveBack` throws in time when Redis does not answer as it should. */
export interface RedisCounter {
  /** Counts one, and says the count when it was within the limit; null when it was not, and has to be given back. */
  count(id: string, limit: number): Promise<number | null>;
  /** Takes back one that was counted beyond the limit, if it can: what stays counted is no reason to give Redis up. */
  giveBack(id: string, limit: number): Promise<void>;
  /** Lifts the counter to the given count where it stands lower. */
  raise(id: string, to: number): Promise<void>;
  /** Does what counting does, and counts nothing. */
  probe(): Promise<void>;
}

/** Opens the counters of an Upstash Redis. Nothing is sent before the first call. */
export function createRedisCounter({ url, token, giveUpMs = GIVE_UP_MS }: RedisSettings): RedisCounter {
  const open = (pauses: readonly number[]) => new RedisClient({ url, token, giveUpMs, pauses });
  // For connections that were closed while they lay idle, or for a moment: what was counted twice is not granted.
  const redis = open(PAUSES_MS);
  const limiterFor = limitersOf(redis);
  // What was given back twice would be.
  const backLimiterFor = limitersOf(open([]));

  async function change(id: string, limit: number, rate: number): Promise<z.output<typeof Answer>> {
    const answer = Answer.safeParse(await limiterFor(limit).limit(id, { rate }));
    if (!answer.success || answer.data.limit !== limit)
      throw new Error("Redis answered something else than a count");
    return answer.data;
  }

  return {
    async count(id, limit) {
      const { success, remaining } = await change(id, limit, 1);
      return success ? limit - remaining : null;
    },
    async giveBack(id, limit) {
      await backLimiterFor(limit)
        .limit(id, { rate: -1 })
        .catch(() => {});
    },
    async raise(id, to) {
      // The limiter names its windows by the machine's clock.
      const window = Math.floor(systemClock.now().getTime() / DAY);
      await redis.eval(RAISE, [`${PREFIX}:${id}:${window}`], [to, DAY]);
    },
    async probe() {
      await limiterFor(1).limit(PROBE, { rate: 0 });
    },
  };
}

/** The limiter of each limit, by way of a client. */
function limitersOf(redis: Redis): (limit: number) => Ratelimit {
  const limiters = new Map<number, Ratelimit>();
  return (limit) => {
    const known = limiters.get(limit);
    if (known) return known;
    const limiter = new Ratelimit({
      redis,
      prefix: PREFIX,
      limiter: Ratelimit.fixedWindow(limit, "1 d"),
      // Its answers are no counts: taking them back would give more than was ever taken.
      ephemeralCache: false,
      // Its time-out would let everything pass; the connection has one of its own.
      timeout: 0,
      enableTelemetry: false,
    });
    limiters.set(limit, limiter);
    return limiter;
  };
}
