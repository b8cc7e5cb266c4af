import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, type Day, HOUR, startOfDay, toDate } from "@/core/time";
import { alerts, chanceCorrections, channels, scoreGrades, snapshots, trackedCreators } from "@/db/schema";
import { listAlerts } from "@/features/alerts/service";
import { findTracked } from "@/features/creators/rows.service";
import { trackUnread } from "@/features/creators/service";
import { SCORE_VERSION } from "@/features/growth/score.rules";
import { recordSnapshots } from "@/features/growth/service";
import { recordDaily } from "@/features/snapshots/daily.service";
import { createChannelId, createFakePlatform } from "@/test/platform";
import { createKey, type TestKey, useService } from "@/test/service";
import { compareChannels } from "./comparison.service";

const TODAY: Day = "2026-03-20";
const toRunTime = (day: Day) => toDate(startOfDay(day).getTime() + 6 * HOUR);
const OWN = createChannelId(100_000);

describe("correction of chances by the service's own record", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    for (const table of [scoreGrades, chanceCorrections, alerts, snapshots, trackedCreators, channels])
      await service.db.delete(table);
    service.clock.set(toRunTime(addDays(TODAY, -9)));
    key = await createKey(service);
  });

  /** Grades channel-weeks that had a chance of 30% and all grew 10%. */
  async function gradeWeeks(weeks: number): Promise<void> {
    const ids = Array.from({ length: weeks }, (_, index) => createChannelId(index));
    const scored = { score: 40, scoreVersion: SCORE_VERSION };
    const facts = { name: "Some Maker", status: "active", scoreBasis: "history" } as const;
    await service.db.insert(channels).values(ids.map((id) => ({ id, subscribers: 1000, ...facts, ...scored })));
    const insertDay = (offset: number, subscribers: number, more: object) => {
      const day = addDays(TODAY, offset);
      const rows = ids.map((channelId) => ({
        ...{ channelId, day, readAt: toRunTime(day), source: "daily" as const, subscribers, ...scored },
        ...{ scoreParts: {}, ...more },
      }));
      return service.db.insert(snapshots).values(rows);
    };
    await insertDay(-7, 1000, { chance7d: 0.3, scoreParts: { persistence: 1 } });
    await insertDay(0, 1100, {});
    service.clock.set(toRunTime(TODAY));
    await compareChannels(service, TODAY, true);
  }

  /** A creator that grows 3% a day, the day after the grading. @returns its chance in the API and as fitted */
  async function readChance() {
    const platform = createFakePlatform(service.clock);
    for (let ago = 8; ago >= -1; ago--) {
      const day = addDays(TODAY, -ago);
      service.clock.set(toRunTime(day));
      platform.show(OWN, day, Math.round(5000 * 1.03 ** (8 - ago)));
      if (ago === 8) await trackUnread(service, key.id, [OWN]);
      await recordSnapshots(service, day, "daily", (await platform.listChannels([OWN])).channels);
    }
    const { chance_7d } = await findTracked(service, key.id, OWN);
    const stored = await service.db.select().from(snapshots).where(eq(snapshots.channelId, OWN));
    return { shown: chance_7d, fitted: stored.find(({ day }) => day === addDays(TODAY, 1))?.chance7d };
  }

  it("leaves chance_7d unchanged with 499 graded weeks", async () => {
    await gradeWeeks(499);
    expect(await service.db.select().from(chanceCorrections)).toEqual([]);
    const { shown, fitted } = await readChance();
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBe(fitted);
  });

  it("moves chance_7d towards what 500 biased weeks saw, and stores it as fitted for later grades", async () => {
    await gradeWeeks(500);
    expect(await service.db.select().from(chanceCorrections)).toMatchObject([
      { chance: "chance_7d", graded: 500, fittedOn: TODAY, intercept: expect.any(Number) },
    ]);
    const { shown, fitted } = await readChance();
    expect(fitted).toBeGreaterThan(0);
    expect(shown).toBeGreaterThan(fitted ?? 1);
    expect(shown).toBeLessThanOrEqual(1);
  });

  it("forgets the correction when the record becomes too short, or channels may not be compared", async () => {
    await gradeWeeks(500);
    await service.db.delete(scoreGrades);
    await service.db.delete(snapshots);
    await compareChannels(service, TODAY, true);
    expect(await service.db.select().from(chanceCorrections)).toEqual([]);
    await service.db
      .insert(chanceCorrections)
      .values({ chance: "chance_7d", intercept: 1, slope: 1, graded: 500, fittedOn: TODAY });
    await compareChannels(service, TODAY, false);
    expect(await service.db.select().from(chanceCorrections)).toEqual([]);
  });

  /** Graded alerts that came with a chance of 27% and all held, and a new one. @returns the new one */
  async function readNewAlert(graded: number) {
    const platform = createFakePlatform(service.clock);
    const yesterday = addDays(TODAY, -1);
    service.clock.set(toRunTime(yesterday));
    platform.show(OWN, yesterday, 1000);
    await trackUnread(service, key.id, [OWN]);
    await recordSnapshots(service, yesterday, "daily", (await platform.listChannels([OWN])).channels);
    await service.db.insert(alerts).values(
      Array.from({ length: graded }, (_, index) => ({
        ...{ keyId: key.id, channelId: OWN, day: addDays(TODAY, -10 - index), subscribersBefore: 500 },
        ...{ subscribersAfter: 600, severity: "RISING FAST" as const, message: "grew", createdAt: toRunTime(TODAY) },
        ...{ label: "single_day" as const, reason: "It grew.", heldChance: 0.27, fittedHeldChance: 0.27 },
        ...{ outcome7d: "held" as const, outcome7dAt: toRunTime(TODAY) },
      })),
    );
    await compareChannels(service, yesterday, true);
    service.clock.set(toRunTime(TODAY));
    platform.show(OWN, TODAY, 1200);
    await recordDaily(service, TODAY, service.clock.now(), (await platform.listChannels([OWN])).channels);
    const { alerts: listed } = await listAlerts(service, key.id, { offset: 0, limit: 500 });
    const alert = listed.find(({ subscribers_after }) => subscribers_after === 1200);
    const [row] = await service.db.select().from(alerts).where(eq(alerts.day, TODAY));
    return { alert, fitted: row?.fittedHeldChance };
  }

  it("leaves held_chance unchanged with 199 graded alerts", async () => {
    const { alert, fitted } = await readNewAlert(199);
    expect(alert?.held_chance).toBe(fitted);
  });

  it("moves held_chance, and the share in the reason, towards what 200 alerts saw", async () => {
    const { alert, fitted } = await readNewAlert(200);
    expect(fitted).toBe(0.77);
    expect(alert?.held_chance).toBeGreaterThan(0.77);
    expect(alert?.reason).toContain(`${Math.round(100 * (alert?.held_chance ?? 0))}% of such jumps kept growing`);
  });
});
