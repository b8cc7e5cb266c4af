import { randomBytes } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { addDays, type Day, HOUR, ManualClock, MINUTE, startOfDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { channels, snapshots } from "@/db/schema";
import type { ChannelStats } from "@/platform/port";
import { useService } from "@/test/service";
import { loadGrowth } from "./details.service";
import { keepLevel, SCORE_VERSION, scoreChannel } from "./score.rules";
import { insertUnread, recordSnapshots, upsertChannels } from "./service";

const TODAY = "2026-03-10";

/** 06:00 UTC of a day, the time of the daily run. */
const toRunTime = (day: Day) => new Date(startOfDay(day).getTime() + 6 * HOUR);

function createChannelId(): string {
  return `UC${randomBytes(11).toString("hex")}`;
}

function createStats(channelId: string, subscribers: number | null): ChannelStats {
  return {
    channelId,
    name: "Some Maker",
    handle: "@somemaker",
    thumbnailUrl: null,
    country: "NZ",
    subscribers,
    views: 3_000_000_000,
    videos: 100,
  };
}

/** Stores a look-up of a channel at an instant. */
const lookUp = (ctx: CoreContext, at: Date, ...stats: ChannelStats[]) =>
  upsertChannels({ ...ctx, clock: new ManualClock(at) }, stats);

describe("recording of snapshots", () => {
  const service = useService();

  async function record(source: "daily" | "track", at: Date, stats: ChannelStats) {
    service.clock.set(at);
    return (await recordSnapshots(service, at.toISOString().slice(0, 10), source, [stats])).stored;
  }

  const recordDaily = (id: string, day: Day, subscribers: number | null) =>
    record("daily", toRunTime(day), createStats(id, subscribers));

  const readStored = (channelId: string) =>
    service.db.select().from(snapshots).where(eq(snapshots.channelId, channelId)).orderBy(asc(snapshots.day));

  async function readChannel(channelId: string) {
    const [channel] = await service.db.select().from(channels).where(eq(channels.id, channelId));
    return channel;
  }

  describe("snapshot of the day", () => {
    it("stores statistics, time and source with the score and its parts", async () => {
      const id = createChannelId();
      await recordDaily(id, TODAY, 5_000_000_000);
      const score = scoreChannel([], TODAY, createStats(id, 5_000_000_000));
      expect(await readStored(id)).toEqual([
        {
          channelId: id,
          day: TODAY,
          readAt: toRunTime(TODAY),
          source: "daily",
          uploads7d: null,
          uploadViews7d: null,
          subscribers: 5_000_000_000,
          views: 3_000_000_000,
          videos: 100,
          score: score.value,
          scoreVersion: SCORE_VERSION,
          chance7d: null,
          chance28d: null,
          expected7d: null,
          expected28d: null,
          scoreParts: {},
        },
      ]);
      expect(await readChannel(id)).toMatchObject({
        name: "Some Maker",
        status: "active",
        subscribers: 5_000_000_000,
        score: score.value,
        scoreBasis: "profile",
        growth1dPercent: null,
        growth7dPercent: null,
        lastSnapshotAt: toRunTime(TODAY),
      });
    });

    it("stores the chances of a measured score in the snapshot and the channel", async () => {
      const id = createChannelId();
      await recordDaily(id, addDays(TODAY, -1), 1000);
      await recordDaily(id, TODAY, 1100);
      const [, stored] = await readStored(id);
      expect(stored?.chance7d).toBeGreaterThan(0.1);
      const { chance7d, chance28d, expected7d, expected28d } = stored ?? {};
      expect(expected7d?.low).toBeLessThan(expected7d?.high ?? 0);
      expect(await readChannel(id)).toMatchObject({
        ...{ chance7d, chance28d, expected7d, expected28d, scoreBasis: "history" },
        reason: expect.stringMatching(/^\+.*%/),
      });
      await recordDaily(id, addDays(TODAY, 1), null);
      expect(await readChannel(id)).toMatchObject({
        ...{ chance7d: null, chance28d: null, expected7d: null, expected28d: null, reason: null, score: null },
      });
    });

    it("writes a snapshot once: later statistics of the same source change nothing of the day", async () => {
      for (const source of ["daily", "track"] as const) {
        const id = createChannelId();
        await recordDaily(id, addDays(TODAY, -1), 1000);
        expect(await record(source, toRunTime(TODAY), createStats(id, 1100))).toHaveLength(1);
        const [stored, channel] = [await readStored(id), await readChannel(id)];
        const later = new Date(toRunTime(TODAY).getTime() + HOUR);
        expect(await record(source, later, createStats(id, 2000))).toEqual([]);
        expect(await readStored(id)).toEqual(stored);
        expect(await readChannel(id)).toEqual({ ...channel, readAt: later });
      }
    });

    it("replaces a snapshot taken for tracking by the daily run's, with its growth and score", async () => {
      const id = createChannelId();
      await recordDaily(id, addDays(TODAY, -1), 1000);
      const morning = new Date(startOfDay(TODAY).getTime() + MINUTE);
      await record("track", morning, createStats(id, 1050));
      expect((await readStored(id))[1]).toMatchObject({ source: "track", subscribers: 1050 });
      expect(await recordDaily(id, TODAY, 1250)).toEqual([id]);
      const stored = await readStored(id);
      expect(stored).toHaveLength(2);
      expect(stored[1]).toMatchObject({ source: "daily", subscribers: 1250, readAt: toRunTime(TODAY) });
      const channel = await readChannel(id);
      expect(channel).toMatchObject({ growth1dPercent: 25, lastSnapshotAt: toRunTime(TODAY) });
      expect(channel?.score).toBe(stored[1]?.score);
    });

    it("never replaces the daily run's snapshot by one taken for tracking", async () => {
      const id = createChannelId();
      await recordDaily(id, TODAY, 1000);
      const stored = await readStored(id);
      const noon = new Date(startOfDay(TODAY).getTime() + 12 * HOUR);
      expect(await record("track", noon, createStats(id, 1300))).toEqual([]);
      expect(await readStored(id)).toEqual(stored);
    });

    it("writes each snapshot once in parallel transactions over the same channels in any order", async () => {
      const readings = Array.from({ length: 500 }, (_, index) => createStats(createChannelId(), 1000 + index));
      service.clock.set(toRunTime(TODAY));
      const runs = Array.from({ length: 6 }, (_, index) => (index % 2 ? readings : readings.toReversed()));
      const written = await Promise.all(
        runs.map((run) => service.db.transaction((tx) => recordSnapshots({ ...service, db: tx }, TODAY, "daily", run))),
      );
      const ids = written.flatMap(({ stored }) => stored);
      expect(ids).toHaveLength(readings.length);
      expect(new Set(ids)).toEqual(new Set(readings.map(({ channelId }) => channelId)));
    });

    it("accepts an empty list", async () => {
      expect(await recordSnapshots(service, TODAY, "daily", [])).toEqual({ stored: [], changes: [] });
    });
  });

  describe("one-day growth", () => {
    it("computes one-day growth from the day before", async () => {
      const id = createChannelId();
      await recordDaily(id, addDays(TODAY, -1), 1000);
      await recordDaily(id, TODAY, 1125);
      expect(await readChannel(id)).toMatchObject({ growth1dPercent: 12.5 });
    });

    it("clears one-day growth after a missed day instead of keeping the older value", async () => {
      const id = createChannelId();
      await recordDaily(id, addDays(TODAY, -3), 1000);
      await recordDaily(id, addDays(TODAY, -2), 1100);
      expect(await readChannel(id)).toMatchObject({ growth1dPercent: 10 });
      await recordDaily(id, TODAY, 1500);
      expect(await readChannel(id)).toMatchObject({ growth1dPercent: null });
    });

    it.each([
      ["36 hours", 36 * HOUR, 20],
      ["a millisecond more than 36 hours", 36 * HOUR + 1, null],
    ])("computes growth from snapshots %s apart (%i ms): %s", async (_, apart, growth) => {
      const id = createChannelId();
      const late = new Date(startOfDay(TODAY).getTime() + 18 * HOUR);
      await record("track", new Date(late.getTime() - apart), createStats(id, 500));
      await record("daily", late, createStats(id, 600));
      expect(await readChannel(id)).toMatchObject({ growth1dPercent: growth });
    });

    it.each([
      ["from zero", 0, 500],
      ["from a hidden count", null, 500],
      ["to a hidden count", 500, null],
    ])("stores no one-day growth %s", async (_, before, after) => {
      const id = createChannelId();
      await recordDaily(id, addDays(TODAY, -1), before);
      await recordDaily(id, TODAY, after);
      expect(await readChannel(id)).toMatchObject({ growth1dPercent: null, subscribers: after });
    });
  });

  it("computes seven-day growth from the snapshot of exactly seven days before", async () => {
    for (const [days, growth] of [
      [6, null],
      [7, 50],
      [8, null],
    ] as const) {
      const id = createChannelId();
      await recordDaily(id, addDays(TODAY, -days), 2000);
      await recordDaily(id, TODAY, 3000);
      expect(await readChannel(id), `${days} days`).toMatchObject({ growth7dPercent: growth });
    }
  });

  it("scores by the stored snapshots of 28 days and keeps the parts", async () => {
    const id = createChannelId();
    for (const [days, subscribers] of [
      [29, 100],
      [28, 10_000],
      [7, 11_000],
      [1, 12_000],
    ] as const)
      await recordDaily(id, addDays(TODAY, -days), subscribers);
    await recordDaily(id, TODAY, 12_500);
    const known = [28, 7, 1, 0].map((days, index) => ({
      day: addDays(TODAY, -days),
      readAt: toRunTime(addDays(TODAY, -days)),
      subscribers: [10_000, 11_000, 12_000, 12_500][index] ?? null,
      views: 3_000_000_000,
    }));
    const { value, parts } = scoreChannel(known, TODAY, createStats(id, 12_500));
    const stored = await readStored(id);
    const published = keepLevel(value, [stored.at(-2)?.score ?? null, null, null]);
    expect(stored.at(-1)).toMatchObject({ day: TODAY, score: published, scoreParts: parts ?? {} });
    expect(parts).toMatchObject({ growth_28d: expect.any(Number), persistence: 0.5, growth_by_views: 0 });
    expect(await readChannel(id)).toMatchObject({ score: published, scoreBasis: "history" });
  });

  it("keeps RISING on the two days after it was reached", async () => {
    const id = createChannelId();
    const counts = [...new Array<number>(10).fill(2000), 2150, 2150, 2150, 2150];
    for (const [index, subscribers] of counts.entries())
      await recordDaily(id, addDays(TODAY, index - counts.length), subscribers);
    const scores = (await readStored(id)).map(({ score }) => score ?? 0);
    expect(scores.slice(10)).toEqual([54, 50, 50, 37]);
  });

  it("keeps a snapshot's counts through look-ups of that day and the day after", async () => {
    const id = createChannelId();
    await recordDaily(id, addDays(TODAY, -1), 1000);
    await recordDaily(id, TODAY, 1200);
    const known = await readChannel(id);
    await lookUp(service, new Date(toRunTime(TODAY).getTime() - 1), createStats(id, 900));
    expect(await readChannel(id)).toEqual(known);
    for (const day of [TODAY, addDays(TODAY, 1)]) {
      const later = new Date(toRunTime(day).getTime() + 1);
      await lookUp(service, later, { ...createStats(id, 1300), name: "New Name" });
      expect(await readChannel(id)).toEqual({ ...known, name: "New Name", readAt: later });
    }
    await lookUp(service, startOfDay(addDays(TODAY, 2)), createStats(id, 1400));
    expect(await readChannel(id)).toMatchObject({ subscribers: 1400, score: known?.score });
    await lookUp(service, toRunTime(addDays(TODAY, 29)), createStats(id, 1500));
    expect(await readChannel(id)).toMatchObject({ subscribers: 1500, scoreBasis: "profile" });
  });

  it("keeps a daily run's counts until the next run, also when the channel is read in between", async () => {
    const id = createChannelId();
    await recordDaily(id, addDays(TODAY, -2), 900);
    await recordDaily(id, addDays(TODAY, -1), 1000);
    const shown = await readChannel(id);
    const morning = new Date(startOfDay(TODAY).getTime() + MINUTE);
    await record("track", morning, createStats(id, 1050));
    expect(await readChannel(id)).toEqual({ ...shown, readAt: morning });
    expect((await loadGrowth(service, [id]))(id).growth[0]).toMatchObject({
      subscribers_after: 1000,
      percent: shown?.growth1dPercent,
    });
  });

  it("stores no score for a hidden count and scores it again once it is shown", async () => {
    const id = createChannelId();
    await recordDaily(id, addDays(TODAY, -2), 1000);
    await recordDaily(id, addDays(TODAY, -1), null);
    const hidden = { score: null, scoreBasis: "profile", subscribers: null };
    expect(await readChannel(id)).toMatchObject(hidden);
    expect((await readStored(id)).at(-1)).toMatchObject({ score: null, scoreParts: {} });
    await recordDaily(id, TODAY, 1200);
    expect(await readChannel(id)).toMatchObject({ score: expect.any(Number), scoreBasis: "history" });
  });
});

describe("upsertChannels", () => {
  const service = useService();

  it("does not deadlock when it updates known channels and inserts new ones", async () => {
    const [fresh = "", known = ""] = [createChannelId(), createChannelId()].sort();
    await lookUp(service, toRunTime(TODAY), createStats(known, 1000));
    let second: Promise<unknown> = Promise.resolve();
    await inTransaction<CoreContext, void>(service, async (tx) => {
      await insertUnread(tx, [fresh]);
      second = inTransaction(service, (other) =>
        lookUp(other, toRunTime(TODAY), createStats(fresh, 3000), createStats(known, 3000)),
      );
      const waiting = sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect(await service.db.execute(waiting)).toHaveLength(1), {
        timeout: 10_000,
      });
      await lookUp(tx, toRunTime(TODAY), createStats(known, 2000));
    });
    await second;
    const [row] = await service.db.select().from(channels).where(eq(channels.id, known));
    expect(row?.subscribers).toBe(3000);
  });
});
