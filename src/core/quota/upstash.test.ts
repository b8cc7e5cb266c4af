import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Redis } from "@upstash/redis";
import { describe, expect, it, vi } from "vitest";
import { systemClock, utcDay } from "@/core/time";
import { isDayNearlyOver } from "@/test/command";
import { useRedis } from "@/test/redis";
import { createKey } from "@/test/service";
import { useUpstash } from "@/test/upstash";

describe("quota in Upstash", () => {
  const { service, redis, open, takeMany, counterOf, inRedis, inPostgres, written, logged } = useUpstash();

  it("counts in Redis, takes refused requests back, and lets the counter expire", async () => {
    const quota = open();
    const { id } = await createKey(service);
    expect(await takeMany(quota, id, 200)).toBe(50);
    expect(await inRedis(id)).toBe(50);
    const left = Number(await redis.run("PTTL", counterOf(id)));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(86_400_000);
    expect(logged()).toBe("");
  });

  it.skipIf(isDayNearlyOver())(
    "grants exactly 50 to four processes that ask 50 times each at once",
    async () => {
      vi.useRealTimers();
      const { id } = await createKey(service);
      const children = Array.from({ length: 4 }, () => startUser([id, "50", "50"]));
      await Promise.all(children.map((child) => once(child, "message")));
      const answers = children.map((child) => once(child, "message"));
      for (const child of children) child.send("go");
      const granted = (await Promise.all(answers)).map(([count]) => Number(count));
      expect(granted.reduce((sum, count) => sum + count, 0)).toBe(50);
      expect(await inPostgres(id)).toBe(50);
      const today = utcDay(systemClock.now());
      expect(await redis.run("KEYS", `quota:${id}@*`)).toHaveLength(1);
      expect(Number(await redis.run("GET", `quota:${id}@${today}:${Date.parse(today) / 86_400_000}`))).toBe(
        50,
      );
    },
  );

  function startUser(words: string[]): ChildProcess {
    return fork("src/test/quota-user.ts", [service.databaseUrl, redis.url, redis.token, ...words], {
      execArgv: ["--import", "tsx"],
    });
  }

  it("gives a refused request back once, though the answer to that be lost", async () => {
    const quota = open();
    const { id } = await createKey(service);
    expect(await takeMany(quota, id, 50)).toBe(50);
    const lost: string[] = [];
    redis.onCall((call) => {
      if (lost.length > 0 || !/,"?-1"?[\],]/.test(call)) return undefined;
      lost.push(call);
      return "lose";
    });
    for (let time = 0; time < 5; time++)
      expect(await quota.take(id, 50)).toEqual({ granted: false, used: 50 });
    expect(lost).toHaveLength(1);
    expect(await inRedis(id)).toBe(50);
  });

  it("raises a Redis that lost its counters, or that never had them", async () => {
    const { id } = await createKey(service);
    await takeMany(open(), id, 30);
    await written();
    await redis.run("DEL", counterOf(id));
    expect(await open().take(id, 50)).toEqual({ granted: true, used: 31 });
    expect(Number(await redis.run("PTTL", counterOf(id)))).toBeGreaterThan(0);
  });

  it("raises a counter once, however many instances find it too low at once", async () => {
    const { id } = await createKey(service);
    await takeMany(open(), id, 30);
    await written();
    await redis.run("DEL", counterOf(id));
    const granted = await Promise.all([open(), open(), open()].map((quota) => takeMany(quota, id, 20)));
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(20);
  });

  it("is exact while one instance reaches Redis and another does not, as far as usage has been written", async () => {
    const { id } = await createKey(service);
    const near = open();
    await redis.fail("refuses connections");
    const far = open();
    await far.take(id, 50);
    await redis.recover();
    let granted = 1;
    for (let call = 0; call < 40; call++) {
      for (const quota of [near, far]) {
        if ((await quota.take(id, 50)).granted) granted += 1;
        await quota.flush();
      }
    }
    expect(granted).toBe(50);
  });
});

describe("the server that the tests use as Upstash", () => {
  const redis = useRedis();

  it("speaks the documented protocol to Upstash's own client", async () => {
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
