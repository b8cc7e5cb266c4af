import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "@/core/log/log";
import { addDays, HOUR, SECOND, startOfDay, toDate } from "@/core/time";
import { alertCauses, dailyAllowances, deliveries, digests, snapshots, trackedCreators, videos } from "@/db/schema";
import { listChanges } from "@/features/changes/service";
import { trackUnread } from "@/features/creators/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { loadDigest, renderDigest } from "@/features/notifications/digests.service";
import { purgeExpired } from "@/features/snapshots/retention.service";
import { countCallsNeeded } from "@/features/snapshots/service";
import { createLedger, type Ledger } from "@/features/usage/units.service";
import { createYoutubePlatform } from "@/platform/youtube";
import { createFakeChannel, createFakeMailService, type FakeChannel, type FakeMailService } from "@/test/destinations";
import { createChannelId } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, type TestKey, useService } from "@/test/service";
import { ERRORS } from "@/test/youtube-answers";
import { startYoutubeServer, type YoutubeServer } from "@/test/youtube-server";
import { takeLostCauses } from "./cause.service";
import type { CauseVideo } from "./schema";
import { listAlerts } from "./service";

const ALERTS = 60;
const UNITS = 10_000;

/** What each creator of a test published before it rose, by its number. */
const STORIES = ["long", "short", "several", "nothing new", "stream", "no uploads"] as const;
const KINDS = {
  long: "video",
  short: "video",
  several: "several",
  "nothing new": "no_new_video",
  stream: "video",
  "no uploads": "no_new_video",
} as const;

describe("cause of an alert on YouTube", () => {
  let server: YoutubeServer;
  let ledger: Ledger;
  let mailService: FakeMailService;
  let channel: FakeChannel;
  beforeAll(async () => {
    server = await startYoutubeServer({ clock: { now: () => service.clock.now() } });
  });
  const service = useService({
    variables: () => ({ CREATORS_PER_STEP: "50" }),
    platform: (clock, db) => {
      const log = createLog({ level: "silent" });
      const limits = { search: 100, general: UNITS };
      ledger = createLedger(
        { db, clock, log },
        { limits, reserve: (until) => countCallsNeeded({ db, clock, log }, until) },
      );
      const { apiKey, url } = server;
      return createYoutubePlatform({ apiKey, url, ledger, clock, log, sleep: async () => {}, timeout: 1000 });
    },
    mailer: (clock) => {
      mailService = createFakeMailService(clock);
      return mailService;
    },
    monitoring: (clock) => {
      channel = createFakeChannel(clock);
      return channel;
    },
  });
  afterAll(() => server.stop());

  let key: TestKey;
  let day = "2026-06-01";

  beforeEach(async () => {
    day = addDays(day, 3);
    server.reset();
    mailService.accepted.length = 0;
    await service.db.delete(dailyAllowances);
    await service.db.delete(trackedCreators);
    await service.db.delete(deliveries);
  });

  const getStory = (number: number) => STORIES[number % STORIES.length] ?? "long";
  const publish = (number: number, id: string, hoursAgo: number, views: number, more = {}) =>
    server.publish({
      channelId: createChannelId(number),
      id: `${id}-${number}`.padEnd(11, "_"),
      title: `“${id}” of ${number}`,
      publishedAt: `${toDate(startOfDay(day).getTime() + 6 * HOUR - hoursAgo * HOUR)
        .toISOString()
        .slice(0, 19)}Z`,
      views,
      ...more,
    });

  function publishStory(number: number): void {
    const story = getStory(number);
    if (story === "no uploads") return;
    for (let back = 0; back < 8; back++) publish(number, `old${back}`, 200 + 90 * back, 10_000);
    for (let back = 0; back < 8; back++) publish(number, `sho${back}`, 220 + 80 * back, 5000, { seconds: 40 });
    publish(number, "new", 50, 5000);
    if (story === "long") publish(number, "hot", 31, 120_000);
    if (story === "short") publish(number, "hot", 22, 90_000, { seconds: 31 });
    if (story === "several") for (const [at, id] of ["hota", "hotb"].entries()) publish(number, id, 30 + at, 80_000);
    const start = `${addDays(day, -1)}T09:00:00Z`;
    if (story === "stream") publish(number, "hot", 400, 150_000, { broadcast: { state: "ended", start } });
  }

  /** Sixty creators that rise overnight, with a key that is mailed. */
  async function prepareRises(count = ALERTS): Promise<void> {
    service.clock.set(`${addDays(day, -1)}T12:00:00Z`);
    key = await createKey(service);
    await setAlertEmail(service, key.id, "scout@example.com");
    const numbers = Array.from({ length: count }, (_, number) => number);
    for (const number of numbers) server.show(createChannelId(number), { subscribers: 700 });
    await trackUnread(service, key.id, numbers.map(createChannelId));
    await Promise.all(numbers.map(readFirst));
    for (const number of numbers) server.show(createChannelId(number), { subscribers: 900 });
    for (const number of numbers) publishStory(number);
    server.calls.length = 0;
    await service.db.delete(dailyAllowances);
  }

  /** The snapshot of the day before. */
  async function readFirst(number: number): Promise<void> {
    const stored = { channelId: createChannelId(number), day: addDays(day, -1), subscribers: 700, views: 1, videos: 1 };
    const readAt = toDate(`${addDays(day, -1)}T12:00:00.000Z`);
    await service.db
      .insert(snapshots)
      .values({ ...stored, readAt, source: "track", scoreVersion: 1, scoreParts: {} })
      .onConflictDoUpdate({ target: [snapshots.channelId, snapshots.day], set: { ...stored, readAt } });
  }

  async function run(): Promise<void> {
    service.clock.set(`${day}T06:00:00Z`);
    service.engine.fireCron("creator-growth-plan-day", service.clock.now());
    await service.drain();
  }

  const listAll = async () => (await listAlerts(service, key.id, { offset: 0, limit: 100 }, { day })).alerts;
  const getNumber = (channelId: string) => Number(channelId.slice(-4));
  const findMail = (channelId: string) =>
    mailService.accepted.filter(({ html }) => html.includes(`/creators/${channelId}"`));
  const countCalls = (path: string) => server.calls.filter((call) => call.path === path).length;
  const ids = (named: CauseVideo[]) => named.map(({ video_id }) => video_id.replace(/-.*/, "")).toSorted();

  it("is right in 60 alerts and their 60 mails of all kinds, for two units each at most", async () => {
    await prepareRises();
    await run();
    const alerts = await listAll();
    expect(alerts).toHaveLength(ALERTS);
    expect(mailService.accepted).toHaveLength(ALERTS);
    for (const { channel_id, cause } of alerts) {
      const story = getStory(getNumber(channel_id));
      expect([story, cause.kind]).toEqual([story, KINDS[story]]);
      const named = { video: ["hot"], several: ["hota", "hotb"], no_new_video: [] as string[] }[KINDS[story]];
      expect([story, ...ids(cause.videos)]).toEqual([story, ...named]);
      const mails = findMail(channel_id);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.text).toContain(cause.text);
      for (const { url, thumbnail_url } of cause.videos) {
        expect(mails[0]?.text).toContain(url);
        expect(mails[0]?.html).toContain(`href="${url}"`);
        expect(mails[0]?.html).toContain(`src="${thumbnail_url}"`);
      }
    }
    expect(countCalls("channels")).toBe(2);
    expect(countCalls("playlistItems")).toBe(ALERTS);
    expect(countCalls("videos")).toBe((ALERTS * 5) / 6);
    const [, general] = await ledger.listSpentUnits();
    expect(general?.used).toBe(2 + ALERTS + (ALERTS * 5) / 6);
  });

  it("says what was seen in a sentence", async () => {
    await prepareRises(STORIES.length);
    await run();
    const texts = (await listAll()).map(({ channel_id, cause }) => [getStory(getNumber(channel_id)), cause.text]);
    expect(Object.fromEntries(texts)).toEqual({
      long: expect.stringMatching(/^Likely from “.hot. of 0”: 120K views in 31 hours, [\d.]+ times its usual\.$/),
      short: expect.stringMatching(/^Likely from “.hot. of 1”: 90.0K views in 22 hours, [\d.]+ times its usual\.$/),
      several: expect.stringMatching(
        /^Likely from 2 new videos with [\d.]+( to [\d.]+)? times their usual views: “.*” and “.*”\.$/,
      ),
      "nothing new": "No new video stands out. It may come from elsewhere or from an older video.",
      stream: expect.stringMatching(/^Likely from “.hot. of 4”: 150K views in 21 hours/),
      "no uploads": "No new video stands out. It may come from elsewhere or from an older video.",
    });
  });

  it.each([
    [
      "answer 500",
      () => Object.assign(server.failPath, { playlistItems: ERRORS.backend }),
      "The platform did not answer when the videos were read.",
    ],
    [
      "answer 500 for the videos alone",
      () => Object.assign(server.failPath, { videos: ERRORS.backend }),
      "The platform did not answer when the videos were read.",
    ],
    [
      "hang",
      () => Object.assign(server.failPath, { playlistItems: "silence" }),
      "The platform did not answer when the videos were read.",
    ],
    [
      "are over quota",
      () => Object.assign(server.failPath, { playlistItems: ERRORS.quotaExceeded }),
      "The day's calls to the platform for videos were used up.",
    ],
  ])(
    "is unknown when the calls for videos %s, and no alert is lost and no mail later than a minute",
    async (_, break_, why) => {
      // Each call that hangs takes a second of the test.
      await prepareRises(4);
      break_();
      await run();
      const alerts = await listAll();
      expect(alerts).toHaveLength(4);
      for (const { cause } of alerts)
        expect(cause).toMatchObject({ kind: "unknown", text: `Cause unknown. ${why}`, videos: [] });
      expect(mailService.accepted).toHaveLength(4);
      const last = Math.max(...mailService.tries.map(({ at }) => at.getTime()));
      const paced = (4 / 2) * SECOND;
      expect(last).toBeLessThanOrEqual(toDate(`${day}T06:00:00Z`).getTime() + paced + 60 * SECOND);
    },
  );

  it("is unknown for those beyond a fifth of the day's units, which the daily run keeps", async () => {
    await prepareRises(12);
    const used = { scope: "service", kind: "video_units", day: addDays(day, -1), used: UNITS / 5 - 5 } as const;
    await service.db.insert(dailyAllowances).values(used);
    await run();
    const kinds = (await listAll()).map(({ cause }) => cause.kind);
    // Two channels are read at once. Of five units, at most one goes to a first call whose second one gets none.
    expect(kinds.filter((kind) => kind !== "unknown").length).toBeGreaterThanOrEqual(2);
    expect(kinds.filter((kind) => kind === "unknown").length).toBeGreaterThanOrEqual(9);
    expect(countCalls("channels")).toBe(1);
    expect(countCalls("playlistItems") + countCalls("videos")).toBe(5);
    expect(mailService.accepted).toHaveLength(12);
  });

  it("is read once for all keys", async () => {
    await prepareRises(1);
    const other = await createKey(service);
    await trackUnread(service, other.id, [createChannelId(0)]);
    await run();
    const [mine] = await listAll();
    const [others] = (await listAlerts(service, other.id, { offset: 0, limit: 10 })).alerts;
    expect(others?.cause).toEqual(mine?.cause);
    expect(countCalls("playlistItems")).toBe(1);
  });

  it("is waited for by a mail for a minute, and read later when its job was lost", async () => {
    await prepareRises(1);
    await run();
    // As after a crash between the alert's transaction and its jobs.
    await service.db
      .update(alertCauses)
      .set({ kind: "pending", videos: [], readAt: null })
      .where(eq(alertCauses.day, day));
    await service.db
      .update(deliveries)
      .set({ status: "pending", mail: null, triedAt: null, finishedAt: null, messageId: null });
    mailService.accepted.length = 0;
    service.clock.set(`${day}T06:20:00Z`);
    service.engine.fireCron("creator-growth-sweep-deliveries", service.clock.now());
    await service.drain();
    const at = mailService.tries.at(-1)?.at;
    expect(at?.toISOString()).toBe(`${day}T06:21:00.000Z`);
    expect(mailService.tries.at(-1)?.sent.text).not.toMatch(/Likely|Cause unknown|stands out/);
    expect((await listAll())[0]?.cause).toMatchObject({ kind: "pending", videos: [] });
    service.engine.fireCron("creator-growth-sweep-causes", service.clock.now());
    await service.drain();
    expect((await listAll())[0]?.cause).toMatchObject({ kind: "video" });
  });

  it("is given up after six hours", async () => {
    await prepareRises(1);
    await run();
    await service.db
      .update(alertCauses)
      .set({ kind: "pending", videos: [], readAt: null })
      .where(eq(alertCauses.day, day));
    service.clock.set(`${day}T12:30:00Z`);
    expect(await takeLostCauses(service)).toEqual([]);
    expect((await listAll())[0]?.cause).toMatchObject({
      kind: "unknown",
      text: "Cause unknown. The videos were not read in time.",
    });
  });

  it("keeps the links of its videos for good, and titles and numbers for 30 days", async () => {
    await prepareRises(1);
    await run();
    const [before] = await listAll();
    expect(before?.cause.videos[0]).toMatchObject({ title: expect.any(String), views: 120_000, is_short: false });
    expect(await service.db.$count(videos, eq(videos.channelId, createChannelId(0)))).toBe(18);
    service.clock.set(`${addDays(day, 31)}T05:00:00Z`);
    await purgeExpired(service, { snapshotDays: 30, alertDays: null });
    const [after] = await listAll();
    const [video] = before?.cause.videos ?? [];
    expect(after?.cause).toMatchObject({
      kind: "video",
      text: "Likely from a video whose details were deleted after 30 days.",
      videos: [
        { video_id: video?.video_id, url: video?.url, title: null, views: null, times_usual: null, published_at: null },
      ],
    });
    expect(await service.db.$count(videos, eq(videos.channelId, createChannelId(0)))).toBe(0);
    service.clock.set(`${day}T06:30:00Z`);
  });

  it("notes uploads and their views of the last week with the day's snapshot", async () => {
    await prepareRises(1);
    await run();
    const [stored] = await service.db
      .select({ uploads: snapshots.uploads7d, views: snapshots.uploadViews7d })
      .from(snapshots)
      .where(and(eq(snapshots.channelId, createChannelId(0)), eq(snapshots.day, day)));
    expect(stored).toEqual({ uploads: 2, views: 125_000 });
  });

  it("is in changes, CSV, monitoring posts and the weekly digest", async () => {
    await prepareRises(1);
    await run();
    const [alert] = await listAll();
    const text = alert?.cause.text ?? "";
    const [url] = alert?.cause.videos.map((video) => video.url) ?? [];
    const { changes } = await listChanges(service, key.id, { after: "", limit: 100 });
    expect(changes.find(({ type }) => type === "alert_created")?.alert?.cause).toEqual(alert?.cause);
    const csv = await send("/api/alerts?format=csv&cause=video", { key: key.secret });
    expect(csv.text).toContain(`,video,${url},"${text}",`);
    expect(channel.posts.at(-1)?.cause).toBe(text);
    const [digest] = await service.db
      .insert(digests)
      .values({ keyId: key.id, week: addDays(day, 1), createdAt: service.clock.now() })
      .returning();
    const loaded = await loadDigest(service, digest?.id ?? "");
    expect(loaded.cause).toMatchObject({ text, videos: [{ url }] });
    expect((await renderDigest(service, loaded, "scout@example.com")).text).toContain(text);
  });

  it("has titles as their owners wrote them, and texts without what turns them around", async () => {
    await prepareRises(1);
    publish(0, "evil", 30, 900_000, { title: "<b>=1+1</b> \u202e\u0007 מה" });
    await run();
    const [alert] = await listAll();
    expect(alert?.cause.videos[0]?.title).toBe("<b>=1+1</b> \u202e\u0007 מה");
    expect(alert?.cause.text).toMatch(/^Likely from “\u2068<b>=1\+1<\/b> מה\u2069”: 900K views/);
    const [mail] = mailService.accepted;
    expect(mail?.html).not.toContain("<b>=1+1");
    for (const mark of ["\u202e", "\u0007"]) expect(`${mail?.html}${mail?.text}`).not.toContain(mark);
  });

  it("filters alerts", async () => {
    await prepareRises(STORIES.length);
    await run();
    const count = async (cause: "video" | "several" | "no_new_video" | "unknown" | "pending") =>
      (await listAlerts(service, key.id, { offset: 0, limit: 10 }, { cause })).pagination.total;
    expect([await count("video"), await count("several"), await count("no_new_video"), await count("unknown")]).toEqual(
      [3, 1, 2, 0],
    );
  });
});
