import { Writable } from "node:stream";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { type Clock, SECOND } from "@/core/time";
import type { Database } from "@/db/client";
import { dailyUsage, redisOutages } from "@/db/schema";
import type { Quota } from "@/features/usage/quota.service";
import { UpstashQuota } from "@/features/usage/upstash.service";
import { type RedisServer, startRedisServer } from "./redis-server";
import { createKey, TEST_START, useService } from "./service";

/** How long an instance waits for Redis where nothing fails, on a busy machine. */
export const PATIENCE_MS = 25 * SECOND;
/** How long PostgreSQL counts after Redis failed. */
const PAUSE_MS = 5 * SECOND;

/** Starts a Redis for one test file. */
export function useRedis(): RedisServer {
  const redis = {} as RedisServer;
  beforeAll(async () => {
    Object.assign(redis, await startRedisServer());
  });
  afterAll(() => redis.stop());
  return redis;
}

/** A service, a Redis, and instances that count in it. The machine's clock follows that of the service. */
export function useUpstash() {
  const service = useService();
  const redis = useRedis();
  let opened: Quota[];
  let logged: string;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    vi.useFakeTimers({ toFake: ["Date"], now: service.clock.now() });
    opened = [];
    logged = "";
    await redis.recover();
    await service.db.delete(redisOutages);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Resolves once all instances have stored what they granted. */
  const waitForWrites = () => Promise.all(opened.map((quota) => quota.flush()));
  const getCounterName = (id: string) => `quota:${id}:${Date.parse("2026-03-10") / 86_400_000}`;

  return {
    service,
    redis,
    written: waitForWrites,
    counterOf: getCounterName,
    /** What was written to the log. */
    logged: () => logged,
    moveTo(instant: string | Date) {
      service.clock.set(instant);
      vi.setSystemTime(service.clock.now());
    },
    /** An instance of the service with its own quota. */
    open(timeoutMs = PATIENCE_MS, clock: Clock = service.clock, db: Database = service.db, url = redis.url): Quota {
      const lines = new Writable({
        write(line, _, done) {
          logged += line;
          done();
        },
      });
      const quota = new UpstashQuota({ ...redis, url, timeoutMs }, { db, clock, log: pino(lines) });
      opened.push(quota);
      return quota;
    },
    /** Makes requests at once. @returns how many were granted */
    async takeMany(quota: Quota, id: string, count: number, limit = 50): Promise<number> {
      const answers = await Promise.all(Array.from({ length: count }, () => quota.take(id, limit)));
      return answers.filter(({ granted }) => granted).length;
    },
    readRedisCount: async (id: string) => Number(await redis.run("GET", getCounterName(id))),
    async readPostgresCount(id: string): Promise<number> {
      const [row] = await service.db.select().from(dailyUsage).where(eq(dailyUsage.keyId, id));
      return row?.requests ?? 0;
    },
    /** Lets the pause end and another key try Redis again. */
    async tryAgain(quota: Quota): Promise<void> {
      service.clock.advance(PAUSE_MS);
      await quota.take((await createKey(service)).id, 50);
    },
  };
}
