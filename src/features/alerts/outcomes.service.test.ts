import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, type Day, HOUR, startOfDay, toDate } from "@/core/time";
import { alerts, snapshots, trackedCreators } from "@/db/schema";
import { upsertChannels } from "@/features/growth/service";
import { createChannelId, createFakePlatform } from "@/test/platform";
import { createKey, type TestKey, useService } from "@/test/service";
import { getAlertAccuracy, gradeAlerts } from "./outcomes.service";
import { listAlerts } from "./service";

const DAY: Day = "2026-03-10";

describe("alert outcomes", () => {
  const service = useService();
  let key: TestKey;
  let next = 0;

  beforeEach(async () => {
    await service.db.delete(alerts);
    key = await createKey(service);
  });

  const toGradingTime = (day: Day) => toDate(startOfDay(day).getTime() + 9 * HOUR);

  async function insertChannel(): Promise<string> {
    const id = createChannelId(next++);
    const platform = createFakePlatform(service.clock);
    service.clock.set(toGradingTime(DAY));
    platform.show(id, DAY, 1000);
    await upsertChannels(service, (await platform.listChannels([id])).channels);
    return id;
  }

  /** An alert of a growth from 500 to 600, on a day, whose key tracks the channel unless `trackedSince` is null. */
  async function insertAlert({
    trackedSince = startOfDay(addDays(DAY, -1)),
    ...more
  }: Partial<typeof alerts.$inferInsert> & { trackedSince?: Date | null } = {}): Promise<string> {
    const channel = more.channelId ?? (await insertChannel());
    const keyId = more.keyId ?? key.id;
    if (trackedSince)
      await service.db
        .insert(trackedCreators)
        .values({ keyId, channelId: channel, trackedSince })
        .onConflictDoNothing();
    await service.db.insert(alerts).values({
      keyId: key.id,
      channelId: channel,
      day: DAY,
      subscribersBefore: 500,
      subscribersAfter: 600,
      severity: "RISING FAST",
      message: "grew",
      createdAt: toGradingTime(DAY),
      label: "sustained",
      reason: "It grew.",
      ...more,
    });
    return channel;
  }

  async function read(
    id: string,
    day: Day,
    subscribers: number | null,
    source: "daily" | "track" = "daily",
  ): Promise<void> {
    const scored = { score: 0, scoreVersion: 1, scoreParts: {} };
    await service.db
      .insert(snapshots)
      .values({ channelId: id, day, readAt: startOfDay(day), source, subscribers, ...scored });
  }

  async function gradeOn(day: Day): Promise<void> {
    service.clock.set(toGradingTime(day));
    await gradeAlerts(service);
  }

  const readGrades = async (id: string) => {
    const [row] = await service.db.select().from(alerts).where(eq(alerts.channelId, id));
    return [row?.outcome7d, row?.outcome28d];
  };

  it("grades an alert after 7 and 28 days and stores the time of each grade", async () => {
    const id = await insertAlert();
    for (const [days, count] of [
      [6, 9000],
      [7, 649],
      [8, 9000],
      [28, 700],
    ] as const)
      await read(id, addDays(DAY, days), count);
    await gradeOn(addDays(DAY, 6));
    expect(await readGrades(id)).toEqual([null, null]);
    await gradeOn(addDays(DAY, 7));
    expect(await readGrades(id)).toEqual(["faded", null]);
    await gradeOn(addDays(DAY, 27));
    expect(await readGrades(id)).toEqual(["faded", null]);
    await gradeOn(addDays(DAY, 28));
    expect(await readGrades(id)).toEqual(["faded", "held"]);
    const [row] = await service.db.select().from(alerts);
    expect(row).toMatchObject({
      outcome7dAt: toGradingTime(addDays(DAY, 7)),
      outcome28dAt: toGradingTime(addDays(DAY, 28)),
    });
  });

  it("keeps an outcome when the snapshots change later", async () => {
    const id = await insertAlert();
    await read(id, addDays(DAY, 7), 700);
    await gradeOn(addDays(DAY, 7));
    await service.db.update(snapshots).set({ subscribers: 1 }).where(eq(snapshots.channelId, id));
    await gradeOn(addDays(DAY, 8));
    expect(await readGrades(id)).toEqual(["held", null]);
    const [row] = await service.db.select().from(alerts);
    expect(row?.outcome7dAt).toEqual(toGradingTime(addDays(DAY, 7)));
  });

  it("waits two days for a missing or hidden count, then grades the alert as unclear", async () => {
    const [late, never] = [await insertAlert(), await insertAlert()];
    await read(late, addDays(DAY, 7), null);
    for (const days of [7, 8]) {
      await gradeOn(addDays(DAY, days));
      expect(await readGrades(late)).toEqual([null, null]);
    }
    await read(late, addDays(DAY, 9), 650);
    await read(never, addDays(DAY, 10), 650);
    await gradeOn(addDays(DAY, 9));
    expect([await readGrades(late), await readGrades(never)]).toEqual([
      ["held", null],
      [null, null],
    ]);
    await gradeOn(addDays(DAY, 10));
    expect(await readGrades(never)).toEqual(["unclear", null]);
  });

  it("grades only by snapshots that were taken for the alert's key", async () => {
    const untracked = await insertAlert({ trackedSince: null });
    const tracksAgainLater = await insertAlert({ trackedSince: startOfDay(addDays(DAY, 8)) });
    const tracksAgain = await insertAlert({ trackedSince: toGradingTime(addDays(DAY, 7)) });
    const missed = await insertAlert();
    for (const id of [untracked, tracksAgainLater]) await read(id, addDays(DAY, 7), 650);
    for (const id of [tracksAgain, missed]) await read(id, addDays(DAY, 7), 650, "track");
    await gradeOn(addDays(DAY, 7));
    expect(await readGrades(tracksAgain)).toEqual(["held", null]);
    for (const id of [untracked, tracksAgainLater, missed]) expect(await readGrades(id)).toEqual([null, null]);
    await gradeOn(addDays(DAY, 10));
    for (const id of [untracked, tracksAgainLater, missed]) expect(await readGrades(id)).toEqual(["unclear", null]);
  });

  it("grades an alert late when no grading ran for weeks", async () => {
    const id = await insertAlert();
    await read(id, addDays(DAY, 7), 650);
    await gradeOn(addDays(DAY, 60));
    expect(await readGrades(id)).toEqual(["held", "unclear"]);
  });

  it("grades more than 1,000 alerts in several rounds", async () => {
    const channel = await insertAlert({ day: addDays(DAY, 1) });
    await read(channel, addDays(DAY, 7), 650);
    const rows = Array.from({ length: 1100 }, (_, number) => ({
      keyId: key.id,
      channelId: channel,
      day: addDays(DAY, -number),
      subscribersBefore: 500,
      subscribersAfter: 600,
      severity: "RISING FAST" as const,
      message: "grew",
      createdAt: toGradingTime(DAY),
    }));
    await service.db.insert(alerts).values(rows);
    await gradeOn(addDays(DAY, 7));
    expect(await service.db.$count(alerts, eq(alerts.outcome7d, "held"))).toBeGreaterThan(0);
    expect(await service.db.$count(alerts, eq(alerts.outcome7d, "unclear"))).toBeGreaterThan(1000);
  });

  it("grades alerts in the job at 09:00 UTC and at each start", async () => {
    const id = await insertAlert();
    await read(id, addDays(DAY, 7), 650);
    service.clock.set(toGradingTime(addDays(DAY, 7)));
    service.engine.fireCron("creator-growth-grade-alerts", service.clock.now());
    await service.drain();
    expect(await readGrades(id)).toEqual(["held", null]);
    const other = await insertAlert();
    await read(other, addDays(DAY, 7), 601);
    service.clock.set(toGradingTime(addDays(DAY, 8)));
    await service.catchUp();
    expect(await readGrades(other)).toEqual(["faded", null]);
  });

  it("shows the outcome in the key's alerts", async () => {
    const id = await insertAlert();
    await read(id, addDays(DAY, 7), 650);
    const readShown = async () => (await listAlerts(service, key.id, { offset: 0, limit: 1 })).alerts[0]?.outcome;
    expect(await readShown()).toBeNull();
    await gradeOn(addDays(DAY, 7));
    expect(await readShown()).toBe("held");
    await gradeOn(addDays(DAY, 40));
    expect(await readShown()).toBe("held");
  });

  describe("public accuracy", () => {
    it("counts outcomes by severity and label after 7 and 28 days, over the last 90 days", async () => {
      await insertAlert({
        outcome7d: "held",
        outcome7dAt: toGradingTime(DAY),
        outcome28d: "faded",
        outcome28dAt: toGradingTime(DAY),
      });
      await insertAlert({
        outcome7d: "faded",
        outcome7dAt: toGradingTime(DAY),
        label: "single_day",
        severity: "EXPLOSIVE",
      });
      await insertAlert({ outcome7d: "unclear", outcome7dAt: toGradingTime(DAY), label: null, reason: null });
      await insertAlert();
      await insertAlert({ day: addDays(DAY, -90), outcome7d: "held", outcome7dAt: toGradingTime(DAY) });
      service.clock.set(toGradingTime(DAY));
      const { horizons, ...rest } = await getAlertAccuracy(service);
      expect(rest).toEqual({ from: addDays(DAY, -89), to: DAY, alerts: 4, rises: 4, held_chance: null });
      const none = { held: 0, faded: 0, unclear: 0 };
      expect(horizons[0]).toEqual({
        days: 7,
        all: { held: 1, faded: 1, unclear: 1 },
        rises: { held: 1, faded: 1, unclear: 1 },
        by_severity: [
          { severity: "EXPLOSIVE", ...none, faded: 1 },
          { severity: "SURGING", ...none },
          { severity: "RISING FAST", ...none, held: 1, unclear: 1 },
          { severity: "WATCH", ...none },
        ],
        by_month: [
          {
            month: DAY.slice(0, 7),
            all: { held: 1, faded: 1, unclear: 1 },
            rises: { held: 1, faded: 1, unclear: 1 },
          },
        ],
        by_label: [
          { label: "sustained", ...none, held: 1 },
          { label: "single_day", ...none, faded: 1 },
          { label: "recovery", ...none },
          { label: "too_early", ...none },
        ],
      });
      expect(horizons[1]).toMatchObject({ days: 28, all: { held: 0, faded: 1, unclear: 0 } });
    });

    it("counts a rise by its first alert, beside all its alerts", async () => {
      const channel = await insertChannel();
      for (const ago of [20, 19, 18, 12, 4]) {
        const outcome7d = ago === 20 ? ("held" as const) : ("faded" as const);
        const day = addDays(DAY, -ago);
        await insertAlert({ channelId: channel, day, outcome7d, outcome7dAt: toGradingTime(DAY) });
      }
      await insertAlert({ day: addDays(DAY, -18), outcome7d: "held", outcome7dAt: toGradingTime(DAY) });
      service.clock.set(toGradingTime(DAY));
      const { alerts: made, rises, horizons } = await getAlertAccuracy(service);
      expect([made, rises]).toEqual([6, 3]);
      expect(horizons[0]?.all).toEqual({ held: 2, faded: 4, unclear: 0 });
      expect(horizons[0]?.rises).toEqual({ held: 2, faded: 1, unclear: 0 });
    });

    it("counts an alert once, by the best outcome that any key saw", async () => {
      const channel = await insertAlert({ outcome7d: "held", outcome7dAt: toGradingTime(DAY) });
      for (const outcome7d of ["unclear", null] as const) {
        const other = await createKey(service);
        const outcome7dAt = outcome7d && toGradingTime(DAY);
        await insertAlert({ channelId: channel, keyId: other.id, outcome7d, outcome7dAt });
      }
      service.clock.set(toGradingTime(DAY));
      const { alerts: made, horizons } = await getAlertAccuracy(service);
      expect([made, horizons[0]?.all]).toEqual([1, { held: 1, faded: 0, unclear: 0 }]);
    });

    it("grades held_chance by what held, and leaves out unclear outcomes", async () => {
      const outcome7dAt = toGradingTime(DAY);
      const label = { label: "sustained" as const, reason: "It grew." };
      for (const [outcome7d, fittedHeldChance] of [
        ["held", 0.8],
        ["faded", 0.6],
        ["unclear", 0.1],
      ] as const)
        await insertAlert({ ...label, outcome7d, outcome7dAt, fittedHeldChance });
      service.clock.set(toGradingTime(DAY));
      const { held_chance } = await getAlertAccuracy(service);
      expect(held_chance?.graded).toBe(2);
      for (const [name, value] of [
        ["predicted", 0.7],
        ["seen", 0.5],
        ["brier", 0.2],
        ["base_brier", 0.25],
      ] as const)
        expect(held_chance?.[name]).toBeCloseTo(value, 9);
    });

    it("counts an alert once, however many keys received it", async () => {
      const graded = { outcome7d: "held" as const, outcome7dAt: toGradingTime(DAY) };
      const channel = await insertAlert(graded);
      for (let keys = 0; keys < 3; keys++) {
        const other = await createKey(service);
        await insertAlert({ ...graded, channelId: channel, keyId: other.id });
      }
      service.clock.set(toGradingTime(DAY));
      const { alerts: made, horizons } = await getAlertAccuracy(service);
      expect([made, horizons[0]?.all.held]).toEqual([1, 1]);
    });
  });
});
