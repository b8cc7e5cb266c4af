import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays } from "@/core/time";
import { alerts, channels, deliveries, snapshotBatches, snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import { listAlerts } from "@/features/alerts/service";
import { trackCreator } from "@/features/creators/service";
import { insertUnread } from "@/features/growth/service";
import { revokeKey } from "@/features/keys/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { PlatformError } from "@/platform/port";
import { createChannelId, createFakePlatform, type FakePlatform } from "@/test/platform";
import { createKey, useService } from "@/test/service";
import { getRunSummary, planRun } from "./service";

const PAGE = { offset: 0, limit: 100 };

describe("daily run", () => {
  let platform: FakePlatform;
  const service = useService({
    platform: (clock) => {
      platform = createFakePlatform(clock);
      return platform;
    },
  });
  let day = "2026-04-01";
  let next = 0;

  /** Each test starts at noon of its own day. */
  beforeEach(() => {
    day = addDays(day, 3);
    service.clock.set(`${day}T12:00:00Z`);
    platform.calls = 0;
    platform.failures = [];
  });

  async function trackChannels(keyId: Parameters<typeof trackCreator>[1], subscribers: number | null): Promise<string> {
    const id = createChannelId(next++);
    platform.show(id, day, subscribers);
    await trackCreator(service, keyId, { kind: "id", id });
    return id;
  }

  async function runNextDay(): Promise<string> {
    const tomorrow = addDays(day, 1);
    service.clock.set(`${tomorrow}T06:00:00Z`);
    service.engine.fireCron("creator-growth-plan-day", service.clock.now());
    await service.drain();
    return tomorrow;
  }

  it("waits for a creator that is being tracked while the run is planned", async () => {
    const { id: keyId } = await createKey(service);
    const known = await trackChannels(keyId, 1000);
    const id = createChannelId(next++);
    await insertUnread(service, [id]);
    service.clock.set(`${addDays(day, 1)}T06:00:00Z`);
    const planned = await service.db.transaction(async (tx) => {
      await tx.insert(trackedCreators).values({ keyId, channelId: id, trackedSince: service.clock.now() });
      const planning = planRun(service, { day: addDays(day, 1), scope: "open", plans: 0 }, "planner");
      const countWaiting = () => service.db.$count(sql`pg_locks`, sql`not granted and mode = 'ShareLock'`);
      await expect.poll(countWaiting, { interval: 5 }).toBe(1);
      service.clock.advance(1000);
      return { planning };
    });
    await planned.planning;
    const [batch] = await service.db
      .select({ ids: snapshotBatches.channelIds, at: snapshotBatches.touchedAt })
      .from(snapshotBatches)
      .where(eq(snapshotBatches.day, addDays(day, 1)));
    expect(batch).toEqual({ ids: [known, id], at: service.clock.now() });
    await revokeKey(service, keyId);
  });

  it("stores snapshots at 06:00 and creates alerts above 10 % growth, with email and post", async () => {
    const { id: keyId } = await createKey(service);
    await setAlertEmail(service, keyId, "scout@example.com");
    const rising = await trackChannels(keyId, 1000);
    const steady = await trackChannels(keyId, 1000);
    platform.show(rising, addDays(day, 1), 1120);
    platform.calls = 0;
    const today = await runNextDay();

    const { alerts: made } = await listAlerts(service, keyId, PAGE);
    expect(made).toMatchObject([
      {
        channel_id: rising,
        alert_type: "HIGH_GROWTH",
        message: `Channel ${rising.slice(-4)} grew 12.0% in one day (1,000 → 1,120)`,
        severity: "WATCH",
        percent: 12,
      },
    ]);
    expect(service.mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: "scout@example.com", subject: `WATCH: Channel ${rising.slice(-4)} grew 12.0% in one day` },
    ]);
    const sent = await service.db.select().from(deliveries);
    expect(sent.map(({ destination, status }) => `${destination} ${status}`).sort()).toEqual([
      "email sent",
      "monitoring sent",
    ]);
    expect(await getRunSummary(service, today)).toMatchObject({
      planned: 2,
      read: 2,
      failed: 0,
      unavailable: 0,
      alerts: 1,
    });
    const rows = await service.db.select().from(snapshots);
    expect(
      rows
        .filter((row) => row.day === today)
        .map(({ channelId }) => channelId)
        .sort(),
    ).toEqual([rising, steady].sort());
    expect(platform.calls).toBe(1);
  });

  it("changes nothing and makes no call when run again on the same day", async () => {
    const { id: keyId } = await createKey(service);
    await setAlertEmail(service, keyId, "again@example.com");
    const id = await trackChannels(keyId, 1000);
    platform.show(id, addDays(day, 1), 2000);
    await runNextDay();
    const before = {
      calls: platform.calls,
      mails: service.mails.length,
      snapshots: await service.db.select().from(snapshots),
    };
    platform.show(id, addDays(day, 1), 9000);
    await service.requestRun();
    await service.drain();
    expect(platform.calls).toBe(before.calls);
    expect(service.mails).toHaveLength(before.mails);
    expect(await service.db.select().from(snapshots)).toEqual(before.snapshots);
    expect((await listAlerts(service, keyId, PAGE)).alerts).toHaveLength(1);
  });

  it("makes ceil(channels / 50) calls, however many keys track a channel", async () => {
    const [one, other] = [await createKey(service), await createKey(service)];
    const before = await runNextDay().then(() => platform.calls);
    void before;
    service.clock.set(`${addDays(day, 1)}T12:00:00Z`);
    day = addDays(day, 1);
    for (let count = 0; count < 51; count++) {
      const id = await trackChannels(one.id, 500);
      await trackCreator(service, other.id, { kind: "id", id });
    }
    platform.calls = 0;
    const today = await runNextDay();
    const summary = await getRunSummary(service, today);
    expect(platform.calls).toBe(Math.ceil((summary?.planned ?? 0) / 50));
  });

  it("marks a channel that the platform no longer shows as unavailable and continues", async () => {
    const { id: keyId } = await createKey(service);
    const gone = await trackChannels(keyId, 1000);
    platform.hide(gone, addDays(day, 1));
    const today = await runNextDay();
    expect(await getRunSummary(service, today)).toMatchObject({ unavailable: 1, failed: 0 });
    const rows = await service.db.select().from(channels);
    expect(rows.find(({ id }) => id === gone)?.status).toBe("unavailable");
  });

  it("takes no snapshot and creates no alert for a revoked key", async () => {
    const { id: keyId } = await createKey(service);
    const id = await trackChannels(keyId, 1000);
    platform.show(id, addDays(day, 1), 5000);
    await revokeKey(service, keyId);
    const today = await runNextDay();
    const rows = await service.db.select().from(snapshots);
    expect(rows.some((row) => row.channelId === id && row.day === today)).toBe(false);
    expect(
      await service.db
        .select()
        .from(alerts)
        .then((all) => all.filter((row) => row.keyId === keyId)),
    ).toEqual([]);
  });

  it("waits as long as a failing platform asks, retries, and misses nothing", async () => {
    const { id: keyId } = await createKey(service);
    const id = await trackChannels(keyId, 1000);
    platform.show(id, addDays(day, 1), 1500);
    platform.failures = [new PlatformError("unavailable", "down"), new PlatformError("quota_exhausted", "spent", 7200)];
    const today = await runNextDay();
    expect(service.clock.now().getTime()).toBeGreaterThanOrEqual(Date.parse(`${today}T08:00:00Z`));
    expect((await listAlerts(service, keyId, PAGE)).alerts).toMatchObject([{ severity: "EXPLOSIVE" }]);
    expect((await service.db.select().from(snapshotRuns)).find((run) => run.day === today)?.finishedAt).not.toBeNull();
  });

  it("marks a batch that cannot be read as failed and reads it in the next plan", async () => {
    const { id: keyId } = await createKey(service);
    const id = await trackChannels(keyId, 1000);
    platform.show(id, addDays(day, 1), 1500);
    const down = () => new PlatformError("unavailable", "down");
    // Every batch with its three retries.
    platform.failures = Array.from({ length: 8 }, down);
    const today = await runNextDay();
    const failed = await getRunSummary(service, today);
    expect(failed?.failed).toBeGreaterThan(0);
    expect(failed?.finished_at).not.toBeNull();
    platform.failures = [];
    await service.requestRun();
    await service.drain();
    expect(await getRunSummary(service, today)).toMatchObject({ failed: 0 });
    expect((await listAlerts(service, keyId, PAGE)).alerts).toHaveLength(1);
  });

  it("writes nothing after its day is over", async () => {
    const { id: keyId } = await createKey(service);
    const id = await trackChannels(keyId, 1000);
    platform.show(id, addDays(day, 1), 1500);
    platform.failures = Array.from({ length: 2 }, () => new PlatformError("quota_exhausted", "spent", 86_400));
    const today = await runNextDay();
    const rows = await service.db.select().from(snapshots);
    expect(rows.some((row) => row.channelId === id && row.day === today)).toBe(false);
    expect((await getRunSummary(service, today))?.failed).toBeGreaterThan(0);
  });
});
