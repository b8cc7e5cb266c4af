import { and, eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "@/core/log/log";
import { addDays, MINUTE, startOfPacificDay, toDate, toUtcDay } from "@/core/time";
import { channels, dailyAllowances, snapshotBatches, snapshots, trackedCreators } from "@/db/schema";
import { trackUnread } from "@/features/creators/service";
import { revokeKey } from "@/features/keys/service";
import { createLedger, type Ledger } from "@/features/usage/units.service";
import { createYoutubePlatform } from "@/platform/youtube";
import { createJobs } from "@/server/jobs";
import { createChannelId } from "@/test/platform";
import { createKey, useService } from "@/test/service";
import { ERRORS } from "@/test/youtube-answers";
import { startYoutubeServer, type YoutubeServer } from "@/test/youtube-server";
import { countCallsNeeded, getRunSummary } from "./service";

const CREATORS = 400;
const CALLS = 8;

describe("daily run on YouTube", () => {
  let server: YoutubeServer;
  let ledger: Ledger;
  beforeAll(async () => {
    server = await startYoutubeServer({ clock: { now: () => service.clock.now() } });
  });
  const service = useService({
    variables: () => ({ CREATORS_PER_STEP: "50" }),
    platform: (clock, db) => {
      const log = createLog({ level: "silent" });
      ledger = createLedger(
        { db, clock, log: pino({ level: "silent" }) },
        {
          limits: { search: 100, general: 10_000 },
          reserve: (until) => countCallsNeeded({ db, clock, log }, until),
        },
      );
      const { apiKey, url } = server;
      return createYoutubePlatform({ apiKey, url, ledger, clock, log, sleep: async () => {} });
    },
  });
  afterAll(() => server.stop());

  let keyId: Awaited<ReturnType<typeof createKey>>["id"];
  let day = "2026-06-01";

  /** Each test has its own days, and creators that a key has tracked since noon of the day before. */
  beforeEach(async () => {
    day = addDays(day, 3);
    server.reset();
    await service.db.delete(dailyAllowances);
    await service.db.delete(trackedCreators);
    service.clock.set(`${addDays(day, -1)}T12:00:00Z`);
    keyId = (await createKey(service)).id;
  });

  async function track(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, number) => createChannelId(number));
    for (const [at, id] of ids.entries()) server.show(id, { subscribers: 1000 + at });
    await trackUnread(service, keyId, ids);
  }

  async function run(at = "06:00"): Promise<void> {
    service.clock.set(`${day}T${at}:00Z`);
    service.engine.fireCron("creator-growth-plan-day", service.clock.now());
    await service.drain();
  }

  const countStored = () => service.db.$count(snapshots, and(eq(snapshots.day, day), eq(snapshots.source, "daily")));
  const countFailedCalls = () => server.calls.filter(({ status }) => status !== 200).length;
  const readUnitsUsed = async () => (await ledger.listSpentUnits())[1]?.used;

  it("reads 1,000 channels with exactly 20 calls of channels.list and nothing else", async () => {
    await track(1000);
    await run();
    expect(server.calls.map(({ path, status }) => `${path} ${status}`)).toEqual(
      Array.from({ length: 20 }, () => "channels 200"),
    );
    expect(await countStored()).toBe(1000);
    expect(await getRunSummary(service, day)).toMatchObject({ planned: 1000, read: 1000, failed: 0 });
    expect(await readUnitsUsed()).toBe(20);
  });

  it("reads 120 channels with exactly 3 calls when all schedules fire, from 05:58 to 07:00", async () => {
    await track(120);
    service.clock.set(`${day}T05:58:00Z`);
    const { engine } = await createJobs(service);
    const drain = () => engine.drain((to) => service.clock.set(to));
    engine.start();
    await advanceTo("06:00", drain, async () => {
      // A key that begins to track blocks the planner until the half-hourly check has found no run.
      let drained = Promise.resolve();
      await service.db.transaction(async (tx) => {
        await tx.execute(sql`lock tracked_creators in row exclusive mode`);
        drained = drain();
        const countWaiting = () => service.db.$count(sql`pg_locks`, sql`not granted and mode = 'ShareLock'`);
        await expect.poll(countWaiting, { interval: 5, timeout: 20_000 }).toBe(2);
      });
      await drained;
    });
    await advanceTo("07:00", drain, drain);
    await engine.stop();
    const reads = server.calls.filter(({ path }) => path === "channels");
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await getRunSummary(service, day)).toMatchObject({ planned: 120, read: 120, failed: 0 });
  });

  /** Moves the clock minute by minute, as a live engine would see it. */
  async function advanceTo(time: string, each: () => Promise<void>, last: () => Promise<void>): Promise<void> {
    const end = toDate(`${day}T${time}:00Z`);
    while (service.clock.now() < end) {
      service.clock.advance(MINUTE);
      await (service.clock.now() < end ? each() : last());
    }
  }

  it("reads 120 channels with exactly 3 calls when a process starts at 06:00", async () => {
    await track(120);
    service.clock.set(`${day}T06:00:00Z`);
    const { engine, catchUp } = await createJobs(service);
    engine.fireCron("creator-growth-plan-day", service.clock.now());
    engine.fireCron("creator-growth-resume-day", service.clock.now());
    await catchUp();
    await engine.drain((to) => service.clock.set(to));
    await engine.stop();
    expect(server.calls).toHaveLength(3);
    expect(await getRunSummary(service, day)).toMatchObject({ read: 120, failed: 0 });
  });

  it.each([["a 503", ERRORS.backend] as const, ["a cut connection", "reset"] as const])(
    "retries each failure and gets every answer with %s at every third call",
    async (_, trouble) => {
      await track(CREATORS);
      server.failEvery = { every: 3, fault: trouble };
      await run();
      expect(server.countAnswered("channels")).toBe(CALLS);
      expect(countFailedCalls()).toBe(Math.floor(server.calls.length / 3));
      expect(server.calls).toHaveLength(CALLS + countFailedCalls());
      expect(await getRunSummary(service, day)).toMatchObject({ read: CREATORS, failed: 0, unavailable: 0 });
      expect(await readUnitsUsed()).toBe(server.calls.length);
    },
  );

  it.each([
    ["summer", "2026-07-20", "07:00"],
    ["winter", "2026-12-14", "08:00"],
  ])("waits for YouTube's midnight when the quota is used up and misses no channel: %s", async (_, date, midnight) => {
    day = date;
    service.clock.set(`${addDays(day, -1)}T12:00:00Z`);
    await track(CREATORS);
    server.allow({ general: 5 });
    await run();
    const now = service.clock.now();
    expect(now.getTime()).toBeGreaterThanOrEqual(toDate(`${day}T${midnight}:00Z`).getTime());
    expect(toUtcDay(now)).toBe(day);
    expect(server.countAnswered("channels")).toBe(CALLS);
    expect(await getRunSummary(service, day)).toMatchObject({ read: CREATORS, failed: 0, unavailable: 0 });
    // Calls under way when the first was refused; the ledger holds back all others.
    expect(countFailedCalls()).toBeGreaterThan(0);
    expect(countFailedCalls()).toBeLessThanOrEqual(10);
  });

  it("marks missing channels as unavailable and stores null for hidden counts", async () => {
    await track(3);
    server.hide(createChannelId(0));
    server.show(createChannelId(1), { hidden: true });
    await run();
    expect(await getRunSummary(service, day)).toMatchObject({
      planned: 3,
      read: 2,
      unavailable: 1,
      failed: 0,
    });
    const rows = await service.db.select().from(snapshots).where(eq(snapshots.day, day));
    expect(rows.find((row) => row.channelId === createChannelId(1))?.subscribers).toBeNull();
  });

  it("stores and alerts on the other channels of a batch when one has no statistics", async () => {
    const [odd, riser] = [createChannelId(0), createChannelId(1)];
    await track(60);
    await run("06:00");
    const before = day;
    day = addDays(day, 1);
    server.show(odd, { item: { statistics: undefined } });
    server.show(riser, { subscribers: 1500 });
    await run("06:00");
    expect(await getRunSummary(service, before)).toMatchObject({ planned: 60, read: 60 });
    expect(await getRunSummary(service, day)).toMatchObject({
      planned: 60,
      read: 59,
      unavailable: 0,
      failed: 1,
      alerts: 1,
    });
    const [creator] = await service.db.select().from(channels).where(eq(channels.id, odd));
    expect(creator).toMatchObject({ status: "active", lastSnapshotAt: toDate(`${before}T06:00:00Z`) });
    day = addDays(day, 1);
  });

  describe("calls needed for the daily run", () => {
    const getNextReset = () => startOfPacificDay(day);
    const countNeeded = () => countCallsNeeded(service, getNextReset());

    it("needs one call per 50 channels that active keys track, until the run is planned", async () => {
      expect(await countNeeded()).toBe(0);
      await track(51);
      expect(await countNeeded()).toBe(2);
      const other = await createKey(service);
      await trackUnread(service, other.id, [createChannelId(0), createChannelId(900)]);
      expect(await countNeeded()).toBe(2);
      await revokeKey(service, keyId);
      expect(await countNeeded()).toBe(1);
    });

    it("needs one call per unfinished batch once the run is planned", async () => {
      await track(120);
      await run();
      expect(await countNeeded()).toBe(0);
      const isThird = and(eq(snapshotBatches.day, day), eq(snapshotBatches.batch, 2));
      await service.db.update(snapshotBatches).set({ status: "failed" }).where(isThird);
      expect(await countNeeded()).toBe(1);
      // After the reset, the next day's run needs its calls too.
      service.clock.set(getNextReset());
      expect(await countCallsNeeded(service, startOfPacificDay(addDays(day, 1)))).toBe(1 + 3);
    });
  });

  it("keeps its units reserved from spare calls", async () => {
    await track(120);
    await service.db
      .insert(dailyAllowances)
      .values({ scope: "service", kind: "general_units", day: addDays(day, -1), used: 9_996 });
    const { platform } = service;
    expect((await platform.listChannels([createChannelId(0)], "spare")).channels).toHaveLength(1);
    await expect(platform.listChannels([createChannelId(0)], "spare")).rejects.toMatchObject({
      failure: "quota_exhausted",
      detail: "the remaining YouTube units are reserved for the daily run",
    });
    await run();
    expect(await getRunSummary(service, day)).toMatchObject({ read: 120, failed: 0 });
    expect(server.calls).toHaveLength(4);
  });
});
