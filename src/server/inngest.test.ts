import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SECOND } from "@/core/time";
import { alerts, deliveries, snapshotBatches, snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { getRunSummary } from "@/features/snapshots/service";
import { CHANNELS_PER_CALL, PlatformError } from "@/platform/port";
import { useDailyRuns } from "@/test/daily-run";
import { useInngestApp } from "@/test/inngest-app";
import { INNGEST_EVENT_KEY, startInngestServer } from "@/test/inngest-server";
import { createKey } from "@/test/service";

const CREATORS = 7;

describe("jobs called by Inngest", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  const app = useInngestApp(service);
  let channelIds: string[] = [];
  let keyId = "";

  /** Creators of a key with an address. One doubles from today to tomorrow. */
  beforeEach(async () => {
    Object.assign(app.inngest, { isRepeating: false, steps: [], events: [] });
    for (const server of [app.inngest, app.http]) server.reset();
    const key = await createKey(service);
    keyId = key.id;
    await setAlertEmail(service, key.id, `scout-${runs.day}@agency.test`);
    channelIds = [];
    for (let at = 0; at < CREATORS; at++) {
      const id = await runs.track(key.id, 1000);
      runs.platform.show(id, runs.next, at === 0 ? 2000 : 1001);
      channelIds.push(id);
    }
    for (const done of [runs.mailService.accepted, runs.mailService.tries, runs.channel.posts]) done.length = 0;
  });

  async function runDay() {
    runs.setTime(runs.next, "06:00");
    app.inngest.engine.fireCron("creator-growth-plan-day", service.clock.now());
    await app.drain();
  }

  async function readDay() {
    const ofKey = await service.db.select().from(alerts).where(eq(alerts.keyId, keyId));
    const made = await service.db
      .select({
        destination: deliveries.destination,
        status: deliveries.status,
        attempts: deliveries.attempts,
      })
      .from(deliveries)
      .where(eq(deliveries.alertId, ofKey[0]?.id ?? ""))
      .orderBy(deliveries.destination);
    const stored = await service.db.select().from(snapshots).where(eq(snapshots.day, runs.next));
    return {
      alerts: ofKey.map(({ channelId }) => channelId),
      made,
      stored: stored.filter(({ channelId }) => channelIds.includes(channelId)).length,
      mails: runs.mailService.tries.filter(({ sent }) => sent.to === `scout-${runs.day}@agency.test`).length,
      posts: runs.channel.posts.length,
      summary: await getRunSummary(service, runs.next),
    };
  }

  const runUndisturbed = () => ({
    alerts: [channelIds[0]],
    made: [
      { destination: "email", status: "sent", attempts: 1 },
      { destination: "monitoring", status: "sent", attempts: 1 },
    ],
    stored: CREATORS,
    mails: 1,
    posts: 1,
    summary: expect.objectContaining({ failed: 0, alerts: 1, finished_at: expect.any(String) }),
  });

  it("are registered at the app's own address", () => {
    expect(app.inngest.functions).toContain("creator-growth-plan-day");
    expect(app.inngest.functions).toContain("creator-growth-monitor-alert-failure");
  });

  it("create the day's run, its alerts, one email and one post, with one upstream call per batch", async () => {
    const calls = runs.platform.calls;
    await runDay();
    expect(await readDay()).toEqual(runUndisturbed());
    const batches = await service.db.$count(snapshotBatches, eq(snapshotBatches.day, runs.next));
    expect(runs.platform.calls - calls).toBe(batches);
    expect(app.inngest.events.map(({ name }) => name)).toContain("alert/created");
  });

  it("take effect once although every call comes twice", async () => {
    app.inngest.isRepeating = true;
    await runDay();
    expect(await readDay()).toEqual(runUndisturbed());
    // A delivery that waits for the cause has the same call again.
    const { steps } = app.inngest;
    expect(new Set(steps).size).toBe(5);
    for (const step of steps) expect(steps.filter((other) => other === step).length % 2).toBe(0);
  });

  it.each(["lost", "cut"] as const)(
    "take effect once although every third response of the app is %s",
    async (fault) => {
      app.http.failEvery = { every: 3, fault };
      await runDay();
      expect(await readDay()).toEqual(runUndisturbed());
    },
  );

  it.each(["lost", { status: 500, body: "no" }, { status: 502, body: "<html>" }] as const)(
    "take effect once although every third response of Inngest is %j",
    async (fault) => {
      app.inngest.failEvery = { every: 3, fault };
      await runDay();
      expect(await readDay()).toEqual(runUndisturbed());
    },
  );

  it("mark the run when a batch fails, and retry it at the next half-hourly check", async () => {
    const createOutageError = () => new PlatformError("unavailable", "502", 1);
    const batches = Math.ceil((await service.db.$count(trackedCreators)) / CHANNELS_PER_CALL);
    runs.platform.failures = Array.from({ length: 4 * batches }, createOutageError);
    await runDay();
    const of = await service.db.select().from(snapshotBatches).where(eq(snapshotBatches.day, runs.next));
    expect(of.map(({ status, problem }) => [status, problem])).toEqual(
      Array.from({ length: batches }, () => ["failed", "unavailable: 502"]),
    );
    const [run] = await service.db.select().from(snapshotRuns).where(eq(snapshotRuns.day, runs.next));
    expect(run?.finishedAt).not.toBeNull();
    service.clock.advance(31 * 60 * SECOND);
    app.inngest.engine.fireCron("creator-growth-resume-day", service.clock.now());
    await app.drain();
    expect(await readDay()).toEqual(runUndisturbed());
  });

  describe("jobs at a start", () => {
    it("do not fail when Inngest is down, and are registered once it is back", async () => {
      const warnings = vi.spyOn(service.log, "warn");
      const known = app.inngest.calls.length;
      app.inngest.faults = ["lost"];
      const late = app.open();
      await late.start();
      await vi.waitFor(() => expect(app.inngest.calls.length).toBeGreaterThan(known + 1), { timeout: 20_000 });
      await late.stop();
      expect(JSON.stringify(warnings.mock.calls)).toContain("jobs could not be registered with Inngest");
      warnings.mockRestore();
    });

    it("are registered and called with the bare hex digits that a self-hosted server takes as key", async () => {
      const signingKey = "00112233445566778899aabbccddeeff";
      const server = await startInngestServer({ signingKey, clock: service.clock });
      const selfHosted = app.open({ INNGEST_SIGNING_KEY: signingKey, INNGEST_BASE_URL: server.url });
      await selfHosted.start();
      await vi.waitUntil(() => server.functions.length > 0, { timeout: 20_000, interval: 5 });
      runs.setTime(runs.next, "06:00");
      server.engine.fireCron("creator-growth-plan-day", service.clock.now());
      await server.engine.drain((to) => service.clock.set(to));
      await selfHosted.stop();
      await server.stop();
      app.open();
      expect(await readDay()).toEqual(runUndisturbed());
    });

    it("are refused by an Inngest with other keys, and the log does not show the keys", async () => {
      const other = "signkey-test-ffeeddccbbaa99887766554433221100";
      const lines = (["error", "warn", "info"] as const).map((level) => vi.spyOn(service.log, level));
      const wrong = app.open({ INNGEST_SIGNING_KEY: other, INNGEST_EVENT_KEY: "not-the-event-key" });
      await wrong.start();
      const warned = lines[1];
      await vi.waitFor(() => expect(warned?.mock.calls.length).toBeGreaterThan(0), { timeout: 20_000 });
      await wrong.stop();
      const logged = JSON.stringify(lines.flatMap((spy) => spy.mock.calls));
      expect(logged).toContain("jobs could not be registered");
      expect(logged).not.toMatch(/ffeeddcc|not-the-event-key/);
      for (const spy of lines) spy.mockRestore();
    });

    it("answer unsigned calls only when the environment configures a dev server", async () => {
      const sendUnsigned = () => fetch(`${app.http.url}/api/inngest`);
      expect((await sendUnsigned()).status).toBe(401);
      const none = { INNGEST_EVENT_KEY: "", INNGEST_SIGNING_KEY: "", INNGEST_BASE_URL: "" };
      app.open({ ...none, INNGEST_DEV: app.inngest.url });
      const answer = await sendUnsigned();
      expect([answer.status, await answer.json()]).toMatchObject([200, { mode: "dev" }]);
      app.open();
      expect((await sendUnsigned()).status).toBe(401);
    });

    it("run nothing in the process itself", async () => {
      runs.setTime(runs.next, "09:00");
      const calls = runs.platform.calls;
      const idle = app.open();
      await idle.start();
      await idle.stop();
      expect(runs.platform.calls).toBe(calls);
      expect(await getRunSummary(service, runs.next)).toBeNull();
    });
  });

  it("never log the event key when events cannot be sent", async () => {
    app.open();
    const lines = (["error", "warn", "info", "debug"] as const).map((level) => vi.spyOn(service.log, level));
    app.inngest.faults = Array.from({ length: 30 }, () => "lost" as const);
    await runDay();
    app.inngest.faults = [];
    const logged = JSON.stringify(lines.flatMap((spy) => spy.mock.calls));
    for (const spy of lines) spy.mockRestore();
    expect(logged).not.toContain(INNGEST_EVENT_KEY);
    const problems = await service.db.select({ problem: snapshotBatches.problem }).from(snapshotBatches);
    expect(JSON.stringify(problems)).not.toContain(INNGEST_EVENT_KEY);
  });
});
