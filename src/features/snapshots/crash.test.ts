import { asc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, type Day, MINUTE } from "@/core/time";
import { alerts, deliveries, snapshotBatches, snapshotRuns, snapshots } from "@/db/schema";
import { trackCreator } from "@/features/creators/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { pickNightly } from "@/test/cases";
import { useDailyRuns } from "@/test/daily-run";
import { startProcess } from "@/test/process";
import { createKey } from "@/test/service";
import { recordDaily } from "./daily.service";

const LOW = { rising: 1000, steady: 500 };
const HIGH = { rising: 1600, steady: 505 };

describe("daily run whose process dies", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let rising = "";
  let steady = "";
  let expected: unknown;
  /** Of every two days, the first has low counts and an undisturbed run, the second the tested run. */
  let day: Day = "2026-05-01";

  beforeAll(async () => {
    const [mailed, silent] = [await createKey(service), await createKey(service)];
    await setAlertEmail(service, mailed.id, "scout@example.com");
    runs.day = day;
    runs.setTime(day, "12:00");
    rising = await runs.track(mailed.id, LOW.rising);
    steady = await runs.track(mailed.id, LOW.steady);
    await trackCreator(service, silent.id, { kind: "id", id: rising });
    const { alertIds: _, ...undisturbed } = await advanceToHighDay().then(async (of) => {
      await runDyingAt(Number.POSITIVE_INFINITY);
      return readDay(of);
    });
    expected = undisturbed;
    expect(expected).toMatchObject({ alerts: [{}, {}], deliveries: [{}, {}, {}], isFinished: true });
  });

  /** Prepares a day whose run creates two alerts, one email and two posts; sets the clock to its 06:00. */
  async function advanceToHighDay(): Promise<Day> {
    day = addDays(day, 1);
    runs.platform.show(rising, day, LOW.rising);
    runs.platform.show(steady, day, LOW.steady);
    await runs.run(day);
    day = addDays(day, 1);
    runs.platform.show(rising, day, HIGH.rising);
    runs.platform.show(steady, day, HIGH.steady);
    runs.setTime(day, "06:00");
    runs.mailService.accepted.length = 0;
    runs.mailService.tries.length = 0;
    runs.channel.posts.length = 0;
    return day;
  }

  async function readDay(of: Day) {
    const { db } = service;
    const made = await db
      .select({ id: alerts.id, keyId: alerts.keyId, channelId: alerts.channelId, message: alerts.message })
      .from(alerts)
      .where(eq(alerts.day, of))
      .orderBy(asc(alerts.keyId));
    return {
      snapshots: await db
        .select({ channelId: snapshots.channelId, source: snapshots.source, count: snapshots.subscribers })
        .from(snapshots)
        .where(eq(snapshots.day, of))
        .orderBy(asc(snapshots.channelId)),
      alerts: made.map(({ id, ...alert }) => alert),
      alertIds: made.map(({ id }) => id),
      deliveries: await db
        .select({ destination: deliveries.destination, status: deliveries.status })
        .from(deliveries)
        .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
        .where(eq(alerts.day, of))
        .orderBy(asc(deliveries.destination)),
      batches: await db
        .select({
          status: snapshotBatches.status,
          recorded: snapshotBatches.recorded,
          alerts: snapshotBatches.alerts,
        })
        .from(snapshotBatches)
        .where(eq(snapshotBatches.day, of)),
      isFinished: (await db.select().from(snapshotRuns).where(eq(snapshotRuns.day, of)))[0]?.finishedAt !== null,
    };
  }

  /** Posts that the channel accepted but the dead process did not record. */
  async function listUnmarkedPosts(of: Day): Promise<number> {
    const marked = (await readDay(of)).deliveries.filter(
      ({ destination, status }) => destination === "monitoring" && status === "sent",
    );
    return runs.channel.posts.length - marked.length;
  }

  /** Starts a new process, and runs the sweep after the dead process's lease has ended. */
  async function restart(dieAt?: number): Promise<{ died: boolean }> {
    service.clock.advance(MINUTE);
    const heir = await startProcess(service, runs, dieAt);
    await heir.catchUp().catch(() => {});
    await heir.drain();
    if (!heir.isDead()) {
      heir.ctx.clock.advance(6 * MINUTE);
      heir.engine.fireCron("creator-growth-sweep-deliveries", heir.ctx.clock.now());
      await heir.drain();
    }
    await heir.end();
    return { died: heir.isDead() };
  }

  /** Runs the day in a process that dies at its n-th step. */
  async function runDyingAt(n: number): Promise<{ died: boolean }> {
    const doomed = await startProcess(service, runs, n);
    await doomed.requestRun().catch(() => {});
    await doomed.drain();
    await doomed.end();
    return { died: doomed.isDead() };
  }

  /** Expects the result of an undisturbed run. */
  async function expectUndisturbed(of: Day, at: string, repeatedPosts: number): Promise<void> {
    const { alertIds, ...left } = await readDay(of);
    expect(left, at).toEqual(expected);
    const accepted = runs.mailService.accepted.map(({ idempotencyKey }) => idempotencyKey);
    expect(accepted, at).toHaveLength(1);
    expect(alertIds.map((id) => `alert/${id}`)).toContain(accepted[0]);
    const mails = new Set(runs.mailService.tries.map(({ sent }) => JSON.stringify(sent)));
    expect(mails.size, at).toBe(1);
    expect(runs.channel.posts, at).toHaveLength(2 + repeatedPosts);
  }

  it("leaves the same snapshots, alerts, emails and posts whatever step the process dies at", async () => {
    // Every step in the nightly run, otherwise every fourth from a random start.
    const every = pickNightly(4, 1);
    const first = 1 + Math.floor(every * Math.random());
    for (let n = first, isInterrupted = true; isInterrupted; n += every) {
      const today = await advanceToHighDay();
      isInterrupted = (await runDyingAt(n)).died;
      const repeatedPosts = await listUnmarkedPosts(today);
      if (isInterrupted) await restart();
      await expectUndisturbed(today, `died at step ${n}`, repeatedPosts);
    }
  });

  it.each([
    [5, 8, 13],
    [12, 21, 24],
    [28, 12, 30],
    [34, 7, 9],
    [39, 40, 8],
  ])("leaves the same result after deaths at step %i, then %i and %i", async (...deaths) => {
    const today = await advanceToHighDay();
    await runDyingAt(deaths[0]);
    for (const death of deaths.slice(1)) {
      service.clock.advance(6 * MINUTE);
      await restart(death);
    }
    service.clock.advance(6 * MINUTE);
    const repeatedPosts = await listUnmarkedPosts(today);
    await restart();
    await expectUndisturbed(today, "died three times", repeatedPosts);
  });
});

describe("repeated step", () => {
  const runs = useDailyRuns();

  it("returns the created alerts again until their delivery has begun", async () => {
    const key = await createKey(runs.service);
    const alertId = await runs.makeAlert(key.id);
    const [made] = await runs.service.db.select().from(alerts).where(eq(alerts.id, alertId));
    const readings = (await runs.platform.listChannels([made?.channelId ?? ""])).channels;
    expect(await recordDaily(runs.service, runs.next, runs.service.clock.now(), readings)).toEqual([alertId]);
    await runs.service.catchUp();
    await runs.service.drain();
    expect(await recordDaily(runs.service, runs.next, runs.service.clock.now(), readings)).toEqual([]);
  });
});
