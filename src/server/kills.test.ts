import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { and, eq, inArray } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readEnv } from "@/core/env";
import { createLog } from "@/core/log/log";
import { addDays, DAY, type Day, ManualClock, MINUTE, SECOND, toDate } from "@/core/time";
import { connect, type DatabaseConnection } from "@/db/client";
import { findServer } from "@/db/embedded/cluster";
import { openEmbedded } from "@/db/embedded/server";
import { migrateDatabase } from "@/db/migrate";
import { alerts, dailyUsage, deliveries, snapshots, trackedCreators } from "@/db/schema";
import { listChanges } from "@/features/changes/service";
import { trackUnread } from "@/features/creators/service";
import { recordSnapshots } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import { deleteKey } from "@/features/keys/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { getRunSummary } from "@/features/snapshots/service";
import { createSamplePlatform } from "@/platform/sample";
import { createCases, pickNightly } from "@/test/cases";
import { startProgram } from "@/test/programs";
import { RESEND_KEY, type ResendServer, startResendServer } from "@/test/resend-server";
import { prepareSampleDay, type SampleDay } from "@/test/sample-day";
import { createKey } from "@/test/service";
import { type SlackServer, startSlackServer } from "@/test/slack-server";
import { startYoutubeServer, type YoutubeServer } from "@/test/youtube-server";
import type { ServiceContext } from "./context";
import { createServiceContext } from "./services";

/** What a crash of the database may forget of the counting, with room for a slow machine. */
const FORGOTTEN = 3 * SECOND;

const kill = fc.record({
  target: fc.constantFrom("service" as const, "service" as const, "service" as const, "database" as const),
  /** The instant, in thousandths of the time that the whole day takes when nothing happens. */
  share: fc.noBias(fc.integer({ min: 0, max: 1000 })),
});

/** One process of the service, from its start to its end. */
interface ServedInstance {
  child: ChildProcess;
  port: Promise<number | null>;
  ended: Promise<unknown>;
}

/** What a key's owner did all day, across all processes. */
interface Traffic {
  sent: number;
  /** Requests answered from the database. */
  answered: number;
  /** When each request that must be counted was answered. */
  counted: number[];
  /** Channels the service confirmed as tracked. */
  tracked: string[];
  databaseKills: number[];
  /** How many requests were answered with each status. */
  statuses: Map<number, number>;
}

const createTraffic = (): Traffic => ({
  sent: 0,
  answered: 0,
  counted: [],
  tracked: [],
  databaseKills: [],
  statuses: new Map(),
});

describe("service and database server killed at random moments", () => {
  const log = createLog({ level: "silent" });
  let folder: string;
  let database: DatabaseConnection;
  let ctx: ServiceContext;
  let variables: Record<string, string>;
  let resend: ResendServer;
  let slack: SlackServer;
  const children: ChildProcess[] = [];
  let url: string;
  let day: Day = "2026-05-01";
  let begunAt = 0;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), "creator-growth-kills-")));
    [resend, slack] = [await startResendServer(), await startSlackServer()];
    variables = {
      APP_URL: "http://growth.test",
      DATA_DIR: folder,
      LOG_LEVEL: "silent",
      RESEND_API_KEY: RESEND_KEY,
      RESEND_BASE_URL: resend.url,
      ALERT_EMAIL_FROM: "Creator Growth <growth@mail.test>",
      MONITORING_WEBHOOK_URL: slack.webhookUrl,
    };
    const server = await openEmbedded(folder, "command", log, true);
    await migrateDatabase(server.url);
    connectTo(server.url);
    // A killed server leaves its writes to the machine, which goes on.
    await database.db.execute("alter system set fsync = off");
    await database.db.execute("select pg_reload_conf()");
  });

  function connectTo(at: string): void {
    url = at;
    database = connect(url);
    ctx = createServiceContext(readEnv({ NODE_ENV: "test", ...variables }), { db: database.db, log });
  }

  /** A new process may start the database on another port. */
  async function followServer(): Promise<void> {
    const server = await findServer({ home: path.join(folder, "postgres") });
    const at = new URL(url);
    at.port = String(server?.port);
    if (at.href === new URL(url).href) return;
    await database.close();
    connectTo(at.href);
  }

  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await database.close();
    await killDatabase("SIGQUIT");
    await Promise.all([resend.stop(), slack.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const getNow = () => toDate(toDate(`${day}T06:00:30Z`).getTime() + performance.now() - begunAt);

  function start(later = 0, more: Record<string, string> = {}): ServedInstance {
    const at = toDate(getNow().getTime() + later).toISOString();
    const child = startProgram("served-process", [at], { NODE_ENV: "test", ...variables, ...more });
    children.push(child);
    const ended = once(child, "exit");
    const port = Promise.race([once(child, "message").then(([message]) => Number(message)), ended.then(() => null)]);
    return { child, port, ended };
  }

  async function killDatabase(signal: "SIGINT" | "SIGKILL" | "SIGQUIT" = "SIGKILL"): Promise<void> {
    const server = await findServer({ home: path.join(folder, "postgres") });
    if (server) process.kill(server.pid, signal);
  }

  /** Tracks creators and reads the usage for as long as the process answers. */
  async function use(
    instance: ServedInstance,
    { key }: SampleDay,
    traffic: Traffic,
    ids: readonly string[],
  ): Promise<void> {
    const port = await instance.port;
    if (port === null) return;
    const sendCounted = async (path: string, body?: object) => {
      traffic.sent += 1;
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: body ? "POST" : "GET",
        headers: { "X-API-Key": key.secret, ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect([200, 404, 429, 503], await response.text()).toContain(response.status);
      // Also 429 is, by the database: a fast machine uses up the day's requests.
      if (response.status !== 503) traffic.answered += 1;
      traffic.statuses.set(response.status, (traffic.statuses.get(response.status) ?? 0) + 1);
      if (response.ok) traffic.counted.push(performance.now());
      return response.status;
    };
    const isOver = sendCounted("/api/usage").then(
      () => false,
      () => true,
    );
    for (let round = 0; !(await isOver); round++) {
      const id = ids[(traffic.tracked.length + round) % ids.length] ?? "";
      const status = await sendCounted("/api/track", { channel_id: id }).catch(() => null);
      if (status === 200) traffic.tracked.push(id);
      if (status === null || (await sendCounted("/api/usage").catch(() => null)) === null) return;
    }
  }

  /** Kills the database server; the service recovers unless it was still starting. */
  async function surviveDatabase(
    instance: ServedInstance,
    traffic: Traffic,
    signal: "SIGINT" | "SIGKILL" = "SIGKILL",
  ): Promise<void> {
    traffic.databaseKills.push(performance.now());
    await killDatabase(signal);
    if ((await Promise.race([instance.port, null])) === null) return;
    const before = traffic.answered;
    await vi.waitFor(() => expect(traffic.answered).toBeGreaterThan(before), {
      timeout: 120_000,
      interval: 20,
    });
  }

  async function expectWhole({ key, channelIds, growing }: SampleDay, traffic: Traffic): Promise<void> {
    const { db } = database;
    const read = await db
      .select({ id: snapshots.channelId })
      .from(snapshots)
      .where(and(eq(snapshots.day, day), eq(snapshots.source, "daily"), inArray(snapshots.channelId, channelIds)));
    expect(read.map(({ id }) => id).sort()).toEqual(channelIds.toSorted());
    const summary = await getRunSummary({ ...ctx, db }, day);
    expect(summary).toMatchObject({ failed: 0, finished_at: expect.any(String) });
    expect(summary?.planned).toBe(Number(summary?.read) + Number(summary?.unavailable));

    const made = await db
      .select()
      .from(alerts)
      .where(and(eq(alerts.keyId, key.id), eq(alerts.day, day)));
    expect(made.map(({ channelId }) => channelId).sort()).toEqual(growing.toSorted());
    const sent = await db
      .select({ destination: deliveries.destination, status: deliveries.status })
      .from(deliveries)
      .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
      .where(and(eq(alerts.keyId, key.id), eq(alerts.day, day)));
    expect(sent.map(({ status }) => status)).toEqual(growing.flatMap(() => ["sent", "sent"]));
    const mailed = resend.accepted.map(({ key: idempotencyKey }) => idempotencyKey);
    expect(mailed.sort()).toEqual(made.map(({ id }) => `alert/${id}`).sort());
    for (const { message } of made)
      expect(
        slack.posts.some(({ text }) => text.includes(message)),
        message,
      ).toBe(true);

    const tracked = await db.select().from(trackedCreators).where(eq(trackedCreators.keyId, key.id));
    const ids = tracked.map(({ channelId }) => channelId);
    expect(ids).toEqual(expect.arrayContaining(traffic.tracked));
    await expectMirrored(key.id, new Set(made.map(({ id }) => id)), new Set(ids));
    const [usage] = await db
      .select()
      .from(dailyUsage)
      .where(and(eq(dailyUsage.keyId, key.id), eq(dailyUsage.day, day)));
    const lasting = traffic.counted.filter((at) =>
      traffic.databaseKills.every((killed) => at > killed || at < killed - FORGOTTEN),
    );
    expect(usage?.requests ?? 0).toBeGreaterThanOrEqual(lasting.length);
    expect(usage?.requests ?? 0).toBeLessThanOrEqual(traffic.sent);
  }

  /** Expects a client that copies the feed to end with the database's state, without duplicates. */
  async function expectMirrored(keyId: KeyId, alertIds: Set<string>, tracked: Set<string>): Promise<void> {
    const copied = { alerts: [] as string[], tracked: new Set<string>() };
    for (let after = "", more = true; more; ) {
      const page = await listChanges({ ...ctx, db: database.db }, keyId, { after, limit: 7 });
      for (const { type, alert, channel_id } of page.changes) {
        if (type === "alert_created" && alert) copied.alerts.push(alert.id);
        if (type === "tracked") copied.tracked.add(channel_id);
        if (type === "untracked") copied.tracked.delete(channel_id);
      }
      [after, more] = [page.next_after, page.has_more];
    }
    expect(copied.alerts).toHaveLength(alertIds.size);
    expect(new Set(copied.alerts)).toEqual(alertIds);
    expect(copied.tracked).toEqual(tracked);
  }

  async function prepareNextDay(): Promise<void> {
    day = addDays(day, 3);
    begunAt = performance.now();
    resend.accepted.length = 0;
    slack.posts.length = 0;
    await followServer();
  }

  /** A key that tracks channels of the platform since yesterday. The first have doubled since then. */
  async function prepareChannels(
    youtube: YoutubeServer,
    { creators, growing }: { creators: number; growing: number },
  ): Promise<SampleDay> {
    const yesterday = new ManualClock(toDate(getNow().getTime() - DAY));
    const channelIds = Array.from({ length: creators }, (_, at) => `UCrestart${String(at).padStart(15, "0")}`);
    for (const id of channelIds) youtube.show(id, { name: id, subscribers: 2000 });
    const key = await createKey({ ...ctx, clock: yesterday }, "pro");
    await setAlertEmail({ ...ctx, clock: yesterday }, key.id, "scout@example.com");
    await trackUnread({ ...ctx, clock: yesterday }, key.id, channelIds);
    const stats = channelIds.map((channelId, at) => ({
      ...{ channelId, name: channelId, handle: null, thumbnailUrl: null, country: null },
      ...{ subscribers: at < growing ? 1000 : 2000, views: 1000, videos: 10 },
    }));
    await recordSnapshots({ ...ctx, clock: yesterday }, addDays(day, -1), "daily", stats);
    return { today: day, key, channelIds, growing: channelIds.slice(0, growing) };
  }

  /** Waits until the daily run has taken this share of its snapshots. */
  const waitUntilRead = (share: number, creators: number) =>
    vi.waitFor(
      async () => {
        await followServer();
        const summary = await getRunSummary({ ...ctx, db: database.db }, day);
        expect(Number(summary?.read)).toBeGreaterThanOrEqual(share * creators);
      },
      { timeout: 600_000, interval: 100 },
    );

  /** Simulates a day in which processes are killed. @returns how long the last process ran */
  async function simulateKills(kills: readonly { target: string; share: number }[], whole: number): Promise<number> {
    await prepareNextDay();
    const sample = await prepareSampleDay(ctx, { now: getNow }, { creators: 12, growing: 3 });
    const found = await createSamplePlatform({ now: getNow }).search("gaming");
    const ids = found.filter((id) => !sample.channelIds.includes(id));
    const traffic = createTraffic();
    for (const { target, share } of kills) {
      const instance = start();
      const used = use(instance, sample, traffic, ids);
      await Promise.race([instance.ended, new Promise((resolve) => setTimeout(resolve, (share * whole) / 1000))]);
      if (target === "database") await surviveDatabase(instance, traffic);
      instance.child.kill("SIGKILL");
      await Promise.all([instance.ended, used]);
    }
    // Late enough that the claims of killed processes have expired.
    const at = performance.now();
    const last = start(10 * MINUTE);
    const used = use(last, sample, traffic, ids);
    expect(await last.port).not.toBeNull();
    last.child.send("settle");
    expect(await Promise.race([once(last.child, "message"), last.ended])).toMatchObject([
      { done: "settle" },
      undefined,
    ]);
    const took = performance.now() - at;
    last.child.kill("SIGKILL");
    await Promise.all([last.ended, used]);
    await followServer();
    await expectWhole(sample, traffic);
    await deleteKey({ ...ctx, clock: { now: getNow } }, sample.key.id);
    return took;
  }

  it("lose nothing, repeat nothing, and count every answered request", { timeout: 0 }, async () => {
    const whole = await simulateKills([], 0);
    const kills = pickNightly(2, 8);
    const property = fc.asyncProperty(fc.array(kill, { minLength: kills, maxLength: kills }), async (instants) => {
      await simulateKills(instants, whole);
    });
    // Another run would hit other moments, so there is nothing to shrink.
    await fc.assert(property, { ...createCases(1, 21), endOnFailure: true });
  });

  it("answer 200 or 503 while the database restarts, lose nothing and repeat nothing", {
    timeout: 0,
  }, async () => {
    const restarts = pickNightly(1, 20);
    const creators = pickNightly(40, 2000);
    const youtube = await startYoutubeServer();
    await prepareNextDay();
    const sample = await prepareChannels(youtube, { creators, growing: pickNightly(2, 20) });
    const others = Array.from({ length: 50 }, (_, at) => `UCanother${String(at).padStart(15, "0")}`);
    for (const id of others) youtube.show(id, { name: id, subscribers: 1000 });
    const traffic = createTraffic();
    const instance = start(0, { YOUTUBE_API_KEY: youtube.apiKey, YOUTUBE_API_URL: youtube.url });
    const used = use(instance, sample, traffic, others);
    expect(await instance.port).not.toBeNull();
    for (let restart = 1; restart <= restarts; restart++) {
      await waitUntilRead((restart - 1) / restarts, creators);
      await surviveDatabase(instance, traffic, restart % 2 === 0 ? "SIGKILL" : "SIGINT");
    }
    for (const order of ["settle", "sweep"]) {
      instance.child.send(order);
      expect(await Promise.race([once(instance.child, "message"), instance.ended])).toMatchObject([
        { done: order },
        undefined,
      ]);
    }
    instance.child.kill("SIGKILL");
    await Promise.all([instance.ended, used]);
    await followServer();
    // A fast machine uses up the quota, which answers 429.
    const unexpected = [...traffic.statuses.keys()].filter((status) => ![200, 429, 503].includes(status));
    expect(unexpected).toEqual([]);
    await expectWhole(sample, traffic);
    await youtube.stop();
  });
});
