import { beforeAll, describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { snapshotRuns } from "@/db/schema";
import { listAlerts } from "@/features/alerts/service";
import { listHistory } from "@/features/creators/history.service";
import { trackCreator, untrackCreator } from "@/features/creators/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { useDailyRuns } from "@/test/daily-run";
import { createKey, type TestKey } from "@/test/service";
import { recordDaily } from "./daily.service";
import { getRunSummary } from "./service";

type Case = readonly [name: string, before: number | null, after: number | null];

const WITHOUT_ALERT: readonly Case[] = [
  ["9.9 %", 1000, 1099],
  ["10 % exactly", 1000, 1100],
  ["10 % exactly of a billion", 1_000_000_000, 1_100_000_000],
  ["10 % exactly where a float says more", 1090, 1199],
  ["no growth", 1000, 1000],
  ["a loss", 1000, 900],
  ["growth from zero", 0, 100],
  ["a fall to zero", 100, 0],
  ["growth from a hidden count", null, 2000],
  ["a count hidden since", 1000, null],
];

const WITH_ALERT: readonly [...Case, severity: string][] = [
  ["one subscriber above 10 %", 1000, 1101, "WATCH"],
  ["one subscriber above 10 % of a billion", 1_000_000_000, 1_100_000_001, "WATCH"],
  ["one below 15 %", 1000, 1149, "WATCH"],
  ["15 % exactly", 1000, 1150, "RISING FAST"],
  ["one above 15 %", 1000, 1151, "RISING FAST"],
  ["one below 25 %", 1000, 1249, "RISING FAST"],
  ["25 % exactly", 1000, 1250, "SURGING"],
  ["one above 25 %", 1000, 1251, "SURGING"],
  ["one below 50 %", 1000, 1499, "SURGING"],
  ["50 % exactly", 1000, 1500, "EXPLOSIVE"],
  ["one above 50 %", 1000, 1501, "EXPLOSIVE"],
  ["the tiniest of channels", 1, 2, "EXPLOSIVE"],
  ["15 % exactly where a float says less", 20, 23, "RISING FAST"],
];

describe("alerts of the daily run", () => {
  const runs = useDailyRuns();
  const { service } = runs;

  const listAlertsOfKey = async (key: TestKey) => (await listAlerts(service, key.id, { offset: 0, limit: 100 })).alerts;

  /** Runs two days in which each case's creator goes from one count to another. @returns severities by case */
  async function runCases(): Promise<Map<string, string[]>> {
    runs.setTime(runs.day, "12:00");
    const cases: { name: string; key: TestKey }[] = [];
    for (const [name, before, after] of [...WITHOUT_ALERT, ...WITH_ALERT]) {
      const key = await createKey(service);
      const id = await runs.track(key.id, before);
      runs.platform.show(id, runs.next, after);
      cases.push({ name, key });
    }
    await runs.run(runs.day, "13:00");
    await runs.run(runs.next);
    expect(await getRunSummary(service, runs.next)).toMatchObject({ failed: 0 });
    const found = new Map<string, string[]>();
    for (const { name, key } of cases)
      found.set(
        name,
        (await listAlertsOfKey(key)).map(({ severity }) => severity),
      );
    return found;
  }

  let severities: Map<string, string[]>;
  beforeAll(async () => {
    runs.next = addDays(runs.day, 1);
    severities = await runCases();
  });

  it("creates an alert that is not certain, and says why, after a day on which the count stood still", async () => {
    const key = await createKey(service);
    const id = await runs.track(key.id, 1000);
    await runs.run(runs.day, "13:00");
    await runs.run(runs.next);
    const after = addDays(runs.next, 1);
    runs.platform.show(id, after, 1120, { views: 1200 });
    await runs.run(after);
    const [alert] = await listAlertsOfKey(key);
    expect(alert).toMatchObject({ day: after, severity: "WATCH", growth_low: 11, certain: false });
    expect(alert?.reason).toMatch(/The count stood still the day before, so this jump may cover two days\.$/);
  });

  it.each(WITHOUT_ALERT)("creates no alert for %s", (name) => {
    expect(severities.get(name)).toEqual([]);
  });

  it.each(WITH_ALERT)("creates one alert of the right severity for %s", (name, _before, _after, severity) => {
    expect(severities.get(name)).toEqual([severity]);
  });

  it("creates no alert across a day without a snapshot", async () => {
    const key = await createKey(service);
    const id = await runs.track(key.id, 1000);
    runs.platform.show(id, runs.next, 2000);
    await runs.run(addDays(runs.day, 2));
    expect(await listAlertsOfKey(key)).toEqual([]);
  });

  it("creates no alert when only another key's first snapshot covers the day", async () => {
    const [first, other] = [await createKey(service), await createKey(service)];
    const id = await runs.track(first.id, 1000);
    runs.setTime(runs.next, "20:00");
    await trackCreator(service, other.id, { kind: "id", id });
    const after = addDays(runs.day, 2);
    runs.platform.show(id, after, 1300);
    await runs.run(after);
    expect(await listAlertsOfKey(first)).toEqual([]);
    expect(await listAlertsOfKey(other)).toMatchObject([{ subscribers_before: 1000, subscribers_after: 1300 }]);
  });

  it.each([
    ["more than 36 hours", "00:05", "23:00", 0],
    ["36 hours and a millisecond", "06:00", "18:00:00.001", 0],
    ["36 hours exactly", "06:00", "18:00", 1],
  ])("compares snapshots only up to 36 hours apart: %s", async (_, tracked, run, made) => {
    const key = await createKey(service);
    runs.setTime(runs.day, tracked);
    const id = await runs.track(key.id, 1000);
    runs.platform.show(id, runs.next, 2000);
    await runs.run(runs.next, run);
    expect(await listAlertsOfKey(key)).toHaveLength(made);
  });

  it("compares with the key's own snapshot of the day before, however early another key's was", async () => {
    const [early, late] = [await createKey(service), await createKey(service)];
    runs.setTime(runs.day, "05:00");
    const id = await runs.track(early.id, 1000);
    runs.setTime(runs.day, "20:00");
    await trackCreator(service, late.id, { kind: "id", id });
    runs.platform.show(id, runs.next, 1300);
    await runs.run(runs.next, "18:30");
    expect([await listAlertsOfKey(early), await listAlertsOfKey(late)]).toMatchObject([
      [],
      [{ subscribers_after: 1300 }],
    ]);
  });

  it("uses a run's snapshot only for keys that tracked the creator when the run began", async () => {
    const [before, during] = [await createKey(service), await createKey(service)];
    runs.setTime(runs.day, "01:00");
    const id = await runs.track(before.id, 1000);
    runs.setTime(runs.day, "06:00");
    await service.db.insert(snapshotRuns).values({ day: runs.day, startedAt: service.clock.now(), plans: 1 });
    runs.setTime(runs.day, "07:00");
    await trackCreator(service, during.id, { kind: "id", id });
    runs.setTime(runs.day, "08:00");
    await recordDaily(service, runs.day, service.clock.now(), (await runs.platform.listChannels([id])).channels);
    runs.platform.show(id, runs.next, 1300);
    await runs.run(runs.next, "19:30");
    expect([await listAlertsOfKey(before), await listAlertsOfKey(during)]).toMatchObject([
      [{ subscribers_after: 1300 }],
      [],
    ]);
  });

  it("creates alerts for keys that tracked the creator before midnight, to the millisecond", async () => {
    const [early, late, tooLate] = [await createKey(service), await createKey(service), await createKey(service)];
    const id = await runs.track(early.id, 1000);
    runs.setTime(runs.day, "23:59:59.999");
    await trackCreator(service, late.id, { kind: "id", id });
    runs.setTime(runs.next, "00:00");
    await trackCreator(service, tooLate.id, { kind: "id", id });
    runs.platform.show(id, runs.next, 1200);
    await runs.run(runs.next);
    expect(await listAlertsOfKey(early)).toHaveLength(1);
    expect(await listAlertsOfKey(late)).toHaveLength(1);
    expect(await listAlertsOfKey(tooLate)).toEqual([]);
  });

  it("ignores a snapshot taken for another key that morning or later that day", async () => {
    const [first, other] = [await createKey(service), await createKey(service)];
    const id = await runs.track(first.id, 1000);
    runs.platform.show(id, runs.next, 1200);
    runs.setTime(runs.next, "05:00");
    await trackCreator(service, other.id, { kind: "id", id });
    expect(await listAlertsOfKey(first)).toEqual([]);
    await runs.run(runs.next);
    runs.platform.show(id, runs.next, 9000);
    await trackCreator(service, (await createKey(service)).id, { kind: "id", id });
    expect(await listAlertsOfKey(first)).toMatchObject([{ subscribers_before: 1000, subscribers_after: 1200 }]);
    expect(await listHistory(service, first.id, id)).toMatchObject([
      { day: runs.day, subscribers: 1000 },
      { day: runs.next, subscribers: 1200 },
    ]);
    expect(await listAlertsOfKey(other)).toEqual([]);
  });

  it("creates one alert per tracking key, with an email for each key that has an address", async () => {
    const [mailed, silent] = [await createKey(service), await createKey(service)];
    await setAlertEmail(service, mailed.id, "one-each@example.com");
    const id = await runs.track(mailed.id, 1000, { name: "Pixel Foundry" });
    await trackCreator(service, silent.id, { kind: "id", id });
    runs.platform.show(id, runs.next, 1125, { name: "Pixel Foundry" });
    const [mailsBefore, postsBefore] = [runs.mailService.accepted.length, runs.channel.posts.length];
    await runs.run(runs.next);
    for (const key of [mailed, silent])
      expect(await listAlertsOfKey(key)).toEqual([
        expect.objectContaining({
          channel_id: id,
          alert_type: "HIGH_GROWTH",
          message: "Pixel Foundry grew 12.5% in one day (1,000 → 1,125)",
          created_at: `${runs.next}T06:00:00.000Z`,
        }),
      ]);
    const mails = runs.mailService.accepted.slice(mailsBefore);
    expect(mails.map(({ to }) => to)).toEqual(["one-each@example.com"]);
    for (const text of ["Pixel Foundry", "12.5%", "1,000", "1,125", "WATCH", "#22d3ee", `/channel/${id}"`])
      expect(mails[0]?.html).toContain(text);
    expect(runs.channel.posts.slice(postsBefore)).toHaveLength(2);
  });

  it("creates no alert for an untracked creator and keeps earlier ones", async () => {
    const key = await createKey(service);
    const id = await runs.track(key.id, 1000);
    runs.platform.show(id, runs.next, 1200);
    await runs.run(runs.next);
    await untrackCreator(service, key.id, id);
    runs.platform.show(id, addDays(runs.day, 2), 2400);
    await runs.run(addDays(runs.day, 2));
    expect(await listAlertsOfKey(key)).toMatchObject([{ subscribers_after: 1200 }]);
  });
});
