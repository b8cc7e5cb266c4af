import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, SECOND } from "@/core/time";
import { alerts, channels, snapshotRuns, snapshots, trackedCreators } from "@/db/schema";
import { recordSnapshots, upsertChannels } from "@/features/growth/service";
import { deleteKey } from "@/features/keys/service";
import { finishBatches, readBatches } from "@/features/snapshots/batches.service";
import { planRun } from "@/features/snapshots/service";
import { type ChannelReference, PlatformError, type VideoPlatform } from "@/platform/port";
import { getSampleChannelId } from "@/platform/sample";
import { installContext } from "@/server/context";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { listHistory } from "./history.service";
import { TrackedQuery } from "./query.schema";
import { listTracked } from "./rows.service";
import { getTrackedCreator, trackCreator, trackUnread, untrackCreator } from "./service";
import { getTrackedTable } from "./table.service";

const FIRST_PAGE = { offset: 0, limit: 20 };
const HIDDEN = "@unlistedraccoon";
const TERMINATED = "@cheatcodecellar";

const createHandleReference = (handle: string): ChannelReference => ({ kind: "handle", handle });

describe("tracking", () => {
  const service = useService();

  beforeEach(async () => {
    service.clock.set(TEST_START);
    await service.db.delete(trackedCreators);
    await service.db.delete(alerts);
    await service.db.delete(snapshots);
    await service.db.delete(snapshotRuns);
    await service.db.delete(channels);
  });

  /** Stores the channel's daily snapshot of the clock's day. */
  async function readDaily(handle: string): Promise<void> {
    const reading = await service.platform.find(createHandleReference(handle));
    const day = service.clock.now().toISOString().slice(0, 10);
    await recordSnapshots(service, day, "daily", reading ? [reading] : []);
  }

  async function expectNothingStored(): Promise<void> {
    for (const table of [channels, snapshots, trackedCreators]) expect(await service.db.$count(table)).toBe(0);
  }

  describe("tracked creator", () => {
    it("takes a first snapshot at once and returns it", async () => {
      const { id } = await createKey(service);
      const channelId = getSampleChannelId("@juniperfivecrits");
      const creator = await trackCreator(service, id, { kind: "id", id: channelId });
      const [reading] = (await service.platform.listChannels([channelId])).channels;
      expect(creator).toMatchObject({
        channel_id: channelId,
        name: "Juniper Fivecrits",
        handle: "@juniperfivecrits",
        url: `https://www.youtube.com/channel/${channelId}`,
        status: "active",
        subscribers: reading?.subscribers,
        score_basis: "profile",
        growth_1d_percent: null,
        growth_7d_percent: null,
        tracked_since: TEST_START,
        last_snapshot_at: null,
      });
      const stored = await service.db.select().from(snapshots);
      expect(stored).toMatchObject([{ channelId, day: "2026-03-10", source: "track" }]);
      const { subscribers, views, videos } = creator;
      expect(await listHistory(service, id, channelId)).toEqual([{ day: "2026-03-10", subscribers, views, videos }]);
    });

    it("shows the last daily snapshot since this key tracks the creator, not another key's", async () => {
      const [mine, rival] = [await createKey(service), await createKey(service)];
      const handle = "@juniperfivecrits";
      const readSeen = async ({ id }: TestKey) => {
        const [listed] = (await listTracked(service, id, FIRST_PAGE)).creators;
        const { creators } = await getTrackedTable(service, id, TrackedQuery.parse({}));
        const page = await getTrackedCreator(service, id, listed?.channel_id ?? "");
        const repeated = await trackCreator(service, id, createHandleReference(handle));
        const answers = [listed, creators[0], page, repeated].map((creator) => creator?.last_snapshot_at);
        expect(new Set(answers).size).toBe(1);
        return answers[0];
      };
      await trackCreator(service, rival.id, createHandleReference(handle));
      service.clock.set("2026-03-11T06:00:00Z");
      await readDaily(handle);
      service.clock.set("2026-03-11T09:00:00Z");
      expect((await trackCreator(service, mine.id, createHandleReference(handle))).last_snapshot_at).toBeNull();
      expect(await readSeen(mine)).toBeNull();
      expect(await readSeen(rival)).toBe("2026-03-11T06:00:00.000Z");
      service.clock.set("2026-03-12T06:00:00Z");
      await readDaily(handle);
      service.clock.set("2026-03-13T01:00:00Z");
      const late = await createKey(service);
      await trackCreator(service, late.id, createHandleReference(handle));
      expect(await readSeen(mine)).toBe("2026-03-12T06:00:00.000Z");
      expect(await readSeen(late)).toBeNull();
      const channel = getSampleChannelId(handle);
      const listRunDays = async ({ id }: TestKey) =>
        (await listHistory(service, id, channel)).map((reading) => reading.day);
      expect(await listRunDays(mine)).toEqual(["2026-03-11", "2026-03-12"]);
      expect(await listRunDays(late)).toEqual(["2026-03-13"]);
      const readTrend = async ({ id }: TestKey) =>
        (await getTrackedTable(service, id, TrackedQuery.parse({}))).creators[0]?.trend.slice(-3);
      expect(await readTrend(mine)).toEqual([expect.any(Number), expect.any(Number), null]);
      expect(await readTrend(late)).toEqual([null, null, expect.any(Number)]);
    });

    it("ignores the snapshot of a run that began before the key tracked the creator", async () => {
      const [early, during] = [await createKey(service), await createKey(service)];
      const handle = "@juniperfivecrits";
      await trackCreator(service, early.id, createHandleReference(handle));
      const day = "2026-03-11";
      service.clock.set(`${day}T06:00:00Z`);
      await service.db.insert(snapshotRuns).values({ day, startedAt: service.clock.now(), plans: 1 });
      service.clock.set(`${day}T06:00:05Z`);
      await trackCreator(service, during.id, createHandleReference(handle));
      service.clock.set(`${day}T06:00:09Z`);
      await readDaily(handle);
      const readSeen = async ({ id }: TestKey) =>
        (await listTracked(service, id, FIRST_PAGE)).creators.map((creator) => creator.last_snapshot_at);
      expect(await readSeen(early)).toEqual([`${day}T06:00:00.000Z`]);
      expect(await readSeen(during)).toEqual([null]);
    });

    it("shows when the run began, not the time of the snapshot within it", async () => {
      const { id } = await createKey(service);
      const handles = ["@juniperfivecrits", "@sprocketowl"];
      for (const handle of handles) await trackCreator(service, id, createHandleReference(handle));
      const day = "2026-03-11";
      service.clock.set(`${day}T06:00:00Z`);
      await service.db.insert(snapshotRuns).values({ day, startedAt: service.clock.now(), plans: 1 });
      for (const handle of handles) {
        service.clock.advance(SECOND);
        await readDaily(handle);
      }
      const { creators } = await listTracked(service, id, FIRST_PAGE);
      const began = `${day}T06:00:00.000Z`;
      expect(creators.map((creator) => creator.last_snapshot_at)).toEqual([began, began]);
    });

    it("asks the platform again when midnight passes during tracking", async () => {
      const { id } = await createKey(service);
      const platform: VideoPlatform = Object.create(service.platform);
      const requested: string[] = [];
      platform.find = async (reference) => {
        const reading = await service.platform.find(reference);
        requested.push(service.clock.now().toISOString());
        if (requested.length === 1) service.clock.set("2026-03-11T00:00:00.010Z");
        return reading;
      };
      service.clock.set("2026-03-10T23:59:59.990Z");
      await trackCreator({ ...service, platform }, id, createHandleReference("@juniperfivecrits"));
      expect(requested).toEqual(["2026-03-10T23:59:59.990Z", "2026-03-11T00:00:00.010Z"]);
      const today = await service.platform.find(createHandleReference("@juniperfivecrits"));
      const stored = await service.db.select().from(snapshots);
      expect(stored).toMatchObject([{ day: "2026-03-11", subscribers: today?.subscribers, views: today?.views }]);
    });

    it("ignores an earlier snapshot taken for discovery, and shows the next run's", async () => {
      const { id } = await createKey(service);
      const handle = "@juniperfivecrits";
      const day = "2026-03-11";
      const reading = await service.platform.find(createHandleReference(handle));
      service.clock.set(`${day}T08:30:00Z`);
      await recordSnapshots(service, day, "track", reading ? [reading] : []);
      service.clock.set(`${day}T10:00:00Z`);
      await trackCreator(service, id, createHandleReference(handle));
      service.clock.set(`${day}T12:00:00Z`);
      await service.db.insert(snapshotRuns).values({ day, startedAt: service.clock.now(), plans: 1 });
      const readSeen = async () => (await listTracked(service, id, FIRST_PAGE)).creators[0]?.last_snapshot_at;
      expect(await readSeen()).toBeNull();
      service.clock.set(`${day}T12:00:05Z`);
      await readDaily(handle);
      expect(await readSeen()).toBe(`${day}T12:00:00.000Z`);
    });

    it("returns the same creator by id, handle in any case and user name", async () => {
      const { id } = await createKey(service);
      const first = await trackCreator(service, id, createHandleReference("@SprocketOwl"));
      const again = await trackCreator(service, id, { kind: "username", username: "sprocketowl" });
      expect(again).toEqual(first);
      expect((await listTracked(service, id, FIRST_PAGE)).creators).toEqual([first]);
    });

    it("tracks a creator once when asked twice, since the first time", async () => {
      const { id } = await createKey(service);
      const first = await trackCreator(service, id, createHandleReference("@juniperfivecrits"));
      service.clock.advance(3 * DAY);
      const again = await trackCreator(service, id, createHandleReference("@juniperfivecrits"));
      expect(again.tracked_since).toBe(first.tracked_since);
      expect(await service.db.$count(trackedCreators)).toBe(1);
    });

    it("tracks a creator once in ten parallel requests, with one tracked_since in all answers", async () => {
      const { id } = await createKey(service);
      const advanceNow = () => {
        service.clock.advance(1);
        return service.clock.now();
      };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          trackCreator({ ...service, clock: { now: advanceNow } }, id, createHandleReference("@juniperfivecrits")),
        ),
      );
      expect(new Set(answers.map((answer) => answer.tracked_since)).size).toBe(1);
      expect(await service.db.$count(trackedCreators)).toBe(1);
      expect(await service.db.$count(snapshots)).toBe(1);
    });

    it("stores one snapshot when ten keys track a creator at once, and each key tracks it", async () => {
      const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(service)));
      await Promise.all(keys.map(({ id }) => trackCreator(service, id, createHandleReference("@juniperfivecrits"))));
      expect(await service.db.$count(trackedCreators)).toBe(10);
      expect(await service.db.$count(snapshots)).toBe(1);
    });

    it("returns null for hidden subscribers in answer, list and history", async () => {
      const { id } = await createKey(service);
      const creator = await trackCreator(service, id, createHandleReference(HIDDEN));
      expect(creator).toMatchObject({
        counts: "hidden",
        subscribers: null,
        score: null,
        alert_level: "STABLE",
      });
      expect(creator.views).toBeGreaterThan(0);
      const [reading] = await listHistory(service, id, creator.channel_id);
      expect(reading).toMatchObject({ subscribers: null, views: creator.views });
    });

    it("shows a channel deleted before its first snapshot as unread, not hidden", async () => {
      const { id } = await createKey(service);
      const channelId = getSampleChannelId(TERMINATED);
      await trackUnread(service, id, [channelId]);
      service.clock.set("2026-03-11T06:00:00Z");
      const batches = await planRun(service, { day: "2026-03-11", scope: "open", plans: 0 }, "planner");
      const { channels } = await readBatches(service, "2026-03-11", batches);
      const present = channels.map((channel) => channel.channelId);
      await finishBatches(service, "2026-03-11", batches, present);
      const [creator] = (await listTracked(service, id, FIRST_PAGE)).creators;
      expect(creator).toMatchObject({
        channel_id: channelId,
        status: "unavailable",
        counts: "unread",
        subscribers: null,
        score: null,
        alert_level: "STABLE",
      });
      const stable = TrackedQuery.parse({ level: "STABLE" });
      expect((await getTrackedTable(service, id, stable)).pagination.total).toBe(1);
    });

    it("filters creators in the top tenth of their size band", async () => {
      const { id } = await createKey(service);
      const handles = ["@juniperfivecrits", "@dungeonteapot"];
      const found = await Promise.all(
        handles.map((handle) => trackCreator(service, id, createHandleReference(handle))),
      );
      for (const [at, { channel_id }] of found.entries())
        await service.db
          .update(channels)
          .set({ percentile: 89.9 + at })
          .where(eq(channels.id, channel_id));
      const risers = await getTrackedTable(service, id, TrackedQuery.parse({ rising_for_size: true }));
      expect(risers.creators.map(({ channel_id }) => channel_id)).toEqual([found[1]?.channel_id]);
    });

    it("shows one count and one time everywhere, also after a newer look-up", async () => {
      const [mine, rival] = [await createKey(service), await createKey(service)];
      const handle = "@juniperfivecrits";
      const { channel_id } = await trackCreator(service, mine.id, createHandleReference(handle));
      service.clock.set("2026-03-11T06:00:00Z");
      await readDaily(handle);
      const [reading] = (await service.platform.listChannels([channel_id])).channels;
      if (!reading) throw new Error("the sample platform shows this channel");
      const fresher = [{ ...reading, subscribers: 8530, views: 9_000_000, videos: 99 }];
      for (const at of ["2026-03-11T20:00:00Z", "2026-03-12T02:00:00Z", "2026-03-13T02:00:00Z"]) {
        service.clock.set(at);
        await upsertChannels(service, fresher);
        const own = await listHistory(service, mine.id, channel_id);
        const { subscribers, views, videos } = own.at(-1) ?? {};
        const shown = { subscribers, views, videos, last_snapshot_at: "2026-03-11T06:00:00.000Z" };
        expect(subscribers).toBe(reading.subscribers);
        expect((await listTracked(service, mine.id, FIRST_PAGE)).creators[0]).toMatchObject(shown);
        expect(await getTrackedCreator(service, mine.id, channel_id)).toMatchObject(shown);
        const table = await getTrackedTable(service, mine.id, TrackedQuery.parse({}));
        expect(table.creators[0]).toMatchObject(shown);
        expect(table.creators[0]?.trend.findLast((count) => count !== null)).toBe(subscribers);
      }
      service.clock.set("2026-03-13T03:00:00Z");
      await recordSnapshots(service, "2026-03-13", "track", fresher);
      await service.db
        .insert(trackedCreators)
        .values({ keyId: rival.id, channelId: channel_id, trackedSince: service.clock.now() });
      const readCount = async ({ id }: TestKey) => (await getTrackedCreator(service, id, channel_id)).subscribers;
      expect([await readCount(mine), await readCount(rival)]).toEqual([reading.subscribers, 8530]);
    });

    it("shows today's growth, yesterday's until today's run, and null after that", async () => {
      const { id } = await createKey(service);
      const handle = "@juniperfivecrits";
      const { channel_id } = await trackCreator(service, id, createHandleReference(handle));
      for (let day = 11; day <= 18; day++) {
        service.clock.set(`2026-03-${day}T06:00:00Z`);
        await readDaily(handle);
      }
      const readGrowths = async () => {
        const [listed] = (await listTracked(service, id, FIRST_PAGE)).creators;
        const [row] = (await getTrackedTable(service, id, TrackedQuery.parse({ sort: "growth_1d" }))).creators;
        const details = await getTrackedCreator(service, id, channel_id);
        expect([row?.growth_day, details.growth_day]).toEqual(["2026-03-18", "2026-03-18"]);
        return [
          [listed?.growth_1d_percent, listed?.growth_7d_percent],
          [row?.growth_1d_percent, row?.growth_7d_percent],
          [details.growth_1d_percent, details.growth_7d_percent],
          details.growth.slice(0, 2).map(({ percent }) => percent),
        ];
      };
      const allNull = Array.from({ length: 4 }, () => [null, null]);
      const today = await readGrowths();
      expect(today.flat()).not.toContain(null);
      service.clock.set("2026-03-19T09:00:00Z");
      expect(await readGrowths()).toEqual(today);
      await service.db.update(channels).set({ status: "unavailable" });
      expect(await readGrowths()).toEqual(allNull);
      await service.db.update(channels).set({ status: "active" });
      service.clock.set("2026-03-20T00:00:00Z");
      expect(await readGrowths()).toEqual(allNull);
    });

    it("sorts by growth, with creators whose growth is out of date last", async () => {
      const { id } = await createKey(service);
      const ids: string[] = [];
      for (const handle of ["@juniperfivecrits", "@sprocketowl"])
        ids.push((await trackCreator(service, id, createHandleReference(handle))).channel_id);
      const [old = "", current = ""] = ids;
      const weekAgo = { growth1dPercent: 50, lastSnapshotAt: new Date("2026-03-03T06:00:00Z") };
      await service.db.update(channels).set(weekAgo).where(eq(channels.id, old));
      await service.db.update(channels).set({ growth1dPercent: 1 }).where(eq(channels.id, current));
      const query = TrackedQuery.parse({ sort: "growth_1d" });
      const { creators } = await getTrackedTable(service, id, query);
      expect(creators.map((creator) => [creator.channel_id, creator.growth_1d_percent])).toEqual([
        [current, 1],
        [old, null],
      ]);
    });

    it.each([TERMINATED, "@nobody-at-all"])(
      "refuses a channel that the platform does not show as not_found: %s",
      async (handle) => {
        const { id } = await createKey(service);
        await expect(trackCreator(service, id, createHandleReference(handle))).rejects.toMatchObject({
          code: "not_found",
        });
        await expectNothingStored();
      },
    );
  });

  describe("failed tracking", () => {
    const serveWith = (part: Partial<VideoPlatform>) =>
      installContext({ ...service, platform: { ...service.platform, ...part } });
    afterEach(() => installContext(service));

    it("stores nothing and answers 503 with Retry-After when the platform cannot answer", async () => {
      const { secret } = await createKey(service);
      serveWith({
        find: async () => {
          throw new PlatformError("unavailable", "connection reset", 90);
        },
      });
      const answer = await send("/api/track", { key: secret, method: "POST", body: { channel_id: HIDDEN } });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("90");
      expect(JSON.stringify(answer.body)).not.toContain("connection reset");
      await expectNothingStored();
    });

    it("stores nothing and answers 401 when the key is deleted during the look-up", async () => {
      const { id, secret } = await createKey(service);
      serveWith({
        find: async (reference) => {
          await deleteKey(service, id);
          return service.platform.find(reference);
        },
      });
      const answer = await send("/api/track", { key: secret, method: "POST", body: { channel_id: HIDDEN } });
      expect(answer).toMatchObject({ status: 401, body: { error: "Invalid API key" } });
      await expectNothingStored();
    });
  });

  describe("untracking", () => {
    it("untracks a creator for this key alone and keeps its alerts", async () => {
      const [key, other] = [await createKey(service), await createKey(service)];
      const { channel_id: channelId } = await trackCreator(service, key.id, createHandleReference("@juniperfivecrits"));
      await trackCreator(service, key.id, createHandleReference(HIDDEN));
      await trackCreator(service, other.id, createHandleReference("@juniperfivecrits"));
      await service.db.insert(alerts).values({
        keyId: key.id,
        channelId,
        day: "2026-03-10",
        subscribersBefore: 100,
        subscribersAfter: 150,
        severity: "EXPLOSIVE",
        message: "It grew",
        createdAt: service.clock.now(),
      });
      await untrackCreator(service, key.id, channelId);
      const { pagination, creators } = await listTracked(service, key.id, FIRST_PAGE);
      expect(pagination.total).toBe(1);
      expect(creators).toMatchObject([{ handle: HIDDEN }]);
      expect((await listTracked(service, other.id, FIRST_PAGE)).pagination.total).toBe(1);
      expect(await service.db.$count(alerts, eq(alerts.keyId, key.id))).toBe(1);
      await expect(listHistory(service, key.id, channelId)).rejects.toMatchObject({ code: "not_tracked" });
    });

    it("answers not_tracked for a creator that is not tracked", async () => {
      const { id } = await createKey(service);
      const untrack = () => untrackCreator(service, id, getSampleChannelId(HIDDEN));
      await expect(untrack()).rejects.toMatchObject({ code: "not_tracked" });
      await trackCreator(service, id, createHandleReference(HIDDEN));
      await untrack();
      await expect(untrack()).rejects.toMatchObject({ code: "not_tracked" });
    });
  });

  describe("history", () => {
    const handle = "@juniperfivecrits";
    const channelId = getSampleChannelId(handle);

    it("starts the history on the day of tracking and omits days without a snapshot", async () => {
      const [early, late] = [await createKey(service), await createKey(service)];
      await trackCreator(service, early.id, createHandleReference(handle));
      service.clock.advance(DAY);
      await readDaily(handle);
      await trackCreator(service, late.id, createHandleReference(handle));
      service.clock.advance(2 * DAY);
      await readDaily(handle);
      const listDays = async (key: typeof early) =>
        (await listHistory(service, key.id, channelId)).map(({ day }) => day);
      expect(await listDays(early)).toEqual(["2026-03-10", "2026-03-11", "2026-03-13"]);
      expect(await listDays(late)).toEqual(["2026-03-11", "2026-03-13"]);
    });

    it("restarts the history when the creator is tracked again", async () => {
      const { id } = await createKey(service);
      await trackCreator(service, id, createHandleReference(handle));
      await untrackCreator(service, id, channelId);
      service.clock.advance(5 * DAY);
      const again = await trackCreator(service, id, createHandleReference(handle));
      expect(again.tracked_since).toBe("2026-03-15T12:00:00.000Z");
      expect(await listHistory(service, id, channelId)).toMatchObject([{ day: "2026-03-15" }]);
    });
  });

  it("lists the latest tracked creators first, page by page", async () => {
    const { id } = await createKey(service);
    const handles = ["@tavinorrbrink", "@sprocketowl", HIDDEN];
    for (const handle of handles) {
      await trackCreator(service, id, createHandleReference(handle));
      service.clock.advance(1);
    }
    const pages = await Promise.all([0, 2].map((offset) => listTracked(service, id, { offset, limit: 2 })));
    expect(pages.map(({ pagination }) => pagination.has_more)).toEqual([true, false]);
    const listed = pages.flatMap(({ creators }) => creators.map((creator) => creator.handle));
    expect(listed).toEqual(handles.toReversed());
  });
});
