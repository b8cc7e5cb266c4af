import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "@/core/time";
import { alerts, snapshotRuns } from "@/db/schema";
import { PlatformError } from "@/platform/port";
import { useDailyRuns } from "@/test/daily-run";
import { createKey, type TestKey } from "@/test/service";
import { failBatch, holdBatch } from "./batches.service";
import { getRunSummary, planRun } from "./service";

describe("half-hourly check of the daily run", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let key: TestKey;

  /** A creator that grows, at 06:00 before the run. */
  beforeEach(async () => {
    key = await createKey(service);
    const id = await runs.track(key.id, 1000);
    runs.platform.show(id, runs.next, 1500);
    runs.setTime(runs.next, "06:00");
    runs.platform.calls = 0;
  });

  async function runResume(): Promise<void> {
    service.engine.fireCron("creator-growth-resume-day", service.clock.now());
    await service.drain();
  }

  const planAgain = () => planRun(service, { day: runs.next, scope: "open", plans: 0 }, "planner");
  const countPlans = async () =>
    (await service.db.select().from(snapshotRuns).where(eq(snapshotRuns.day, runs.next)))[0]?.plans ?? 0;
  const countAlerts = async () => (await service.db.select().from(alerts).where(eq(alerts.keyId, key.id))).length;

  it("starts the run when the planner did not, and not before it is due", async () => {
    runs.setTime(runs.next, "05:59:59.999");
    await runResume();
    expect(await countPlans()).toBe(0);
    runs.setTime(runs.next, "06:30");
    await runResume();
    expect(await countAlerts()).toBe(1);
  });

  it("gives the batches to one of several planners, and to that one again", async () => {
    const request = { day: runs.next, scope: "open" as const, plans: 0 };
    const planners = ["one", "two", "three"];
    const planned = await Promise.all(planners.map((planner) => planRun(service, request, planner)));
    expect(planned.toSorted()).toEqual([[], [], [0]]);
    for (const [at, planner] of planners.entries())
      expect(await planRun(service, request, planner)).toEqual(planned[at]);
    expect(await countPlans()).toBe(1);
  });

  it("takes up batches untouched for half an hour, and leaves newer ones", async () => {
    await planAgain();
    service.clock.advance(30 * MINUTE - 1);
    await runResume();
    expect(await countPlans()).toBe(1);
    service.clock.advance(1);
    await runResume();
    expect(await getRunSummary(service, runs.next)).toMatchObject({
      failed: 0,
      finished_at: expect.any(String),
    });
    expect(await countAlerts()).toBe(1);
  });

  it("leaves batches that wait for the platform's quota", async () => {
    const batches = await planAgain();
    for (const batch of batches) await holdBatch(service, runs.next, batch, (2 * HOUR) / 1000);
    service.clock.advance(2 * HOUR + 30 * MINUTE - 1);
    await runResume();
    expect([await countPlans(), runs.platform.calls]).toEqual([1, 0]);
    service.clock.advance(1);
    await runResume();
    expect(await countAlerts()).toBe(1);
  });

  it("leaves batches of a process that ended while waiting for the quota to the next start", async () => {
    const batches = await planAgain();
    for (const batch of batches) await holdBatch(service, runs.next, batch, HOUR / 1000);
    service.clock.advance(MINUTE);
    await runResume();
    expect(await countAlerts()).toBe(0);
    await service.catchUp();
    await service.drain();
    expect(await countAlerts()).toBe(1);
  });

  it("does not interrupt a run that waits for the quota", async () => {
    runs.platform.failures = [new PlatformError("quota_exhausted", "spent", 7200)];
    await service.requestRun();
    const looks: number[] = [];
    await service.engine.drain((to) => {
      // A check every half hour, as on a running clock.
      while (to.getTime() - service.clock.now().getTime() > 30 * MINUTE && looks.length < 10) {
        service.clock.advance(30 * MINUTE);
        looks.push(service.clock.now().getTime());
        service.engine.fireCron("creator-growth-resume-day", service.clock.now());
      }
      service.clock.set(to);
    });
    expect(looks.length).toBeGreaterThan(0);
    expect(await countPlans()).toBe(1);
    expect(await countAlerts()).toBe(1);
  });

  it("retries failed batches", async () => {
    const batches = await planAgain();
    for (const batch of batches) await failBatch(service, runs.next, batch, "down");
    await runResume();
    expect(await getRunSummary(service, runs.next)).toMatchObject({ failed: 0 });
    expect(await countAlerts()).toBe(1);
  });

  it("does nothing once the run is finished", async () => {
    await runs.run(runs.next);
    const [calls, planned] = [runs.platform.calls, await countPlans()];
    service.clock.advance(HOUR);
    await runResume();
    expect([runs.platform.calls, await countPlans()]).toEqual([calls, planned]);
  });

  it("finishes a run whose process died after its last batch", async () => {
    await runs.run(runs.next);
    await service.db.update(snapshotRuns).set({ finishedAt: null }).where(eq(snapshotRuns.day, runs.next));
    const { calls } = runs.platform;
    service.clock.advance(30 * MINUTE);
    await runResume();
    expect((await getRunSummary(service, runs.next))?.finished_at).not.toBeNull();
    expect(runs.platform.calls).toBe(calls);
  });
});
