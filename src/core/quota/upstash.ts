import { afterAnswer } from "@/core/after";
import type { CoreContext } from "@/core/context";
import { createPostgresQuota, type Quota } from "@/core/quota";
import { createBreaker } from "@/core/quota/breaker";
import { createRedisCounter, type RedisSettings } from "@/core/quota/redis-counter";
import { createUsageWriter } from "@/core/quota/usage-writer";
import { type Day, utcDay } from "@/core/time";

interface UpstashOptions extends RedisSettings {
  /** What goes on after an answer is handed to it; `afterAnswer` unless given. */
  after?: (work: Promise<void>) => void;
}

/**
 * The quota counter in Upstash Redis, for any number of instances. What it grants is added to PostgreSQL after the
 * answer; when Redis fails, PostgreSQL counts on from there, and what Redis then misses it is told before a key is
 * counted there again. So a key is granted at most its limit plus what was not written yet.
 *
 * The id of a counter carries the day of the injected clock: a request that is taken back after midnight leaves the
 * new day alone.
 */
export function createUpstashQuota(
  { after = afterAnswer, ...settings }: UpstashOptions,
  { db, clock, log }: CoreContext,
): Quota {
  const stored = createPostgresQuota(db, clock);
  const counter = createRedisCounter(settings);
  let failures = 0;
  let level = { day: "", keys: new Set<string>() };
  const breaker = createBreaker({
    name: "Redis",
    clock,
    log,
    after,
    probe: () => counter.probe(),
    onOpen: () => {
      failures += 1;
      level = { day: "", keys: new Set() };
    },
  });
  const writer = createUsageWriter({
    db,
    log,
    async onWritten(usage) {
      // Another instance counted without Redis.
      const behind = usage.filter(({ requests, used }) => requests > used);
      if (behind.length > 0 && breaker.isClosed())
        await breaker.attempt(() =>
          Promise.all(
            behind.map(({ keyId, day, requests }) => counter.raise(counterId(keyId, day), requests)),
          ),
        );
    },
  });

  /** Keys whose counters this process knows to be no lower than PostgreSQL's, since Redis failed last. */
  function levelKeys(day: Day): Set<string> {
    if (level.day !== day) level = { day, keys: new Set() };
    return level.keys;
  }

  /** The count within the limit, "refused" beyond it, null when Redis does not work. */
  async function countInRedis(keyId: string, at: Date, limit: number): Promise<number | "refused" | null> {
    if (!breaker.isClosed()) return null;
    const day = utcDay(at);
    const id = counterId(keyId, day);
    const failuresBefore = failures;
    const atLeast = levelKeys(day).has(keyId) ? 0 : await stored.used(keyId);
    return breaker.attempt(async () => {
      if (atLeast > 0) await counter.raise(id, atLeast);
      const used = await counter.count(id, limit);
      if (used === null) return "refused";
      // Redis has failed another request meanwhile, so PostgreSQL counts already, and has to know of this one at once. Or
      // midnight has passed, when all counters of Redis begin anew, also that of the day on which it was asked.
      if (failures !== failuresBefore || utcDay(clock.now()) !== day) return null;
      levelKeys(day).add(keyId);
      after(writer.add({ keyId, day, at, used }));
      return used;
    });
  }

  const used = async (keyId: string) => {
    await writer.flush();
    return stored.used(keyId);
  };

  return {
    async take(keyId, limit) {
      const at = clock.now();
      const counted = await countInRedis(keyId, at, limit);
      if (counted === null) {
        await writer.flush();
        return stored.take(keyId, limit);
      }
      if (counted === "refused") {
        // Redis tells no count beyond a limit, and that of a key with a lowered one is beyond it.
        const [total] = await Promise.all([
          used(keyId),
          breaker.attempt(() => counter.giveBack(counterId(keyId, utcDay(at)), limit)),
        ]);
        return { granted: false, used: Math.max(limit, total) };
      }
      return { granted: true, used: counted };
    },
    used,
    flush: writer.flush,
  };
}

function counterId(keyId: string, day: Day): string {
  return `${keyId}@${day}`;
}
