import { afterAnswer } from "@/core/after";
import type { CoreContext } from "@/core/context";
import { createPostgresQuota, type Quota, type QuotaGrant } from "@/core/quota";
import { createBreaker } from "@/core/quota/breaker";
import { createRedisCounter, type RedisSettings } from "@/core/quota/redis-counter";
import { createStandings, grantBy } from "@/core/quota/standings";
import { createUsageWriter } from "@/core/quota/usage-writer";
import { utcDay } from "@/core/time";

interface UpstashOptions extends RedisSettings {
  /** What goes on after an answer is handed to it; `afterAnswer` unless given. */
  after?: (work: Promise<void>) => void;
}

/**
 * The quota counter in Upstash Redis, for any number of instances. What it grants is added to PostgreSQL after the
 * answer; when Redis fails, PostgreSQL counts on from there, and what Redis then misses it is told before a key is
 * counted there again. So a key is granted at most its limit where all reach Redis and it loses nothing, and at most
 * that plus what was not written yet elsewhere.
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
  const standings = createStandings();
  const inPostgres = createWorkPerKey();
  const breaker = createBreaker({
    name: "Redis",
    clock,
    log,
    after,
    probe: () => counter.probe(),
    onOpen: standings.forgetAll,
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

  async function used(keyId: string): Promise<number> {
    await writer.flush();
    return stored.used(keyId);
  }

  /** Null where Redis does not work, or cannot be relied on for this request. */
  async function countInRedis(keyId: string, limit: number): Promise<QuotaGrant | null> {
    while (breaker.isClosed() && inPostgres.has(keyId)) await inPostgres.ended(keyId);
    if (!breaker.isClosed()) return null;
    const at = clock.now();
    const day = utcDay(at);
    const id = counterId(keyId, day);
    const standing = standings.of(keyId, day);
    const { told } = standing;
    const before = told ?? (await used(keyId));
    // At midnight all counters begin anew: a request that it overtakes, here or at Redis, is counted on the new day.
    if (utcDay(clock.now()) !== day) return countInRedis(keyId, limit);
    if (!standings.isCurrent(keyId, standing)) return null;
    const counted = await breaker.attempt(async () => {
      if (told === null && before > 0) await counter.raise(id, before);
      return { count: await counter.count(id, limit) };
    });
    if (!counted) return null;
    if (utcDay(clock.now()) !== day) return countInRedis(keyId, limit);
    const { count } = counted;
    if (count === null) return refuse(keyId, id, limit);
    // Redis has failed another request meanwhile, or PostgreSQL counts one of this key: it has to know of this one too.
    if (!standings.isCurrent(keyId, standing)) return null;
    if (!grantBy(standing, count, before)) {
      log.warn({ keyId }, "Redis seems to have lost what it counted");
      standings.forget(keyId);
      return null;
    }
    after(writer.add({ keyId, day, at, used: count }));
    return { granted: true, used: count };
  }

  async function refuse(keyId: string, id: string, limit: number): Promise<QuotaGrant> {
    // Redis tells no count beyond a limit, and that of a key with a lowered one is beyond it.
    const [total] = await Promise.all([used(keyId), breaker.attempt(() => counter.giveBack(id, limit))]);
    return { granted: false, used: Math.max(limit, total) };
  }

  /** Meanwhile the key's other requests wait: Redis does not know of this one yet. */
  function countInPostgres(keyId: string, limit: number): Promise<QuotaGrant> {
    standings.forget(keyId);
    return inPostgres.run(keyId, () => writer.flush().then(() => stored.take(keyId, limit)));
  }

  return {
    take: async (keyId, limit) => (await countInRedis(keyId, limit)) ?? countInPostgres(keyId, limit),
    used,
    flush: writer.flush,
  };
}

/** Work that is under way for each key. */
function createWorkPerKey() {
  const works = new Map<string, Promise<void>>();
  return {
    run<T>(keyId: string, work: () => Promise<T>): Promise<T> {
      const done = work();
      const all: Promise<void> = Promise.allSettled([works.get(keyId), done]).then(() => {
        if (works.get(keyId) === all) works.delete(keyId);
      });
      works.set(keyId, all);
      return done;
    },
    has: (keyId: string) => works.has(keyId),
    /** Resolves once all that is under way now for the key has ended. */
    ended: async (keyId: string) => works.get(keyId),
  };
}

function counterId(keyId: string, day: string): string {
  return `${keyId}@${day}`;
}
