import type { CoreContext } from "@/core/context";
import { afterAnswer } from "@/core/http/after";
import { createBreaker } from "@/core/quota/breaker";
import type { CountedDay, Quota, QuotaGrant } from "@/core/quota/quota";
import { createRedisCounter, type RedisCounter, type RedisSettings } from "@/core/quota/redis-counter";
import { createStandings, grantBy, type Standing } from "@/core/quota/standings";
import { createStoredQuota } from "@/core/quota/stored";
import { createTurns, type Turns } from "@/core/quota/turns";
import { createUsageWriter, type WrittenUsage } from "@/core/quota/usage-writer";
import { type Day, SECOND, sleep, utcDay } from "@/core/time";

/** Requests of one key make each other begin anew where Redis tells them the same count. */
const MOST_TRIES = 3;

/** So many of a key's day are written at once, as an instance that has given Redis up would grant them again. */
const LAST = 64;
/** So few of a key are granted in one instance before they are written, for the same reason. */
const MOST_UNWRITTEN = 5;
/** What takes longer to be written makes room all the same: a database that takes no usage slows a key down, and no more. */
const LONGEST_TURN_MS = 3 * SECOND;

interface Asked {
  keyId: string;
  limit: number;
  /** What PostgreSQL is known to have. */
  counted: CountedDay | undefined;
}

/** The outcome, and when PostgreSQL has been told of it, and Redis of what that knows. */
type Counted = QuotaGrant & { written?: Promise<void> };

interface UpstashOptions extends RedisSettings {
  /** What goes on after an answer is handed to it; `afterAnswer` unless given. */
  after?: (work: Promise<void>) => void;
}

/**
 * The quota counter in Upstash Redis, for any number of instances. What it grants is added to PostgreSQL after the
 * answer; when Redis fails, PostgreSQL counts on from there, and what Redis then misses it is told before a key is
 * counted there again. So a key is granted at most its limit where all reach Redis and it loses nothing, and at most
 * that plus what was not written yet elsewhere, which is a handful for each instance.
 *
 * The id of a counter carries the day of the injected clock: a request that is taken back after midnight leaves the
 * new day alone.
 */
export function createUpstashQuota(
  { after = afterAnswer, ...settings }: UpstashOptions,
  { db, clock, log }: CoreContext,
): Quota {
  const counter = createRedisCounter(settings);
  const standings = createStandings();
  const turns = createTurns(MOST_UNWRITTEN);
  const inPostgres = createWorkPerKey();
  const { probe } = counter;
  const breaker = createBreaker({ name: "Redis", clock, log, after, probe, onOpen: standings.forgetAll });
  const writer = createUsageWriter({ db, clock, log, onWritten });
  const stored = createStoredQuota(writer, { db, clock });

  async function onWritten(usage: readonly WrittenUsage[]): Promise<void> {
    // Another instance counted without Redis.
    const behind = usage.filter(({ requests, used }) => requests > used);
    if (behind.length > 0 && breaker.isClosed()) await breaker.attempt(() => raiseAll(counter, behind));
  }

  /** Null where Redis does not work, or cannot be relied on for this request, however often it is asked anew. */
  async function countInRedis(asked: Asked, tries = 1): Promise<Counted | null> {
    const { keyId, limit, counted } = asked;
    const again = () => (tries < MOST_TRIES ? countInRedis(asked, tries + 1) : null);
    await breaker.settle();
    while (breaker.isClosed() && inPostgres.has(keyId)) await inPostgres.ended(keyId);
    if (!breaker.isClosed()) return null;
    const at = clock.now();
    const day = utcDay(at);
    const id = counterId(keyId, day);
    const standing = standings.of(keyId, day);
    const { told } = standing;
    const known = told ?? (await stored.used(keyId));
    // Others may have counted more than that, and Redis have lost it.
    const before = counted?.day === day ? Math.max(known, counted.requests) : known;
    // At midnight all counters begin anew: a request that it overtakes is counted on the new day.
    const isOvertaken = () => utcDay(clock.now()) !== day;
    const isStillCurrent = () => standings.isCurrent(keyId, standing);
    if (isOvertaken() || !isStillCurrent()) return again();
    const answer = await breaker.attempt(async () => {
      if (told === null && known > 0) await counter.raise(id, known);
      return { count: await counter.count(id, limit) };
    });
    if (!answer) return null;
    const { count } = answer;
    if (isOvertaken()) return again();
    if (count === null) return refuse(keyId, id, limit);
    const isGranted = isStillCurrent() && grantBy(standing, count, before);
    if (!isGranted && !(await isGrantAnew(keyId, day, standing, count))) return again();
    const isUrgent = limit - count < LAST || turns.areTaken(keyId);
    const written = writer.add({ keyId, day, at, used: count }, isUrgent);
    after(written);
    return { granted: true, used: count, written };
  }

  /**
   * Judges a count by what PostgreSQL knows, as if nothing had been told: one that is no more than one told before, or
   * whose standing was forgotten meanwhile, as Redis told another request less, or as PostgreSQL counted one.
   */
  async function isGrantAnew(keyId: string, day: Day, judged: Standing, count: number): Promise<boolean> {
    if (!breaker.isClosed() || inPostgres.has(keyId)) return false;
    const isCurrent = standings.isCurrent(keyId, judged);
    if (isCurrent) standings.forget(keyId);
    const standing = standings.of(keyId, day);
    const used = await stored.used(keyId);
    // Else it told too much: it counts also what a lower limit refused, until that is given back.
    if (isCurrent && count <= used) log.warn({ keyId }, "Redis seems to have lost what it counted");
    // After midnight that is what it knows of the new day; and PostgreSQL may have begun to count.
    const isOvertaken = utcDay(clock.now()) !== day || !standings.isCurrent(keyId, standing);
    return !isOvertaken && grantBy(standing, count, used);
  }

  async function refuse(keyId: string, id: string, limit: number): Promise<QuotaGrant> {
    // Redis tells no count beyond a limit, and that of a key with a lowered one is beyond it.
    const [total] = await Promise.all([stored.used(keyId), counter.giveBack(id, limit)]);
    return { granted: false, used: Math.max(limit, total) };
  }

  /** Meanwhile the key's other requests wait: Redis does not know of this one yet. */
  function countInPostgres({ keyId, limit }: Asked): Promise<Counted> {
    standings.forget(keyId);
    return inPostgres.run(keyId, () => stored.take(keyId, limit));
  }

  return {
    take: inTurns(turns, async (asked) => (await countInRedis(asked)) ?? countInPostgres(asked)),
    used: stored.used,
    flush: writer.flush,
  };
}

function raiseAll(counter: RedisCounter, usage: readonly WrittenUsage[]): Promise<unknown> {
  return Promise.all(usage.map(({ keyId, day, requests }) => counter.raise(counterId(keyId, day), requests)));
}

/** Counts the requests of each key in turns, which last until PostgreSQL has been told of them. */
function inTurns(turns: Turns, count: (asked: Asked) => Promise<Counted>): Quota["take"] {
  return async (keyId, limit, counted) => {
    const endTurn = await turns.take(keyId);
    const counting = count({ keyId, limit, counted });
    const told = counting.then(({ written }) => written && Promise.race([written, sleep(LONGEST_TURN_MS)]));
    void told.then(endTurn, endTurn);
    const { granted, used } = await counting;
    return { granted, used };
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
