import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { dailyUsage } from "@/core/db/schema";
import type { Quota } from "@/core/quota/quota";
import { MINUTE, SECOND } from "@/core/time";
import { authenticate } from "@/features/keys/service";
import type { Outage } from "@/test/redis-server";
import { createKey } from "@/test/service";
import { FIRST_TRIAL, useUpstash } from "@/test/upstash";

/** Something to wait for, until it is opened. */
function opening() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const SHORT_PATIENCE_MS = 2 * SECOND;

const OUTAGES: [string, Outage][] = [
  ["hangs", "hangs"],
  ["counts and answers nothing", "swallows answers"],
  ["refuses connections", "refuses connections"],
  ["closes connections", "closes connections"],
  ["answers what does not unzip", "answers what does not unzip"],
  ["answers 500", { status: 500, body: '{"error":"ERR internal"}' }],
  ["answers 429", { status: 429, body: '{"error":"ERR max requests limit exceeded"}' }],
  ["answers 401", { status: 401, body: '{"error":"WRONGPASS invalid or missing auth token"}' }],
  ["answers 502 in HTML", { status: 502, body: "<html>Bad Gateway</html>" }],
  ["answers a page", { status: 200, body: "<html>Hello</html>" }],
  ["answers half of it", { status: 200, body: '[{"result":[1,' }],
  ["answers nothing", { status: 200, body: "" }],
  ["answers null", { status: 200, body: "null" }],
  ["answers no results", { status: 200, body: "[]" }],
  ["answers errors", { status: 200, body: '[{"error":"NOPERM this user has no permissions"}]' }],
  ["answers a word", { status: 200, body: '[{"result":"abc"}]' }],
  ["answers a missing count", { status: 200, body: '[{"result":[null,50]}]' }],
  ["answers a count of zero", { status: 200, body: '[{"result":[0,50]}]' }],
  ["answers another limit", { status: 200, body: '[{"result":[1,1000000]}]' }],
];

describe("quota in Upstash", () => {
  const { service, redis, open, takeMany, counterOf, inRedis, tryAgain, written, logged } = useUpstash();

  /** Keeps PostgreSQL from counting a key's requests. @returns what lets it */
  async function holdCounting(id: string): Promise<() => Promise<void>> {
    const [held, released] = [opening(), opening()];
    const holding = service.db.transaction(async (tx) => {
      await tx.select().from(dailyUsage).where(eq(dailyUsage.keyId, id)).for("update");
      held.open();
      await released.opened;
    });
    await held.opened;
    return () => {
      released.open();
      return holding;
    };
  }

  describe.each(OUTAGES)("when Redis %s", (_, outage) => {
    it("grants the same 50, loses no request, and asks Redis no more until a trial", async () => {
      const quota = open(100);
      const { id } = await createKey(service);
      await redis.fail(outage);
      expect(await takeMany(quota, id, 60)).toBe(50);
      expect(await quota.used(id)).toBe(50);
      const other = await createKey(service);
      expect(await takeMany(quota, other.id, 60)).toBe(50);
      expect(redis.callsWith(other.id)).toBe(0);
    });
  });

  describe.each(OUTAGES.slice(0, 6))("when Redis %s for a while", (_, outage) => {
    it("goes on from the count of Redis, and Redis from that of PostgreSQL", async () => {
      const { id } = await createKey(service);
      const quota = open(SHORT_PATIENCE_MS);
      expect(await takeMany(quota, id, 20)).toBe(20);
      await redis.fail(outage);
      expect(await takeMany(quota, id, 15)).toBe(15);
      expect(await quota.take(id, 50)).toEqual({ granted: true, used: 36 });
      await redis.recover();
      await tryAgain(quota, id);
      expect(await takeMany(quota, id, 60)).toBe(14);
      expect(await quota.used(id)).toBe(50);
    });
  });

  it("grants no more than its limit where requests that PostgreSQL counts are answered after Redis is back", async () => {
    const [{ id }, other] = [await createKey(service), await createKey(service)];
    const quota = open(SHORT_PATIENCE_MS);
    await redis.fail("refuses connections");
    expect(await quota.take(id, 50)).toEqual({ granted: true, used: 1 });
    const release = await holdCounting(id);
    const slow = takeMany(quota, id, 3);
    await redis.recover();
    await tryAgain(quota, other.id);
    expect((await quota.take(other.id, 50)).granted).toBe(true);
    expect(redis.callsWith(other.id)).toBeGreaterThan(0);
    const quick = takeMany(quota, id, 60);
    // Its first question comes after theirs.
    await quota.take((await createKey(service)).id, 50);
    await release();
    expect((await slow) + (await quick)).toBe(49);
    expect(await quota.used(id)).toBe(50);
  });

  it("grants no more than its limit where Redis answers while PostgreSQL counts, by then without it", async () => {
    const [{ id }, other] = [await createKey(service), await createKey(service)];
    const quota = open();
    expect(await takeMany(quota, id, 48)).toBe(48);
    await written();
    const answer = opening();
    redis.onCall((call) => (call.includes(id) ? answer.opened : undefined));
    const early = quota.take(id, 50);
    await expect.poll(() => inRedis(id)).toBe(49);
    await redis.fail({ status: 500, body: '{"error":"ERR internal"}' });
    expect(await takeMany(quota, other.id, 1)).toBe(1);
    const release = await holdCounting(id);
    const slow = takeMany(quota, id, 2);
    await takeMany(quota, other.id, 1);
    answer.open();
    // Meanwhile the early one asks what PostgreSQL has.
    for (let time = 0; time < 50; time++) await service.db.execute("select 1");
    await release();
    expect(Number((await early).granted) + (await slow)).toBe(2);
    expect(await quota.used(id)).toBe(50);
  });

  it.each([1, 20])(
    "grants no more than its limit where Redis loses its counters unnoticed, %i at once",
    async (atOnce) => {
      const { id } = await createKey(service);
      const quota = open();
      let granted = await takeMany(quota, id, 30);
      for (let time = 0; time < 3; time++) {
        await redis.run("DEL", counterOf(id));
        for (let round = 0; round < 30 / atOnce; round++) granted += await takeMany(quota, id, atOnce);
      }
      expect(granted).toBe(50);
      expect(await quota.used(id)).toBe(50);
      expect(logged()).toContain("Redis seems to have lost what it counted");
    },
  );

  it.each([0, 30])(
    "grants no more than its limit where Redis falls back to %d and its instances have counted little by themselves",
    async (fallen) => {
      const { id, secret } = await createKey(service);
      const [near, ...others] = [open(), open(), open(), open()];
      const ask = async (quota: Quota) =>
        (await quota.take(id, 50, (await authenticate(service, secret)).counted)).granted;
      for (const quota of others) await ask(quota);
      expect(await takeMany(near, id, 60)).toBe(47);
      await written();
      await redis.run("SET", counterOf(id), String(fallen));
      const granted = await Promise.all([...others, near].flatMap((quota) => Array(5).fill(quota).map(ask)));
      expect(granted.filter(Boolean)).toEqual([]);
      expect(await near.used(id)).toBe(50);
    },
  );

  it("grants no more than its limit where Redis falls back to an older count under a burst", async () => {
    const { id } = await createKey(service);
    const quota = open();
    await quota.take(id, 50);
    let calls = 0;
    let meanwhile = Promise.resolve(0);
    redis.onCall((call) => {
      if (!call.includes(id)) return undefined;
      calls += 1;
      // Requests of one moment come in one call.
      if (calls === 1) meanwhile = takeMany(quota, id, 40);
      if (calls === 2) void redis.run("SET", counterOf(id), "1");
      return undefined;
    });
    const granted = await takeMany(quota, id, 40);
    expect(granted + (await meanwhile)).toBe(49);
    expect(await quota.used(id)).toBe(50);
  });

  it("asks a Redis that forgets whatever it counts three times for one request at most", async () => {
    const { id } = await createKey(service);
    const quota = open();
    redis.onCall((call) => {
      if (call.includes(id)) void redis.run("DEL", counterOf(id));
      return undefined;
    });
    const answers = [];
    for (let time = 0; time < 60; time++) {
      answers.push(quota.take(id, 50));
      // Requests of one moment come in one call.
      await new Promise(setImmediate);
    }
    const granted = (await Promise.all(answers)).filter((answer) => answer.granted);
    expect(granted).toHaveLength(50);
    // A try raises the counter and counts.
    expect(redis.callsWith(id)).toBeLessThanOrEqual(60 * 3 * 2);
  });

  it("says once that Redis is gone, that it does not work yet, and that it is back, without the token", async () => {
    const quota = open();
    const { id } = await createKey(service);
    await redis.fail({ status: 500, body: '{"error":"ERR internal"}' });
    await takeMany(quota, id, 5);
    await tryAgain(quota, id);
    await redis.recover();
    await tryAgain(quota, id);
    const lines = logged().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "Redis is given up for now",
      "Redis does not work yet",
      "Redis is back",
    ]);
    expect(JSON.parse(lines[0] ?? "").reason).toBe("ERR internal");
    expect(logged()).not.toContain(redis.token);
  });

  it("does not give a Redis up whose connections break for a moment", async () => {
    const { id } = await createKey(service);
    const quota = open(SHORT_PATIENCE_MS);
    let lost = 0;
    redis.onCall(() => (++lost > 3 ? undefined : "lose"));
    expect(await quota.take(id, 50)).toMatchObject({ granted: true });
    expect(lost).toBe(4);
    const asked = redis.callsWith(id);
    expect(await quota.take(id, 50)).toMatchObject({ granted: true });
    expect(redis.callsWith(id)).toBe(asked + 1);
  });

  it("reads no more of an answer than counts take", async () => {
    const quota = open();
    const { id } = await createKey(service);
    await redis.fail({ status: 200, body: `{"result":[${"[],".repeat(10_000)}[]]}` });
    expect(await quota.take(id, 50)).toEqual({ granted: true, used: 1 });
    expect(JSON.parse(logged()).reason).toContain("the answer is longer than");
  });

  it("is counted in Redis from its first request on where Redis came back while nobody asked", async () => {
    const quota = open(SHORT_PATIENCE_MS);
    const [{ id }, other] = [await createKey(service), await createKey(service)];
    await redis.fail("refuses connections");
    await quota.take(id, 50);
    await redis.recover();
    service.clock.advance(FIRST_TRIAL);
    expect(await takeMany(quota, other.id, 5)).toBe(5);
    expect(Number(await redis.run("GET", counterOf(other.id)))).toBe(5);
  });

  it("waits for no trial while it is asked for all the time", async () => {
    const quota = open(MINUTE);
    const { id } = await createKey(service);
    await redis.fail({ status: 500, body: '{"error":"ERR internal"}' });
    await quota.take(id, 50);
    service.clock.advance(FIRST_TRIAL - 1);
    await quota.take(id, 50);
    await redis.fail("hangs");
    const trials = redis.callsWith("quota:probe");
    service.clock.advance(1);
    expect(await takeMany(quota, id, 20)).toBe(20);
    await vi.waitFor(() => expect(redis.callsWith("quota:probe")).toBe(trials + 1));
  });

  it("makes one trial at a time, however many requests come, and none before its time", async () => {
    const quota = open(100);
    const { id } = await createKey(service);
    await redis.fail("hangs");
    await quota.take(id, 50);
    service.clock.advance(FIRST_TRIAL - 1);
    const trials = redis.callsWith("quota:probe");
    await takeMany(quota, id, 20);
    expect(redis.callsWith("quota:probe")).toBe(trials);
    service.clock.advance(1);
    await takeMany(quota, id, 20);
    await written();
    expect(redis.callsWith("quota:probe")).toBe(trials + 1);
  });
});
