import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, DAY, ManualClock, startOfDay, toDate } from "@/core/time";
import {
  alerts,
  channels,
  dailyAllowances,
  deliveries,
  nicheChannels,
  niches,
  snapshotRuns,
  snapshots,
  trackedCreators,
} from "@/db/schema";
import { upsertChannels } from "@/features/growth/service";
import { createJobs } from "@/server/jobs";
import { createChannelId, createFakePlatform } from "@/test/platform";
import { createKey, type TestKey, useService } from "@/test/service";
import { purgeExpired, purgeSnapshots } from "./retention.service";

const TODAY = "2026-06-15";
const DEFAULT = { snapshotDays: 30, alertDays: null };

describe("purge", () => {
  const service = useService({ platform: createFakePlatform });
  let key: TestKey;
  let next = 0;

  beforeAll(async () => {
    key = await createKey(service);
    service.clock.set(`${TODAY}T05:00:00Z`);
  });

  const toDaysAgo = (days: number) => addDays(TODAY, -days);

  /** A channel that was last read at that instant. */
  async function readChannel(at: Date): Promise<string> {
    const id = createChannelId(next++);
    const platform = createFakePlatform(service.clock);
    platform.show(id, TODAY, 1000, { thumbnailUrl: "https://yt3.example/a.jpg", country: "NP" });
    await upsertChannels({ ...service, clock: new ManualClock(at) }, (await platform.listChannels([id])).channels);
    return id;
  }

  async function insertSnapshot(id: string, day: string): Promise<void> {
    await service.db.insert(snapshots).values({
      channelId: id,
      day,
      readAt: startOfDay(day),
      source: "daily",
      subscribers: 1000,
      score: 0,
      scoreVersion: 1,
      scoreParts: {},
    });
  }

  async function insertAlert(id: string, day: string): Promise<string> {
    const counts = { subscribersBefore: 1000, subscribersAfter: 1200, severity: "RISING FAST" as const };
    const [row] = await service.db
      .insert(alerts)
      .values({ keyId: key.id, channelId: id, day, ...counts, message: "grew", createdAt: startOfDay(day) })
      .returning({ id: alerts.id });
    return row?.id ?? "";
  }

  const track = (id: string) =>
    service.db.insert(trackedCreators).values({ keyId: key.id, channelId: id, trackedSince: service.clock.now() });

  const readChannelRow = async (id: string) => (await service.db.select().from(channels).where(eq(channels.id, id)))[0];
  const listDays = async (id: string) =>
    (await service.db.select().from(snapshots).where(eq(snapshots.channelId, id))).map(({ day }) => day).sort();

  it("keeps the snapshots of 30 days, including today's", async () => {
    const id = await readChannel(service.clock.now());
    await track(id);
    for (const days of [0, 29, 30, 31, 400]) await insertSnapshot(id, toDaysAgo(days));
    await purgeExpired(service, DEFAULT);
    expect(await listDays(id)).toEqual([toDaysAgo(29), TODAY]);
  });

  it("deletes more than one portion of snapshots", async () => {
    const id = await readChannel(service.clock.now());
    for (let days = 0; days < 6; days++) await insertSnapshot(id, toDaysAgo(days));
    await purgeSnapshots(service, toDaysAgo(0), 2);
    const left = await service.db.select({ day: snapshots.day }).from(snapshots).where(eq(snapshots.channelId, id));
    expect(left).toEqual([{ day: TODAY }]);
  });

  it("keeps fewer days when the operator sets fewer", async () => {
    const id = await readChannel(service.clock.now());
    for (const days of [6, 7]) await insertSnapshot(id, toDaysAgo(days));
    await purgeExpired(service, { snapshotDays: 7, alertDays: null });
    expect(await listDays(id)).toEqual([toDaysAgo(6)]);
  });

  it("keeps alerts and deliveries for ever unless the operator limits them", async () => {
    const id = await readChannel(service.clock.now());
    const [old, kept] = [await insertAlert(id, toDaysAgo(91)), await insertAlert(id, toDaysAgo(90))];
    await service.db.insert(deliveries).values({
      alertId: old,
      destination: "monitoring",
      status: "sent",
      createdAt: service.clock.now(),
      attempts: 1,
    });
    const listLeft = async () =>
      (await service.db.select().from(alerts).where(eq(alerts.channelId, id))).map((row) => row.id).sort();
    await purgeExpired(service, DEFAULT);
    expect(await listLeft()).toEqual([old, kept].sort());
    await purgeExpired(service, { snapshotDays: 30, alertDays: 90 });
    expect(await listLeft()).toEqual([kept]);
    expect(await service.db.select().from(deliveries).where(eq(deliveries.alertId, old))).toEqual([]);
  });

  it("deletes platform data of a channel not read for 30 days, and keeps its row", async () => {
    const long = toDate(startOfDay(toDaysAgo(29)).getTime() - 1);
    const [stale, fresh] = [await readChannel(long), await readChannel(startOfDay(toDaysAgo(29)))];
    for (const id of [stale, fresh]) await track(id);
    await purgeExpired(service, DEFAULT);
    expect(await readChannelRow(stale)).toMatchObject({
      name: stale,
      handle: null,
      subscribers: null,
      views: null,
      videos: null,
      thumbnailUrl: null,
      country: null,
    });
    expect(await readChannelRow(fresh)).toMatchObject({
      subscribers: 1000,
      views: 1000,
      videos: 10,
      country: "NP",
    });
  });

  it("deletes names after 30 days even where counts may be kept for longer", async () => {
    const stale = await readChannel(toDate(startOfDay(toDaysAgo(29)).getTime() - 1));
    for (const days of [40, 364, 365]) await insertSnapshot(stale, toDaysAgo(days));
    await purgeExpired(service, { snapshotDays: 365, alertDays: null });
    expect(await readChannelRow(stale)).toMatchObject({ name: stale, thumbnailUrl: null, country: null });
    expect(await listDays(stale)).toEqual([toDaysAgo(364), toDaysAgo(40)]);
  });

  it("keeps the record of spent units for 400 days", async () => {
    for (const days of [400, 401])
      await service.db
        .insert(dailyAllowances)
        .values({ scope: "service", kind: "general_units", day: toDaysAgo(days), used: 1 });
    await purgeExpired(service, DEFAULT);
    expect((await service.db.select().from(dailyAllowances)).map(({ day }) => day)).toEqual([toDaysAgo(400)]);
  });

  it("deletes channels without references, and no others", async () => {
    const long = toDate(service.clock.now().getTime() - 40 * DAY);
    const [nobodys, tracked, alerted, found, read] = [
      await readChannel(long),
      await readChannel(long),
      await readChannel(long),
      await readChannel(long),
      await readChannel(service.clock.now()),
    ];
    await track(tracked);
    await insertAlert(alerted, toDaysAgo(40));
    const now = service.clock.now();
    await service.db.insert(niches).values({ niche: "chess", spelling: "chess", refreshedAt: now });
    await service.db.insert(nicheChannels).values({ niche: "chess", channelId: found, foundAt: now });
    await insertSnapshot(nobodys, toDaysAgo(40));
    await purgeExpired(service, DEFAULT);
    expect(await readChannelRow(nobodys)).toBeUndefined();
    for (const id of [tracked, alerted, found, read]) expect(await readChannelRow(id)).toMatchObject({ id });
    await service.db.update(niches).set({ refreshedAt: long });
    await purgeExpired(service, DEFAULT);
    expect(await readChannelRow(found)).toBeUndefined();
  });

  it("keeps the record of runs for 400 days", async () => {
    for (const days of [400, 401])
      await service.db
        .insert(snapshotRuns)
        .values({ day: toDaysAgo(days), startedAt: startOfDay(toDaysAgo(days)), plans: 1 });
    await purgeExpired(service, DEFAULT);
    expect((await service.db.select().from(snapshotRuns)).map(({ day }) => day)).toEqual([toDaysAgo(400)]);
  });

  it("runs at each start too, for a service that sleeps at 05:00", async () => {
    const id = await readChannel(service.clock.now());
    await insertSnapshot(id, toDaysAgo(40));
    await service.catchUp();
    expect(await listDays(id)).toEqual([]);
  });

  it("runs at 05:00 UTC each day, and at no other time", async () => {
    service.clock.set(`${toDaysAgo(-1)}T04:00:00Z`);
    const { engine } = await createJobs(service);
    const id = await readChannel(service.clock.now());
    const purgedAt: string[] = [];
    engine.start();
    const hours = [-1, -2, -3].map((days) => toDate(`${toDaysAgo(days)}T05:00:00Z`).getTime());
    // A purge at any other time shows itself a millisecond before the next.
    for (const at of hours.flatMap((hour) => [hour - 1, hour]).slice(0, -1)) {
      service.clock.set(toDate(at).toISOString());
      if ((await listDays(id)).length === 0) await insertSnapshot(id, toDaysAgo(40));
      // With a stopped clock, draining fires the due schedules and waits for them.
      await engine.drain((to) => service.clock.set(to));
      if ((await listDays(id)).length === 0) purgedAt.push(service.clock.now().toISOString());
    }
    await engine.stop();
    expect(purgedAt).toEqual([`${toDaysAgo(-1)}T05:00:00.000Z`, `${toDaysAgo(-2)}T05:00:00.000Z`]);
  });
});
