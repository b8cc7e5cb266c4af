import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Writable } from "node:stream";
import { Redis } from "@upstash/redis";
import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "@/core/db/client";
import { dailyUsage } from "@/core/db/schema";
import type { Quota } from "@/core/quota";
import { createUpstashQuota } from "@/core/quota/upstash";
import { type Clock, instant, SECOND, systemClock, utcDay } from "@/core/time";
import { deleteKey } from "@/features/keys/service";
import { isDayNearlyOver } from "@/test/command";
import { useRedis } from "@/test/redis";
import type { Outage } from "@/test/redis-server";
import { createKey, TEST_START, useService } from "@/test/service";

const FIRST_TRIAL = 5 * SECOND;
/** Where nothing fails, a busy machine may take its time. */
const PATIENCE_MS = 25 * SECOND;
const SHORT_PATIENCE_MS = 2 * SECOND;

const OUTAGES: [string, Outage][] = [
  ["hangs", "hangs"],
  ["counts and answers nothing", "swallows answers"],
  ["refuses connections", "refuses connections"],
  ["closes connections", "closes connections"],
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
  const service = useService();
  const redis = useRedis();
  let background: Promise<void>[];
  let logged: string;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    vi.useFakeTimers({ toFake: ["Date"], now: service.clock.now() });
    background = [];
    logged = "";
    await redis.recover();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An instance of the service, with a quota of its own. */
  function open(giveUpMs = PATIENCE_MS, clock: Clock = service.clock): Quota {
    const log = pino(
      new Writable({
        write(line, _, done) {
          logged += line;
          done();
        },
      }),
    );
    const after = (work: Promise<void>) => background.push(work);
    return createUpstashQuota({ ...redis, giveUpMs, after }, { ...service, clock, log });
  }

  const takeMany = async (quota: Quota, id: string, count: number, limit = 50) => {
    const answers = await Promise.all(Array.from({ length: count }, () => quota.take(id, limit)));
    return answers.filter(({ granted }) => granted).length;
  };
  const counterOf = (id: string) => `quota:${id}@2026-03-10:${Date.parse("2026-03-10") / 86_400_000}`;
  const inRedis = async (id: string) => Number(await redis.run("GET", counterOf(id)));
  const inPostgres = async (id: string) => {
    const [row] = await service.db.select().from(dailyUsage).where(eq(dailyUsage.keyId, id));
    return row?.requests ?? 0;
  };
  /** Lets the trial of a breaker come due and end. */
  const tryAgain = async (quota: Quota, id: string) => {
    service.clock.advance(FIRST_TRIAL);
    await quota.take(id, 0);
    await Promise.all(background);
  };

  it("counts in Redis, takes refused requests back, and lets the counter expire", async () => {
    const quota = open();
    const { id } = await createKey(service);
    expect(await takeMany(quota, id, 200)).toBe(50);
    expect(await inRedis(id)).toBe(50);
    const left = Number(await redis.run("PTTL", counterOf(id)));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(86_400_000);
    expect(logged).toBe("");
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

  describe.each(OUTAGES.slice(0, 5))("when Redis %s for a while", (_, outage) => {
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

  it("grants a spent key no request of the day before while midnight passes", async () => {
    const { id } = await createKey(service);
    expect(await takeMany(open(), id, 50)).toBe(50);
    await Promise.all(background);
    service.clock.set("2026-03-10T23:59:59.999Z");
    vi.setSystemTime(service.clock.now());
    redis.onCall((call) => {
      if (!call.includes("PX")) return undefined;
      service.clock.set("2026-03-11T00:00:00.001Z");
      vi.setSystemTime(service.clock.now());
      return undefined;
    });
    // Of an instance that has to tell Redis first what was counted.
    expect(await open().take(id, 50)).toEqual({ granted: true, used: 1 });
    await Promise.all(background);
    const days = await service.db
      .select()
      .from(dailyUsage)
      .where(eq(dailyUsage.keyId, id))
      .orderBy(dailyUsage.day);
    expect(days.map(({ day, requests }) => [day, requests])).toEqual([
      ["2026-03-10", 50],
      ["2026-03-11", 1],
    ]);
  });

  it("grants a day no more than its limit while midnight passes, by however many instances", async () => {
    const { id } = await createKey(service);
    const [early, other] = [open(), open()];
    service.clock.set("2026-03-10T23:59:59.999Z");
    vi.setSystemTime(service.clock.now());
    let meanwhile = Promise.resolve(0);
    redis.onCall((call) => {
      if (service.clock.now().getUTCDate() === 11 || !call.includes(id)) return undefined;
      service.clock.set("2026-03-11T00:00:00.001Z");
      vi.setSystemTime(service.clock.now());
      meanwhile = takeMany(other, id, 30);
      return undefined;
    });
    const granted = await takeMany(early, id, 10);
    const later = await takeMany(other, id, 30);
    expect(granted + (await meanwhile) + later).toBe(50);
    expect(await other.used(id)).toBe(50);
  });

  it("grants a day no more than its limit where midnight overtakes a request before it asks Redis", async () => {
    const { id } = await createKey(service);
    service.clock.set("2026-03-11T00:00:00.001Z");
    vi.setSystemTime(service.clock.now());
    const other = open();
    expect(await takeMany(other, id, 49)).toBe(49);
    await Promise.all(background);
    const before = [instant("2026-03-10T23:59:59.999Z")];
    const overtaken = open(PATIENCE_MS, { now: () => before.shift() ?? service.clock.now() });
    expect(await takeMany(overtaken, id, 2)).toBe(1);
    expect(await takeMany(other, id, 2)).toBe(0);
    expect(await other.used(id)).toBe(50);
  });

  it("grants a day no more than its limit where the clock is set back over midnight and goes on", async () => {
    const { id } = await createKey(service);
    const later = instant("2026-03-11T00:00:00.001Z");
    service.clock.set(later);
    vi.setSystemTime(later);
    const [quota, other] = [open(), open()];
    expect(await takeMany(other, id, 49)).toBe(49);
    let meanwhile: Promise<unknown> = Promise.resolve();
    redis.onCall((call) => {
      if (!call.includes(id)) return undefined;
      redis.onCall(() => undefined);
      service.clock.set("2026-03-10T23:59:59.999Z");
      meanwhile = quota.take(id, 50);
      service.clock.set(later);
      return undefined;
    });
    const granted = await takeMany(quota, id, 2);
    await meanwhile;
    expect(granted + (await takeMany(other, id, 2))).toBeLessThanOrEqual(1);
    expect(await other.used(id)).toBeLessThanOrEqual(50);
  });

  it("takes no count for lost that was too high before: of requests which a lower limit refused", async () => {
    const { id } = await createKey(service);
    const [quota, other] = [open(), open()];
    expect(await takeMany(other, id, 51)).toBe(50);
    await Promise.all(background);
    // Refused by another instance, and not given back yet.
    await redis.run("INCRBY", counterOf(id), "3");
    expect(await quota.take(id, 60)).toEqual({ granted: true, used: 54 });
    await redis.run("INCRBY", counterOf(id), "-3");
    let granted = 51;
    for (let round = 0; round < 12; round++)
      for (const one of [quota, other]) granted += await takeMany(one, id, 1, 60);
    await Promise.all(background);
    expect(granted).toBe(60);
    expect(await inPostgres(id)).toBe(60);
    expect(logged).toBe("");
  });

  it("grants no more than its limit where requests that PostgreSQL counts are answered after Redis is back", async () => {
    const [{ id }, other] = [await createKey(service), await createKey(service)];
    const quota = open(SHORT_PATIENCE_MS);
    await redis.fail("refuses connections");
    expect(await quota.take(id, 50)).toEqual({ granted: true, used: 1 });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const holding = service.db.transaction(async (tx) => {
      await tx.select().from(dailyUsage).where(eq(dailyUsage.keyId, id)).for("update");
      isHeld();
      await released;
    });
    await held;
    const slow = takeMany(quota, id, 3);
    await redis.recover();
    await tryAgain(quota, other.id);
    expect((await quota.take(other.id, 50)).granted).toBe(true);
    expect(redis.callsWith(other.id)).toBeGreaterThan(0);
    const quick = takeMany(quota, id, 60);
    // Its first question comes after theirs.
    await quota.take((await createKey(service)).id, 50);
    release();
    await holding;
    expect((await slow) + (await quick)).toBe(49);
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
      expect(logged).toContain("Redis seems to have lost what it counted");
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

  it("says once that Redis is gone, that it does not work yet, and that it is back, without the token", async () => {
    const quota = open();
    const { id } = await createKey(service);
    await redis.fail({ status: 500, body: '{"error":"ERR internal"}' });
    await takeMany(quota, id, 5);
    await tryAgain(quota, id);
    await redis.recover();
    await tryAgain(quota, id);
    const lines = logged.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "Redis is given up for now",
      "Redis does not work yet",
      "Redis is back",
    ]);
    expect(JSON.parse(lines[0] ?? "").reason).toBe("ERR internal");
    expect(logged).not.toContain(redis.token);
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
    await Promise.all(background);
    expect(redis.callsWith("quota:probe")).toBe(trials + 1);
  });

  it("raises a Redis that lost its counters, or that never had them", async () => {
    const { id } = await createKey(service);
    await takeMany(open(), id, 30);
    await Promise.all(background);
    await redis.run("DEL", counterOf(id));
    expect(await open().take(id, 50)).toEqual({ granted: true, used: 31 });
    expect(Number(await redis.run("PTTL", counterOf(id)))).toBeGreaterThan(0);
  });

  it("raises a counter once, however many instances find it too low at once", async () => {
    const { id } = await createKey(service);
    await takeMany(open(), id, 30);
    await Promise.all(background);
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

  it("has PostgreSQL know of the usage, and not on the way of the answer", async () => {
    const { id } = await createKey(service);
    const { db, close } = connect(service.databaseUrl);
    const quota = createUpstashQuota({ ...redis, giveUpMs: PATIENCE_MS }, { ...service, db });
    await takeMany(quota, id, 3);
    await quota.flush();
    expect(await inPostgres(id)).toBe(3);
    await close();
    expect(await quota.take(id, 50)).toEqual({ granted: true, used: 4 });
    await quota.flush();
  });

  it("asks a serverless host to wait for what is written after the answer", async () => {
    const { id } = await createKey(service);
    const symbol = Symbol.for("@vercel/request-context");
    const waitUntil = vi.fn<(work: Promise<unknown>) => void>();
    vi.stubGlobal(symbol as unknown as string, { get: () => ({ waitUntil }) });
    await createUpstashQuota({ ...redis, giveUpMs: PATIENCE_MS }, service).take(id, 50);
    vi.unstubAllGlobals();
    await Promise.all(waitUntil.mock.calls.map(([work]) => work));
    expect(await inPostgres(id)).toBe(1);
  });

  it("writes with the next batch what the database refused", async () => {
    const { id } = await createKey(service);
    const quota = open();
    await takeMany(quota, id, 2);
    await service.db.execute(sql`alter table daily_usage rename to away`);
    await quota.flush();
    await service.db.execute(sql`alter table away rename to daily_usage`);
    await takeMany(quota, id, 2);
    await quota.flush();
    expect(await inPostgres(id)).toBe(4);
  });

  it("forgets the usage of a key that is deleted before it is written, and writes that of the others", async () => {
    const [gone, other] = [await createKey(service), await createKey(service)];
    const quota = open();
    await Promise.all([quota.take(gone.id, 50), quota.take(other.id, 50)]);
    await Promise.all([deleteKey(service, gone.id), ...background]);
    expect(logged).toBe("");
    expect(await inPostgres(other.id)).toBe(1);
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
