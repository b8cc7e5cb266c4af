import { describe, expect, it } from "vitest";
import { SECOND } from "@/core/time";
import { openFront } from "@/test/front";
import { createKey } from "@/test/service";
import type { Fault } from "@/test/stand-in";
import { PATIENCE_MS, useUpstash } from "@/test/upstash";

const SHORT_PATIENCE_MS = 2 * SECOND;
const ROUNDS = 3;

const OUTAGES: [string, Fault | "refused"][] = [
  ["hangs", "silence"],
  ["counts and answers nothing", "swallowed"],
  ["refuses connections", "refused"],
  ["closes connections", "closed"],
  ["resets connections", "reset"],
  ["answers something that cannot be decompressed", "unzippable"],
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
];

describe("quota in Upstash during an outage", () => {
  const { service, redis, open, takeMany, counterOf: getCounterName, tryAgain, written, logged } = useUpstash();

  describe.each(OUTAGES)("when Redis %s", (_, outage) => {
    it("grants the same 50 and does not call Redis during the pause", async () => {
      const quota = open(100);
      const { id } = await createKey(service);
      await redis.fail(outage);
      expect(await takeMany(quota, id, 60)).toBe(50);
      expect(await quota.getUsed(id)).toBe(50);
      const other = await createKey(service);
      expect(await takeMany(quota, other.id, 60)).toBe(50);
      expect(redis.countCallsWith(other.id)).toBe(0);
    });
  });

  describe.each(OUTAGES.slice(0, 7))("when Redis %s for a while", (_, outage) => {
    it("continues in PostgreSQL from the count of Redis, and in Redis from that of PostgreSQL", async () => {
      const { id } = await createKey(service);
      const quota = open(SHORT_PATIENCE_MS);
      expect(await takeMany(quota, id, 20)).toBe(20);
      await redis.fail(outage);
      expect(await takeMany(quota, id, 15)).toBe(15);
      expect(await quota.take(id, 50)).toEqual({ granted: true, used: 36 });
      await redis.recover();
      await tryAgain(quota);
      expect(await takeMany(quota, id, 60)).toBe(14);
      expect(await quota.getUsed(id)).toBe(50);
    });
  });

  it.each([1, 20])(
    "grants no more than the limit when Redis loses a stored count, %i concurrent requests",
    async (concurrency) => {
      const { id } = await createKey(service);
      const quota = open();
      let granted = await takeMany(quota, id, 30);
      for (let time = 0; time < 3; time++) {
        await redis.run("DEL", getCounterName(id));
        for (let round = 0; round < 30 / concurrency; round++) granted += await takeMany(quota, id, concurrency);
      }
      expect(granted).toBe(50);
      expect(await quota.getUsed(id)).toBe(50);
      expect(logged()).toContain("Redis has counted less than PostgreSQL and is raised");
    },
  );

  it.each([
    ["is emptied", () => redis.run("FLUSHALL")],
    ["goes away", () => redis.fail("refused")],
  ])("exceeds the limit at most by the requests in flight when Redis %s", async (_, fault) => {
    const { id } = await createKey(service);
    const quotas = [open(), open(), open(), open()];
    let granted = 0;
    for (const quota of quotas) granted += await takeMany(quota, id, 10);
    await written();
    const underWay = 5;
    const takes = quotas.map((quota) => takeMany(quota, id, underWay));
    await fault();
    for (const count of await Promise.all(takes)) granted += count;
    for (const quota of quotas) granted += await takeMany(quota, id, 50);
    expect(granted).toBeGreaterThanOrEqual(50);
    expect(granted).toBeLessThanOrEqual(50 + underWay * quotas.length);
  });

  it("grants exactly 50 of 60 parallel requests on three instances of which one does not reach Redis", async () => {
    const front = await openFront(redis.url);
    const [one, other] = [open(), open()];
    const cutOff = open(PATIENCE_MS, service.clock, service.db, front.url);
    const quotas = [one, other, cutOff];
    for (let round = 0; round < ROUNDS; round++) {
      await front.recover();
      await front.fail("hanging");
      const { id } = await createKey(service);
      const takes = Array.from({ length: 60 }, (_, at) => quotas[at % 3]?.take(id, 50));
      await Promise.all(takes.filter((_, at) => at % 3 < 2));
      await written();
      // Only now the third gives up on Redis, and counts in PostgreSQL.
      await front.fail("refused");
      const answers = await Promise.all(takes);
      expect(answers.filter((answer) => answer?.granted)).toHaveLength(50);
      expect(await one.getUsed(id)).toBe(50);
      service.clock.advance(5 * SECOND);
    }
    await front.close();
  });

  it("is counted in PostgreSQL by all instances once one of them has failed to reach Redis", async () => {
    const [one, other] = [open(100), open(100)];
    const { id } = await createKey(service);
    await redis.fail("refused");
    expect(await one.take(id, 50)).toMatchObject({ granted: true });
    await redis.recover();
    const before = redis.countCallsWith(id);
    expect(await takeMany(other, id, 60)).toBe(49);
    expect(redis.countCallsWith(id)).toBe(before);
  });

  it("is exact for stored usage while only one of two instances reaches Redis", async () => {
    const { id } = await createKey(service);
    const near = open();
    await redis.fail("refused");
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

  it("logs one line when Redis fails, without the token", async () => {
    const quota = open();
    const { id } = await createKey(service);
    await redis.fail({ status: 500, body: '{"error":"ERR internal"}' });
    await takeMany(quota, id, 5);
    const lines = logged().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["Redis failed; PostgreSQL counts for 5 seconds"]);
    expect(JSON.parse(lines[0] ?? "").reason).toContain("ERR internal");
    expect(logged()).not.toContain(redis.token);
  });

  it("retries a call once when its connection breaks", async () => {
    const { id } = await createKey(service);
    const quota = open(SHORT_PATIENCE_MS);
    redis.faults.push("lost");
    expect(await quota.take(id, 50)).toMatchObject({ granted: true });
    expect(logged()).toBe("");
  });

  it("calls Redis again after 5 seconds", async () => {
    const quota = open(200);
    const { id } = await createKey(service);
    await redis.fail("silence");
    await quota.take(id, 50);
    service.clock.advance(5 * SECOND - 1);
    const callsBefore = redis.countCallsWith(id);
    await takeMany(quota, id, 20);
    expect(redis.countCallsWith(id)).toBe(callsBefore);
    service.clock.advance(1);
    expect(await quota.take(id, 50)).toEqual({ granted: true, used: 22 });
    expect(redis.countCallsWith(id)).toBe(callsBefore + 1);
  });
});
