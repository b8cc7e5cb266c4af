import { beforeEach, describe, expect, it } from "vitest";
import { addDays, type Day, HOUR, startOfDay, toDate } from "@/core/time";
import { alerts, channels, scoreGrades, snapshots } from "@/db/schema";
import { SCORE_VERSION } from "@/features/growth/score.rules";
import { createChannelId } from "@/test/platform";
import { useService } from "@/test/service";
import { compareChannels, deleteComparisons, getScoreAccuracy } from "./comparison.service";

const TODAY: Day = "2026-03-20";
const toRunTime = (day: Day) => toDate(startOfDay(day).getTime() + 6 * HOUR);

describe("comparison of channels", () => {
  const service = useService();

  beforeEach(async () => {
    service.clock.set(toRunTime(TODAY));
    for (const table of [scoreGrades, alerts, snapshots, channels]) await service.db.delete(table);
  });

  type ChannelRow = typeof channels.$inferInsert;

  async function insertChannels(given: (Partial<ChannelRow> & Pick<ChannelRow, "score">)[]): Promise<void> {
    const rows = given.map((row, index) => ({
      id: createChannelId(index),
      name: "Some Maker",
      status: "active" as const,
      subscribers: 5000,
      readAt: toRunTime(TODAY),
      lastSnapshotAt: toRunTime(TODAY),
      scoreBasis: "history" as const,
      scoreVersion: SCORE_VERSION,
      ...row,
    }));
    await service.db.insert(channels).values(rows);
  }

  async function readPercentiles(): Promise<Map<string, number | null>> {
    const rows = await service.db.select({ id: channels.id, percentile: channels.percentile }).from(channels);
    return new Map(rows.map(({ id, percentile }) => [id, percentile]));
  }

  const readCompared = async () => {
    await compareChannels(service, TODAY, true);
    const found = await readPercentiles();
    return Array.from({ length: found.size }, (_, index) => found.get(createChannelId(index)));
  };

  describe("percentile", () => {
    it("counts the share of other channels that are behind, ties counting half", async () => {
      await insertChannels(Array.from({ length: 21 }, (_, index) => ({ score: index < 4 ? 3 : index })));
      const found = await readCompared();
      // The four lowest tie: none of 20 others is behind, and the three that tie count half.
      expect(found.slice(0, 4)).toEqual([7.5, 7.5, 7.5, 7.5]);
      expect(found.slice(4, 6)).toEqual([20, 25]);
      expect(found.at(-1)).toBe(100);
    });

    it("compares a channel within its own size band only", async () => {
      const small = Array.from({ length: 20 }, (_, index) => ({ score: index, subscribers: 999 }));
      const large = Array.from({ length: 20 }, (_, index) => ({ score: 50 + index, subscribers: 1000 }));
      await insertChannels([...small, ...large]);
      const found = await readCompared();
      expect(found[19]).toBe(100);
      expect(found[20]).toBe(0);
    });

    it("returns null below 20 comparable channels, and for channels that cannot be compared", async () => {
      const peers = Array.from({ length: 19 }, (_, index) => ({ score: index }));
      const others = [
        { score: 1, scoreBasis: "profile" as const },
        { score: 1, status: "unavailable" as const },
        { score: null, subscribers: null },
        { score: 1, lastSnapshotAt: toRunTime(addDays(TODAY, -7)) },
      ];
      await insertChannels([...peers, ...others]);
      expect(new Set(await readCompared())).toEqual(new Set([null]));
      await service.db.insert(channels).values({
        id: createChannelId(100),
        name: "One More",
        status: "active",
        subscribers: 5000,
        readAt: toRunTime(TODAY),
        lastSnapshotAt: toRunTime(TODAY),
        score: 100,
        scoreBasis: "history",
        scoreVersion: SCORE_VERSION,
      });
      await compareChannels(service, TODAY, true);
      const found = await readPercentiles();
      expect(found.get(createChannelId(100))).toBe(100);
      for (const index of [19, 20, 21, 22]) expect(found.get(createChannelId(index))).toBeNull();
    });

    it("clears the percentile when the channel can no longer be compared", async () => {
      await insertChannels(Array.from({ length: 25 }, (_, index) => ({ score: index })));
      await readCompared();
      await service.db.update(channels).set({ subscribers: null, score: null });
      expect(new Set(await readCompared())).toEqual(new Set([null]));
    });
  });

  /** Only the day's own score has parts, as a score from history has. */
  const createParts = (offset: number): Record<string, number> => (offset === 0 ? { persistence: 1 } : {});

  /** Channels with a score on a day, and their counts before it (a week), on the day, and a week after it. */
  async function insertHistories(
    day: Day,
    lives: { score: number; counts: [number, number, number | null] }[],
    before = 7,
  ) {
    await insertChannels(lives.map(({ score }) => ({ score })));
    const rows = lives.flatMap(({ score, counts }, index) =>
      [-before, 0, 7].map((offset, at) => ({
        channelId: createChannelId(index),
        day: addDays(day, offset),
        readAt: toRunTime(addDays(day, offset)),
        source: "daily" as const,
        subscribers: counts[at],
        score,
        scoreVersion: SCORE_VERSION,
        scoreParts: createParts(offset),
      })),
    );
    await service.db.insert(snapshots).values(rows);
  }

  /** Scores from 0 to 99, each followed by that growth in tenths of a percent. */
  const foreseen = Array.from({ length: 100 }, (_, score) => ({
    score,
    counts: [1000 + score, 1000, 1000 + score] as [number, number, number],
  }));

  describe("score accuracy", () => {
    it("grades scores a week later by what followed, beside simple rankings", async () => {
      await insertHistories(addDays(TODAY, -7), foreseen);
      await compareChannels(service, TODAY, true);
      const record = await getScoreAccuracy(service);
      expect(record).toMatchObject({
        first_day: addDays(TODAY, -7),
        last_day: addDays(TODAY, -7),
        days: 1,
        channels: 100,
        score_version: SCORE_VERSION,
      });
      expect(record?.rankings.score).toEqual({ rho: 1 });
      expect(record?.rankings.g7).toEqual({ rho: expect.closeTo(-1) });
      expect(record?.lists).toMatchObject({ score: { picked: 5, came: 5 }, g7: { picked: 5, came: 0 } });
      expect(record?.levels).toMatchObject({
        STABLE: { channels: 25 },
        WATCH: { channels: 25 },
        RISING: { channels: 25 },
        HIGH_GROWTH: { channels: 25, came: 25 },
      });
    });

    it("grades simple rankings by the growth so far with only three days of snapshots", async () => {
      const rising = foreseen.map(({ score }) => ({
        score,
        counts: [1000 - score, 1000, 1000 + score] as [number, number, number],
      }));
      await insertHistories(addDays(TODAY, -7), rising, 2);
      await compareChannels(service, TODAY, true);
      const record = await getScoreAccuracy(service);
      expect(record?.rankings).toMatchObject({ g7: { rho: expect.closeTo(1) }, g14: { rho: expect.closeTo(1) } });
      expect(record?.lists.g7).toEqual(record?.lists.score);
    });

    it("returns null until a day has 100 channels whose week has passed", async () => {
      await insertHistories(addDays(TODAY, -7), foreseen.slice(1));
      await compareChannels(service, TODAY, true);
      expect(await getScoreAccuracy(service)).toBeNull();
    });

    it("leaves out channels with a hidden later count or a score from totals", async () => {
      await insertHistories(addDays(TODAY, -7), [
        ...foreseen,
        { score: 99, counts: [1000, 1000, null] },
        { score: 99, counts: [99, 99, 99] },
      ]);
      await compareChannels(service, TODAY, true);
      expect(await getScoreAccuracy(service)).toMatchObject({ channels: 100 });
      await service.db.delete(scoreGrades);
      await service.db.update(snapshots).set({ scoreParts: {} });
      await compareChannels(service, TODAY, true);
      expect(await getScoreAccuracy(service)).toBeNull();
    });

    it("grades chances by size, history and shape, and counts the ranges that held", async () => {
      await insertHistories(addDays(TODAY, -7), foreseen);
      await service.db.update(snapshots).set({ chance7d: 0.25, expected7d: { low: 0, high: 4 } });
      await compareChannels(service, TODAY, true);
      const record = await getScoreAccuracy(service);
      const empty = { channels: 0, predicted: null, seen: null };
      // Of growths from 0 to 9.9%, half reach 5% and 41 are at most 4%.
      const all = { channels: 100, predicted: 0.25, seen: 0.5 };
      expect(record?.calibration).toMatchObject({
        by_size: { 100: empty, 1000: all, 10000: empty, 100000: empty },
        by_history: { 1: empty, 3: empty, 7: all, 14: empty, 28: empty },
        by_shape: { steady: empty, lone_jump: empty, recovering: empty },
      });
      expect(record?.calibration.by_size[1000].bins).toMatchObject(
        Array.from({ length: 10 }, (_, bin) => (bin === 2 ? all : empty)),
      );
      expect(record?.ranges).toMatchObject({
        7: { channels: 100, coverage: 0.41 },
        28: { channels: 0, coverage: null },
      });
    });

    it("grades a missed day for up to a week", async () => {
      await insertHistories(addDays(TODAY, -14), foreseen);
      await compareChannels(service, addDays(TODAY, 1), true);
      expect(await getScoreAccuracy(service)).toBeNull();
      await compareChannels(service, TODAY, true);
      expect(await getScoreAccuracy(service)).toMatchObject({ first_day: addDays(TODAY, -14) });
    });

    it("returns the same accuracy however often a day is graded", async () => {
      await insertHistories(addDays(TODAY, -7), foreseen);
      await compareChannels(service, TODAY, true);
      const once = await getScoreAccuracy(service);
      await compareChannels(service, TODAY, true);
      expect(await getScoreAccuracy(service)).toEqual(once);
    });
  });

  it("stores neither percentile nor accuracy where channels may not be compared", async () => {
    await insertHistories(addDays(TODAY, -7), foreseen);
    const listKept = async () => [await getScoreAccuracy(service), new Set((await readPercentiles()).values())];
    await compareChannels(service, TODAY, false);
    expect(await listKept()).toEqual([null, new Set([null])]);
    await compareChannels(service, TODAY, true);
    expect((await listKept())[0]).not.toBeNull();
    await deleteComparisons(service);
    expect(await listKept()).toEqual([null, new Set([null])]);
  });
});
