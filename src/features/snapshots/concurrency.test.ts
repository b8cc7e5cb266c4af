import { asc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { readOutbox } from "@/core/mail/outbox";
import { alerts, deliveries, snapshots } from "@/db/schema";
import { trackCreator, trackUnread } from "@/features/creators/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { getOutboxFolder } from "@/server/context";
import { pickNightly } from "@/test/cases";
import { useDailyRuns } from "@/test/daily-run";
import { createChannelId } from "@/test/platform";
import { type ServiceProcess, startProcess } from "@/test/process";
import { isDayNearlyOver, listPostedMessages, prepareSampleDay, startSnapshotCommand } from "@/test/sample-day";
import { createKey, type TestKey, useService } from "@/test/service";
import { getRunSummary } from "./service";

/** More than two batches. */
const CREATORS = pickNightly(101, 120);
const GROWING = pickNightly(5, 20);

describe("daily run in several processes", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  const keys: TestKey[] = [];
  const creators: string[] = [];

  beforeAll(async () => {
    const [one, other] = [await createKey(service, "pro"), await createKey(service, "pro")];
    keys.push(one, other);
    for (const { id } of keys) await setAlertEmail(service, id, `scout-${id}@example.com`);
    runs.day = "2026-06-01";
    runs.setTime(runs.day, "12:00");
    for (let count = 0; count < CREATORS; count++) creators.push(createChannelId(count));
    for (const { id } of keys) await trackUnread(service, id, creators);
  });

  /** Prepares a day on which some creators grow by a fifth, and the processes that begin its run. */
  async function startTogether(processes: number) {
    for (const [at, id] of creators.entries()) {
      runs.platform.show(id, runs.day, 1000);
      runs.platform.show(id, runs.next, at < GROWING ? 1200 : 1010);
    }
    await runs.run(runs.day);
    runs.setTime(runs.next, "06:00");
    return Promise.all(Array.from({ length: processes }, () => startProcess(service, runs)));
  }

  async function runAll(instances: ServiceProcess[]): Promise<void> {
    await Promise.all(
      instances.map(async ({ requestRun, drain }) => {
        await requestRun();
        await drain();
      }),
    );
  }

  it.each(pickNightly([3], [2, 2, 3]))("stores and notifies once with %i processes", async (processes) => {
    const { next } = runs;
    const instances = await startTogether(processes);
    const [mails, posts] = [runs.mailService.tries.length, runs.channel.posts.length];
    await runAll(instances);
    await Promise.all(instances.map(({ end }) => end()));

    const stored = await service.db
      .select()
      .from(snapshots)
      .where(eq(snapshots.day, next))
      .orderBy(asc(snapshots.channelId));
    expect(stored.map(({ channelId }) => channelId)).toEqual(creators);
    expect(stored.map(({ subscribers }) => subscribers)).toEqual(creators.map((_, at) => (at < GROWING ? 1200 : 1010)));
    const made = await service.db.select().from(alerts).where(eq(alerts.day, next));
    const pairs = keys.flatMap(({ id }) => creators.slice(0, GROWING).map((creator) => `${id} ${creator}`));
    expect(made.map(({ keyId, channelId }) => `${keyId} ${channelId}`).sort()).toEqual(pairs.sort());
    const sent = runs.mailService.tries.slice(mails).map(({ sent: mail }) => mail.idempotencyKey);
    expect(sent.sort()).toEqual(made.map(({ id }) => `alert/${id}`).sort());
    expect(runs.channel.posts).toHaveLength(posts + made.length);
    expect(await getRunSummary(service, next)).toMatchObject({
      planned: CREATORS,
      read: CREATORS,
      failed: 0,
      alerts: made.length,
      finished_at: expect.any(String),
    });
  });

  it("creates no alert for a key that begins to track the same creators meanwhile", async () => {
    const instances = await startTogether(2);
    const late = await createKey(service, "pro");
    await Promise.all([runAll(instances), ...creators.map((id) => trackCreator(service, late.id, { kind: "id", id }))]);
    await Promise.all(instances.map(({ end }) => end()));
    const made = await service.db.select().from(alerts).where(eq(alerts.day, runs.next));
    expect(made).toHaveLength(keys.length * GROWING);
    expect(made.filter(({ keyId }) => keyId === late.id)).toEqual([]);
    const stored = await service.db.select().from(snapshots).where(eq(snapshots.day, runs.next));
    expect(stored.map(({ source }) => source)).toEqual(creators.map(() => "daily"));
  });
});

describe("npm run snapshot", () => {
  const service = useService();

  it("stores and notifies once when the command runs twice at the same time", async ({ skip }) => {
    if (isDayNearlyOver()) skip("the commands would see two days");
    const { today, key, channelIds, growing } = await prepareSampleDay(service);
    const commands = [startSnapshotCommand(service), startSnapshotCommand(service)];
    const results = await Promise.all(commands.map(({ ended }) => ended));
    for (const { code, stderr } of results) expect(code, stderr).toBe(0);

    const stored = await service.db.select().from(snapshots).where(eq(snapshots.day, today));
    expect(stored.map(({ channelId }) => channelId).sort()).toEqual([...channelIds].sort());
    const made = await service.db.select().from(alerts).where(eq(alerts.keyId, key.id));
    expect(made.map(({ channelId }) => channelId).sort()).toEqual([...growing].sort());
    const sent = await service.db.select().from(deliveries);
    expect(sent.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(sent.map(() => "sent 1"));
    const outbox = await readOutbox(getOutboxFolder(service.env), 100);
    expect(outbox).toHaveLength(growing.length);
    const posts = results.flatMap(({ stderr }) => listPostedMessages(stderr));
    expect(posts.sort()).toEqual(made.map(({ message }) => message).sort());
  });
});
