import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, HOUR, toDate } from "@/core/time";
import { channels } from "@/db/schema";
import { trackCreator } from "@/features/creators/service";
import { type ChannelVideo, PlatformError } from "@/platform/port";
import { useDailyRuns } from "@/test/daily-run";
import { createKey } from "@/test/service";
import { getRecentVideos, listRisers } from "./service";

describe("newest videos of a creator", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let id: string;
  beforeEach(async () => {
    id = await runs.track((await createKey(service)).id, 1000);
  });

  const makeVideo = (hoursAgo: number, more: Partial<ChannelVideo> = {}): ChannelVideo => ({
    videoId: `video${String(hoursAgo).padStart(6, "0")}`,
    title: `${hoursAgo} hours ago`,
    publishedAt: toDate(toDate(`${runs.day}T12:00:00Z`).getTime() - hoursAgo * HOUR),
    views: 1000,
    likes: null,
    comments: null,
    seconds: 600,
    broadcast: null,
    thumbnailUrl: null,
    ...more,
  });
  const outage = new PlatformError("unavailable", "down");
  const listTitles = async () => (await getRecentVideos(service, id)).videos.map(({ title }) => title);

  it("are the ten newest, each beside what is usual at its age, with uploads a week", async () => {
    const old = Array.from({ length: 12 }, (_, at) => makeVideo(200 + 60 * at));
    runs.platform.showVideos(id, [...old, makeVideo(30, { views: 9000 }), makeVideo(40, { seconds: 40, views: 50 })]);
    const { videos, uploads, uploads_per_week, read_at } = await getRecentVideos(service, id);
    expect(read_at).toBe(`${runs.day}T12:00:00.000Z`);
    expect(videos).toHaveLength(10);
    expect(videos[0]).toMatchObject({
      title: "30 hours ago",
      form: "long",
      views: 9000,
      url: expect.stringMatching(/^https/),
    });
    expect(videos[0]?.times_usual).toBeGreaterThan(9);
    expect(videos[1]).toMatchObject({ form: "short" });
    expect(uploads).toHaveLength(14);
    expect(uploads_per_week).toBe(2.5);
  });

  it("are read once a UTC day", async () => {
    runs.platform.showVideos(id, [makeVideo(5)]);
    expect(await listTitles()).toEqual(["5 hours ago"]);
    runs.platform.showVideos(id, [makeVideo(1)]);
    service.clock.advance(11 * HOUR);
    expect(await listTitles()).toEqual(["5 hours ago"]);
    service.clock.advance(2 * HOUR);
    expect(await listTitles()).toEqual(["1 hours ago"]);
  });

  it("are those of the latest reading while the platform does not answer, which is asked once a day", async () => {
    runs.platform.showVideos(id, [makeVideo(5)]);
    await getRecentVideos(service, id);
    service.clock.advance(24 * HOUR);
    runs.platform.showVideos(id, outage);
    expect(await listTitles()).toEqual(["5 hours ago"]);
    runs.platform.showVideos(id, [makeVideo(1)]);
    expect(await listTitles()).toEqual(["5 hours ago"]);
  });

  it("are none for a channel without videos", async () => {
    const none = { is_reading: false, read_at: null, videos: [], uploads: [], uploads_per_week: null };
    expect(await getRecentVideos(service, id)).toEqual(none);
  });

  it("are asked for again while another request reads them", async () => {
    await service.db.update(channels).set({ videosTriedAt: service.clock.now() }).where(eq(channels.id, id));
    expect(await getRecentVideos(service, id)).toMatchObject({ is_reading: true, videos: [] });
    service.clock.advance(HOUR);
    expect(await getRecentVideos(service, id)).toMatchObject({ is_reading: false, videos: [] });
  });

  it("lack a video that was deleted since, and show a premiere without a ratio", async () => {
    runs.platform.showVideos(id, [makeVideo(5), makeVideo(9), makeVideo(-20, { broadcast: "upcoming", views: 0 })]);
    expect(await listTitles()).toEqual(["-20 hours ago", "5 hours ago", "9 hours ago"]);
    const { videos, uploads } = await getRecentVideos(service, id);
    expect(videos[0]).toMatchObject({ is_upcoming: true, times_usual: null });
    expect(uploads).toHaveLength(2);
    service.clock.advance(24 * HOUR);
    runs.platform.showVideos(id, [makeVideo(9)]);
    expect(await listTitles()).toEqual(["9 hours ago"]);
  });

  it("are read daily for the channels that grow most, as long as there are units", async () => {
    const key = await createKey(service);
    const ids = [id, await runs.track(key.id, 1000), await runs.track(key.id, 1000)];
    for (const [at, riser] of ids.entries()) {
      await trackCreator(service, key.id, { kind: "id", id: riser });
      await service.db
        .update(channels)
        .set({ growth7dPercent: 900 - at })
        .where(eq(channels.id, riser));
    }
    runs.platform.showVideos(ids[0] ?? "", [makeVideo(1)]);
    runs.platform.showVideos(ids[1] ?? "", new PlatformError("quota_exhausted", "used up"));
    expect((await listRisers(service, 3)).slice(0, 3)).toEqual(ids);
    service.clock.set(`${addDays(runs.day, 1)}T07:30:00Z`);
    service.engine.fireCron("creator-growth-read-risers", service.clock.now());
    await service.drain();
    expect(await listRisers(service, 1)).toEqual([ids[2]]);
  });
});
