import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Redis } from "@upstash/redis";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { systemClock, toUtcDay } from "@/core/time";
import { dailyUsage } from "@/db/schema";
import { deleteKey } from "@/features/keys/service";
import { useInterruptible } from "@/test/interruptible";
import { startProgram } from "@/test/programs";
import { isDayNearlyOver } from "@/test/sample-day";
import { createKey } from "@/test/service";
import { PATIENCE_MS, useRedis, useUpstash } from "@/test/upstash";
import { UpstashQuota } from "./upstash.service";

describe("quota in Upstash", () => {
  const {
    service,
    redis,
    open,
    takeMany,
    counterOf: getCounterName,
    readRedisCount,
    readPostgresCount,
    moveTo,
    written,
    logged,
  } = useUpstash();
  const interrupted = useInterruptible(() => service.databaseUrl);

  it("counts in Redis, gives refused requests back, and lets the counter expire", async () => {
    const { id } = await createKey(service);
    expect(await takeMany(open(), id, 200)).toBe(50);
    expect(await readRedisCount(id)).toBe(50);
    const left = Number(await redis.run("PTTL", getCounterName(id)));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(86_400_000);
    expect(logged()).toBe("");
  });

  it.skipIf(isDayNearlyOver())("grants exactly 50 to four processes with 50 concurrent requests each", async () => {
    vi.useRealTimers();
    const { id } = await createKey(service);
    const children = Array.from({ length: 4 }, () => startUser([id, "50", "50"]));
    await Promise.all(children.map((child) => once(child, "message")));
    const answers = children.map((child) => once(child, "message"));
    for (const child of children) child.send("go");
    const granted = (await Promise.all(answers)).map(([count]) => Number(count));
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(50);
    expect(await readPostgresCount(id)).toBe(50);
    const today = Date.parse(toUtcDay(systemClock.now())) / 86_400_000;
    expect(await redis.run("KEYS", `quota:${id}:*`)).toEqual([`quota:${id}:${today}`]);
    expect(Number(await redis.run("GET", `quota:${id}:${today}`))).toBe(50);
  });

  function startUser(words: string[]): ChildProcess {
    return startProgram("quota-user", [service.databaseUrl, redis.url, redis.token, ...words]);
  }

  describe("quota at midnight", () => {
    const listPerDay = async (id: string) => {
      await written();
      const rows = await service.db.select().from(dailyUsage).where(eq(dailyUsage.keyId, id)).orderBy(dailyUsage.day);
      return rows.map(({ day, requests }) => [day, requests]);
    };

    it("counts a request for the day on which Redis counts it", async () => {
      const { id } = await createKey(service);
      const quota = open();
      expect(await takeMany(quota, id, 50)).toBe(50);
      moveTo("2026-03-10T23:59:59.999Z");
      expect(await quota.take(id, 50)).toEqual({ granted: false, used: 50 });
      moveTo("2026-03-11T00:00:00.001Z");
      expect(await quota.take(id, 50)).toEqual({ granted: true, used: 1 });
      expect(await listPerDay(id)).toEqual([
        ["2026-03-10", 50],
        ["2026-03-11", 1],
      ]);
    });

    it("grants each day its limit when midnight passes while Redis counts", async () => {
      const { id } = await createKey(service);
      const [early, other] = [open(), open()];
      moveTo("2026-03-10T23:59:59.999Z");
      let meanwhile = Promise.resolve(0);
      redis.onCall((call) => {
        if (service.clock.now().getUTCDate() === 11 || !call.includes(id)) return;
        moveTo("2026-03-11T00:00:00.001Z");
        meanwhile = takeMany(other, id, 30);
      });
      expect(await takeMany(early, id, 10)).toBe(10);
      const granted = 10 + (await meanwhile) + (await takeMany(other, id, 50));
      // Redis counts the early ones that reach it after midnight for the new day.
      const onFirst = granted - 50;
      expect(onFirst).toBeGreaterThanOrEqual(1);
      expect(onFirst).toBeLessThanOrEqual(10);
      expect(await listPerDay(id)).toEqual([
        ["2026-03-10", onFirst],
        ["2026-03-11", 50],
      ]);
    });

    it("grants each day its limit when midnight passes before Redis is called", async () => {
      const { id } = await createKey(service);
      moveTo("2026-03-10T23:59:59.999Z");
      const [other, late] = [open(), open(PATIENCE_MS, service.clock, interrupted.db)];
      const passMidnight = async () => {
        moveTo("2026-03-11T00:00:00.001Z");
        expect(await takeMany(other, id, 49)).toBe(49);
      };
      let granted = 0;
      // The first statement reads what is stored for the ending day.
      await interrupted.interrupt({ 1: passMidnight }, async () => {
        granted = await takeMany(late, id, 2);
      });
      expect(granted).toBe(1);
      expect(await takeMany(other, id, 2)).toBe(0);
      expect(await listPerDay(id)).toEqual([["2026-03-11", 50]]);
    });
  });

  it("raises a counter that Redis lost or never had", async () => {
    const { id } = await createKey(service);
    await takeMany(open(), id, 30);
    await written();
    await redis.run("DEL", getCounterName(id));
    expect(await open().take(id, 50)).toEqual({ granted: true, used: 31 });
    expect(Number(await redis.run("PTTL", getCounterName(id)))).toBeGreaterThan(0);
  });

  it("raises a counter once when several instances find it too low", async () => {
    const { id } = await createKey(service);
    await takeMany(open(), id, 30);
    await written();
    await redis.run("DEL", getCounterName(id));
    const granted = await Promise.all([open(), open(), open()].map((quota) => takeMany(quota, id, 20)));
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(20);
  });

  it("stores usage after the response, not before it", async () => {
    const { id } = await createKey(service);
    let answered = false;
    const quota = open(PATIENCE_MS, service.clock, interrupted.db);
    const beforeWrite = async () => expect(answered).toBe(true);
    await interrupted.interrupt({ 2: beforeWrite }, async () => {
      await quota.take(id, 50);
      answered = true;
      await quota.flush();
    });
    expect(await readPostgresCount(id)).toBe(1);
  });

  it("lets a serverless host wait for usage that is stored after the response", async () => {
    const { id } = await createKey(service);
    const symbol = Symbol.for("@vercel/request-context");
    const waitUntil = vi.fn<(work: Promise<unknown>) => void>();
    vi.stubGlobal(symbol as unknown as string, { get: () => ({ waitUntil }) });
    await new UpstashQuota({ ...redis, timeoutMs: PATIENCE_MS }, service).take(id, 50);
    vi.unstubAllGlobals();
    await Promise.all(waitUntil.mock.calls.map(([work]) => work));
    expect(await readPostgresCount(id)).toBe(1);
  });

  it("continues counting when usage cannot be stored", async () => {
    const { id } = await createKey(service);
    const quota = open(PATIENCE_MS, service.clock, interrupted.db);
    await interrupted.breakAt(2, "is lost", async () => {
      await quota.take(id, 50);
      await quota.flush();
    });
    expect(logged()).toContain("a counted request could not be stored");
    expect(await quota.take(id, 50)).toEqual({ granted: true, used: 2 });
  });

  it("ignores usage of a key that was deleted meanwhile", async () => {
    const [gone, other] = [await createKey(service), await createKey(service)];
    const quota = open();
    await Promise.all([quota.take(gone.id, 50), quota.take(other.id, 50)]);
    await Promise.all([deleteKey(service, gone.id), written()]);
    expect(logged()).toBe("");
    expect(await readPostgresCount(other.id)).toBe(1);
  });
});

describe("test Redis server", () => {
  const redis = useRedis();

  it("supports the documented protocol with Upstash's own client", async () => {
    const client = new Redis({ url: redis.url, token: redis.token, enableTelemetry: false });
    expect(await client.set("word", "aGVsbG8=")).toBe("OK");
    expect(await client.get("word")).toBe("aGVsbG8=");
    expect(await client.get("nothing")).toBeNull();
    const replies = await client.multi().incr("number").mget("word", "nothing").exec();
    expect(replies).toEqual([1, ["aGVsbG8=", null]]);
    await expect(client.incr("word")).rejects.toThrow(/not an integer/);
    await expect(new Redis({ url: redis.url, token: "other" }).get("word")).rejects.toThrow(/WRONGPASS/);
  });
});
