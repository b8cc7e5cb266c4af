import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HOUR, ManualClock, toDate } from "@/core/time";
import { createChannelId } from "@/test/platform";
import { ERRORS, type PublishedVideo } from "@/test/youtube-answers";
import { createYoutubeBench, type YoutubeBench } from "@/test/youtube-bench";

const ID = createChannelId(1);
const NOW = "2026-07-10T12:00:00Z";

describe("newest videos of a YouTube channel", () => {
  const clock = new ManualClock(NOW);
  let bench: YoutubeBench;
  beforeAll(async () => {
    bench = await createYoutubeBench(clock);
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const publish = (hoursAgo: number, more: Partial<PublishedVideo> = {}) => {
    const publishedAt = `${toDate(toDate(NOW).getTime() - hoursAgo * HOUR)
      .toISOString()
      .slice(0, 19)}Z`;
    bench.server.publish({ channelId: ID, title: `${hoursAgo} hours ago`, publishedAt, ...more });
  };
  const list = (use: "cause" | "page" = "cause") => bench.platform.listRecentVideos(ID, use);
  const listTitles = async () => (await list())?.map(({ title }) => title).toSorted();

  it("have all fields", async () => {
    publish(31, {
      id: "abcDEF_-123",
      title: " We fired a kiln ",
      views: 1_200_000,
      likes: 900,
      comments: 12,
      seconds: 3723,
    });
    expect(await list()).toEqual([
      {
        videoId: "abcDEF_-123",
        title: "We fired a kiln",
        publishedAt: toDate("2026-07-09T05:00:00Z"),
        views: 1_200_000,
        likes: 900,
        comments: 12,
        seconds: 3723,
        broadcast: null,
        thumbnailUrl: "https://i.ytimg.com/vi/abcDEF_-123/mqdefault.jpg",
      },
    ]);
    expect(bench.server.calls.map(({ path }) => path)).toEqual(["playlistItems", "videos"]);
    expect(bench.server.calls[0]?.params.playlistId).toBe(ID.replace("UC", "UU"));
    expect((await bench.ledger.listSpentUnits()).map(({ used }) => used)).toEqual([0, 2]);
  });

  it("are the 50 newest in two calls, of however many there are", async () => {
    for (let hours = 1; hours <= 120; hours++) publish(hours);
    const videos = await list();
    expect(videos).toHaveLength(50);
    expect(Math.min(...(videos ?? []).map(({ publishedAt }) => publishedAt.getTime()))).toBe(
      toDate(NOW).getTime() - 50 * HOUR,
    );
    expect(bench.server.calls).toHaveLength(2);
  });

  it.each([
    ["upcoming", { state: "upcoming", start: "2026-07-12T18:00:00Z" }, "2026-07-12T18:00:00.000Z", null],
    ["on air", { state: "live", start: "2026-07-10T09:00:00Z" }, "2026-07-10T09:00:00.000Z", null],
    ["over", { state: "ended", start: "2026-07-09T09:00:00Z" }, "2026-07-09T09:00:00.000Z", 600],
  ] as const)("take the start of a stream that is %s as its time", async (_, broadcast, at, seconds) => {
    publish(100, { broadcast });
    const [video] = (await list()) ?? [];
    expect(video).toMatchObject({ broadcast: broadcast.state, seconds });
    expect(video?.publishedAt.toISOString()).toBe(at);
  });

  it.each([
    ["a channel without uploads", () => {}, 1],
    [
      "a playlist that no one may see",
      () => Object.assign(bench.server.failPath, { playlistItems: ERRORS.playlistNotFound }),
      1,
    ],
    ["a channel whose only video is private", () => publish(3, { isGone: true }), 2],
  ])("are an empty list for %s", async (_, prepare, calls) => {
    prepare();
    expect(await list()).toEqual([]);
    expect(bench.server.calls).toHaveLength(calls);
  });

  it("leave private and deleted videos out", async () => {
    publish(1);
    publish(2, { isGone: true });
    expect(await listTitles()).toEqual(["1 hours ago"]);
  });

  it.each([
    ["hides its views", { views: null }, { views: null }],
    ["has no statistics", { item: { statistics: undefined } }, { views: null, likes: null }],
    ["has no length", { item: { contentDetails: {} } }, { seconds: null }],
    ["has a length of another form", { item: { contentDetails: { duration: "soon" } } }, { seconds: null }],
    [
      "has no picture",
      { item: { snippet: { title: "2 hours ago", publishedAt: "2026-07-10T10:00:00Z" } } },
      { thumbnailUrl: null },
    ],
  ])("include a video that %s", async (_, odd, expected) => {
    publish(1);
    publish(2, odd);
    const videos = await list();
    expect(videos).toHaveLength(2);
    expect(videos?.find(({ title }) => title === "2 hours ago")).toMatchObject(expected);
  });

  it.each([
    ["no title", { snippet: { publishedAt: "2026-07-10T10:00:00Z" } }],
    ["no time", { snippet: { title: "odd" } }],
    ["views that are no number", { statistics: { viewCount: "many" } }],
    ["a strange id", { id: "<script>" }],
  ])("lack only the video that has %s, and log it", async (_, item) => {
    publish(1);
    publish(2, { item });
    expect(await listTitles()).toEqual(["1 hours ago"]);
    expect(bench.logged.join("")).toContain("an item of a YouTube answer could not be read");
  });

  it.each([
    ["titles with markup", "<img src=x onerror=alert(1)> & co"],
    ["titles written from right to left", "\u202eמה קרה כאן?"],
    ["titles of emoji alone", "🎉🎉🎉"],
    ["empty titles", ""],
    ["titles of 100 characters", "x".repeat(100)],
  ])("keep %s as they are", async (_, title) => {
    publish(1, { title });
    expect(await listTitles()).toEqual([title]);
  });

  it.each(["playlistItems", "videos"])("fail after one try of %s", async (path) => {
    publish(1);
    bench.server.failPath = { [path]: ERRORS.backend };
    await expect(list()).rejects.toMatchObject({ failure: "unavailable" });
    expect(bench.server.calls.filter((call) => call.path === path)).toHaveLength(1);
  });

  it("take at most a fifth of the day's units, and those of pages its first half", async () => {
    publish(1);
    const readAll = async (use: "cause" | "page") => {
      for (let reads = 0; ; reads++) if ((await list(use).catch(() => null)) === null) return reads;
    };
    expect([await readAll("page"), await readAll("cause"), await readAll("page")]).toEqual([10, 10, 0]);
    await expect(list()).rejects.toMatchObject({
      failure: "quota_exhausted",
      detail: "the share of the daily YouTube units for videos is used up",
    });
    expect((await bench.platform.listChannels([ID])).channels).toEqual([]);
  });
});
