import { eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY, toUtcDay } from "@/core/time";
import { channels, nicheChannels, nicheQuestions, niches, snapshots } from "@/db/schema";
import { listAlerts } from "@/features/alerts/service";
import { trackCreator, untrackCreator } from "@/features/creators/service";
import { revokeKey } from "@/features/keys/service";
import { purgeExpired } from "@/features/snapshots/retention.service";
import { PlatformError, type PlatformUse } from "@/platform/port";
import { createChannelId, createFakePlatform, type FakePlatform } from "@/test/platform";
import { createKey, type TestKey, useService } from "@/test/service";
import { DiscoverQuery } from "./schema";
import { discover } from "./service";

/** Not on the map. */
const NICHE = "beekeeping";

describe("niche index jobs", () => {
  let fake: FakePlatform;
  let key: TestKey;
  let searches: number;
  /** The use and the ids of each call for channels. */
  let calls: { use: PlatformUse | undefined; ids: readonly string[] }[];
  let found: string[];
  /** Each test has its own days, since a schedule fires once for an instant. */
  let today = "2026-03-10";
  const service = useService({
    platform: (clock) => {
      fake = createFakePlatform(clock);
      const read = fake.listChannels;
      return Object.assign(fake, {
        // The map of niches is searched too, and has no creators here.
        search: async (niche: string) => {
          if (niche !== NICHE) return [];
          searches++;
          return found;
        },
        listChannels(ids: readonly string[], use?: PlatformUse) {
          calls.push({ use, ids });
          return read.call(fake, ids);
        },
      });
    },
  });

  beforeEach(async () => {
    await service.drain();
    for (const table of [nicheChannels, nicheQuestions, niches, snapshots]) await service.db.delete(table);
    today = addDays(today, 40);
    service.clock.set(`${today}T04:00:00Z`);
    key = await createKey(service, "pro");
    [searches, calls, found] = [0, [], []];
    fake.failures = [];
  });

  let next = 0;
  const show = (count: number, subscribers = 1000) =>
    Array.from({ length: count }, () => {
      const id = createChannelId(next++);
      fake.show(id, addDays(today, -1), subscribers);
      return id;
    });

  const requestNiche = () => discover(service, key, DiscoverQuery.parse({ niche: NICHE, limit: "50" }));
  const countSnapshots = (day: string) => service.db.$count(snapshots, eq(snapshots.day, day));

  async function fire(job: string, at: string): Promise<void> {
    service.clock.set(at);
    service.engine.fireCron(`creator-growth-${job}`, service.clock.now());
    await service.drain();
  }
  const readDaily = (day: string) => fire("read-candidates", `${day}T08:30:00Z`);

  it("reads candidates the next day in spare calls of 50, so that growth ranks the answers", async () => {
    found = show(60);
    const before = await requestNiche();
    expect(before.creators.every(({ score_basis }) => score_basis === "profile")).toBe(true);
    const riser = before.creators.at(-1)?.channel_id ?? "";
    fake.show(riser, addDays(today, 1), 1200);
    calls = [];
    await readDaily(addDays(today, 1));
    expect(calls.map(({ use, ids }) => [use, ids.length])).toEqual([
      ["spare", 50],
      ["spare", 10],
    ]);
    const { creators } = await requestNiche();
    expect(creators[0]).toMatchObject({
      channel_id: riser,
      score_basis: "history",
      growth_1d_percent: 20,
    });
  });

  it("reads each candidate once a day", async () => {
    found = show(3);
    await requestNiche();
    await readDaily(today);
    calls = [];
    await fire("read-candidates", `${today}T20:00:00Z`);
    expect(calls).toEqual([]);
    expect(await countSnapshots(today)).toBe(3);
  });

  it("leaves channels that an active key tracks to the daily run", async () => {
    found = show(3);
    const [mine = "", others = ""] = found;
    await requestNiche();
    await trackCreator(service, key.id, { kind: "id", id: mine });
    const revoked = await createKey(service);
    await trackCreator(service, revoked.id, { kind: "id", id: others });
    await revokeKey(service, revoked.id);
    calls = [];
    await readDaily(addDays(today, 1));
    expect(calls.flatMap(({ ids }) => ids)).toEqual(found.slice(1));
    await untrackCreator(service, key.id, mine);
    calls = [];
    await readDaily(addDays(today, 2));
    expect(calls.flatMap(({ ids }) => ids)).toEqual(found);
  });

  it("creates an alert from the candidate's snapshot of the day a key began tracking", async () => {
    found = show(1);
    const [id = ""] = found;
    await requestNiche();
    await readDaily(today);
    service.clock.set(`${today}T12:00:00Z`);
    await trackCreator(service, key.id, { kind: "id", id });
    fake.show(id, addDays(today, 1), 1200);
    await fire("plan-day", `${addDays(today, 1)}T06:00:00Z`);
    const [alert] = (await listAlerts(service, key.id, { offset: 0, limit: 1 })).alerts;
    expect(alert).toMatchObject({ subscribers_before: 1000, subscribers_after: 1200 });
  });

  it("lets a daily run replace a candidate's snapshot of the same day", async () => {
    found = show(1);
    const [id = ""] = found;
    await requestNiche();
    await readDaily(today);
    service.clock.set(`${today}T10:00:00Z`);
    await trackCreator(service, key.id, { kind: "id", id });
    await fire("plan-day", `${today}T12:00:00Z`);
    const creator = await trackCreator(service, key.id, { kind: "id", id });
    expect(creator.last_snapshot_at).toBe(`${today}T12:00:00.000Z`);
  });

  it("stops when the platform has no spare call, and continues the next day", async () => {
    found = show(120);
    await requestNiche();
    fake.failures = [null, new PlatformError("quota_exhausted", "kept for the daily run", 3600)];
    calls = [];
    await readDaily(addDays(today, 1));
    expect(calls).toHaveLength(2);
    expect(await countSnapshots(addDays(today, 1))).toBe(50);
    await readDaily(addDays(today, 2));
    expect(await countSnapshots(addDays(today, 2))).toBe(100);
  });

  it("retries failed reads of candidates", async () => {
    found = show(2);
    await requestNiche();
    fake.failures = [new PlatformError("unavailable", "down")];
    await readDaily(addDays(today, 1));
    expect(await countSnapshots(addDays(today, 1))).toBe(2);
  });

  it("hides a candidate while the platform does not show it", async () => {
    found = show(2);
    const [gone = "", stays = ""] = found;
    await requestNiche();
    fake.hide(gone, addDays(today, 1));
    await readDaily(addDays(today, 1));
    const listIds = async () => (await requestNiche()).creators.map(({ channel_id }) => channel_id);
    expect(await listIds()).toEqual([stays]);
    fake.show(gone, addDays(today, 2), 1000);
    await fire("renew-niches", `${addDays(today, 2)}T10:20:00Z`);
    expect(new Set(await listIds())).toEqual(new Set(found));
  });

  it("renews and reads a niche for a week after a request", async () => {
    found = show(1);
    await requestNiche();
    for (let day = 1; day <= 9; day++) {
      await fire("renew-niches", `${addDays(today, day)}T04:20:00Z`);
      await readDaily(addDays(today, day));
    }
    expect(searches).toBe(1 + 6);
    expect(await countSnapshots(addDays(today, 6))).toBe(1);
    expect(await countSnapshots(addDays(today, 7))).toBe(0);
  });

  it("renews due niches hourly, and none twice", async () => {
    await requestNiche();
    await fire("renew-niches", `${today}T05:20:00Z`);
    expect(searches).toBe(1);
    for (const hour of ["04", "05", "06"]) await fire("renew-niches", `${addDays(today, 1)}T${hour}:20:00Z`);
    expect(searches).toBe(2);
  });

  it("retries a failed renewal once and then waits for the next hour", async () => {
    found = show(1);
    await requestNiche();
    fake.failures = [new PlatformError("unavailable", "down"), new PlatformError("unavailable", "down")];
    await fire("renew-niches", `${addDays(today, 1)}T04:20:00Z`);
    expect(searches).toBe(3);
    await fire("renew-niches", `${addDays(today, 1)}T05:20:00Z`);
    expect(searches).toBe(4);
    expect((await requestNiche()).as_of).toBe(`${addDays(today, 1)}T05:20:00.000Z`);
  });

  it("deletes a candidate's data when its retention ends", async () => {
    found = show(1);
    await requestNiche();
    await readDaily(today);
    service.clock.advance(30 * DAY);
    await purgeExpired(service, { snapshotDays: 30, alertDays: null });
    expect(toUtcDay(service.clock.now())).toBe(addDays(today, 30));
    for (const table of [niches, nicheChannels, nicheQuestions, snapshots])
      expect(await service.db.$count(table)).toBe(0);
    expect(await service.db.$count(channels, inArray(channels.id, found))).toBe(0);
  });

  it("deletes a candidate that was found before the retention began", async () => {
    const [old = "", fresh = ""] = show(2);
    found = [old];
    await requestNiche();
    found = [fresh];
    await fire("renew-niches", `${addDays(today, 3)}T10:20:00Z`);
    await purgeExpired(service, { snapshotDays: 3, alertDays: null });
    const kept = await service.db.select({ id: nicheChannels.channelId }).from(nicheChannels);
    expect(kept).toEqual([{ id: fresh }]);
  });
});
