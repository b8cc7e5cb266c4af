import { describe, expect, it } from "vitest";
import { SECOND } from "@/core/time";
import type { Outage } from "@/test/redis-server";
import { createKey } from "@/test/service";
import { useUpstash } from "@/test/upstash";

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
  const { service, redis, open, takeMany, counterOf, tryAgain, logged } = useUpstash();

  describe.each(OUTAGES)("when Redis %s", (_, outage) => {
    it("grants the same 50, loses no request, and asks Redis no more during the pause", async () => {
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
      await tryAgain(quota);
      expect(await takeMany(quota, id, 60)).toBe(14);
      expect(await quota.used(id)).toBe(50);
    });
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
      expect(logged()).toContain("Redis lost its count");
    },
  );

  it("grants at most what was under way in other instances over the limit where Redis is emptied", async () => {
    const { id } = await createKey(service);
    const quotas = [open(), open(), open(), open()];
    let granted = 0;
    for (const quota of quotas) granted += await takeMany(quota, id, 10);
    await redis.run("DEL", counterOf(id));
    const underWay = 5;
    const answers = await Promise.all(quotas.map((quota) => takeMany(quota, id, underWay)));
    granted += answers.reduce((sum, count) => sum + count, 0);
    for (const quota of quotas) granted += await takeMany(quota, id, 50);
    expect(granted).toBeGreaterThanOrEqual(50);
    expect(granted).toBeLessThanOrEqual(50 + underWay * (quotas.length - 1));
  });

  it("logs once that Redis failed, and that it is back, without the token", async () => {
    const quota = open();
    const { id } = await createKey(service);
    await redis.fail({ status: 500, body: '{"error":"ERR internal"}' });
    await takeMany(quota, id, 5);
    await tryAgain(quota);
    await redis.recover();
    await tryAgain(quota);
    const lines = logged().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "Redis failed: PostgreSQL counts",
      "Redis is back",
    ]);
    expect(JSON.parse(lines[0] ?? "").reason).toContain("ERR internal");
    expect(logged()).not.toContain(redis.token);
  });

  it("uses a Redis again whose connection breaks once", async () => {
    const { id } = await createKey(service);
    const quota = open(SHORT_PATIENCE_MS);
    let lost = 0;
    redis.onCall(() => (++lost > 1 ? undefined : "lose"));
    expect(await quota.take(id, 50)).toMatchObject({ granted: true });
    expect(logged()).toBe("");
  });

  it("asks Redis again with one request at a time", async () => {
    const quota = open(200);
    const { id } = await createKey(service);
    await redis.fail("hangs");
    await quota.take(id, 50);
    service.clock.advance(5 * SECOND - 1);
    const asked = redis.callsWith(id);
    await takeMany(quota, id, 20);
    expect(redis.callsWith(id)).toBe(asked);
    service.clock.advance(1);
    expect(await takeMany(quota, id, 20)).toBe(20);
    expect(redis.callsWith(id)).toBe(asked + 1);
  });
});
