import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "@/core/time";
import { createChannelId } from "@/test/platform";
import { createYoutubeBench, type YoutubeBench } from "@/test/youtube-bench";
import type { ChannelStats } from "./port";

const ID = createChannelId(1);

describe("YouTube platform", () => {
  const clock = new ManualClock("2026-07-10T12:00:00Z");
  let bench: YoutubeBench;
  beforeAll(async () => {
    bench = await createYoutubeBench(clock);
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const list = (...ids: string[]) => bench.platform.listChannels(ids);
  const read = async (...ids: string[]) => (await list(...(ids.length > 0 ? ids : [ID]))).channels;
  const readItem = async (item: Record<string, unknown>) => {
    bench.server.show(ID, { item });
    const [reading] = await read();
    return reading;
  };

  describe("getting channels", () => {
    it("returns all fields", async () => {
      bench.server.show(ID, {
        name: "Tom & Ana 🎬",
        handle: "@TomAndAna",
        country: "BR",
        subscribers: 123_456,
        views: 98_765_432_101,
        videos: 345,
        thumbnailUrl: "https://yt3.example/ana",
      });
      expect(await read()).toEqual([
        {
          channelId: ID,
          name: "Tom & Ana 🎬",
          handle: "@tomandana",
          thumbnailUrl: "https://yt3.example/ana=s240",
          country: "BR",
          subscribers: 123_000,
          views: 98_765_432_101,
          videos: 345,
        } satisfies ChannelStats,
      ]);
    });

    it("returns null for missing optional fields", async () => {
      bench.server.show(ID);
      expect(await read()).toMatchObject([{ handle: null, country: null }]);
    });

    it("returns null for hidden subscribers, which YouTube sends as 0", async () => {
      bench.server.show(ID, { hidden: true, views: 5 });
      expect(await read()).toMatchObject([{ subscribers: null, views: 5 }]);
    });

    it.each([
      [0, 0],
      [999, 999],
      [1000, 1000],
      [123_456, 123_000],
      [9_999_999, 9_990_000],
    ])("returns %d subscribers rounded to %d", async (subscribers, shown) => {
      bench.server.show(ID, { subscribers });
      expect(await read()).toMatchObject([{ subscribers: shown }]);
    });

    it("returns requested channels in any order, each once", async () => {
      const ids = Array.from({ length: 50 }, (_, number) => createChannelId(number));
      for (const [at, id] of ids.entries()) bench.server.show(id, { views: at });
      const stats = await read(...ids);
      expect(new Map(stats.map((each) => [each.channelId, each.views]))).toEqual(
        new Map(ids.map((id, at) => [id, at])),
      );
      expect(stats).toHaveLength(50);
      expect(bench.server.calls).toHaveLength(1);
      bench.server.show(ids[0] ?? "", { item: { id: ids[1] } });
      expect((await read(ids[0] ?? "", ids[2] ?? "")).map((each) => each.channelId)).toEqual([ids[2]]);
      expect((await read(ids[0] ?? "", ids[1] ?? "")).map((each) => each.channelId)).toEqual([ids[1]]);
    });

    it("omits channels that do not exist", async () => {
      bench.server.show(ID);
      expect(await read(ID, createChannelId(2))).toMatchObject([{ channelId: ID }]);
      expect(await read(createChannelId(2), createChannelId(3))).toEqual([]);
    });

    it("makes one call for up to 50 distinct ids, and none without ids", async () => {
      const ids = Array.from({ length: 25 }, (_, number) => createChannelId(number));
      await read(...ids, ...ids);
      expect((await bench.platform.listChannels([])).channels).toEqual([]);
      expect(bench.server.calls).toHaveLength(1);
      await expect(read(...Array.from({ length: 51 }, (_, number) => createChannelId(number)))).rejects.toThrow(
        RangeError,
      );
    });
  });

  describe("parsing", () => {
    const buildSnippet = (members: object) => ({ snippet: { title: "Name", ...members } });

    it.each([
      [{ title: "  " }, { name: ID }],
      [{ title: " ", customUrl: "@them" }, { name: "@them" }],
      [{ customUrl: "oldcustomname" }, { handle: null }],
      [{ country: "Atlantis" }, { country: null }],
      [{ country: 49 }, { country: null }],
      [{ thumbnails: { medium: { url: "javascript:alert(1)" } } }, { thumbnailUrl: null }],
      [{ thumbnails: { medium: { url: "http://plain.example/a" } } }, { thumbnailUrl: null }],
      [{ thumbnails: {} }, { thumbnailUrl: null }],
    ])("maps the snippet %j", async (members, shown) => {
      expect(await readItem(buildSnippet(members))).toMatchObject({ channelId: ID, ...shown });
    });

    it.each([
      [{ subscriberCount: "007" }, { subscribers: 7 }],
      [{ subscriberCount: "12", hiddenSubscriberCount: undefined }, { subscribers: 12 }],
      [{ viewCount: "9007199254740991" }, { views: Number.MAX_SAFE_INTEGER }],
      [{}, { subscribers: null, views: null, videos: null }],
    ])("maps the statistics %j", async (statistics, shown) => {
      const item = { statistics: { hiddenSubscriberCount: false, ...statistics } };
      expect(await readItem(item)).toMatchObject(shown);
    });

    it.each([
      [{ statistics: undefined }, "statistics"],
      [{ snippet: "what?" }, "snippet"],
      [{ snippet: { title: undefined } }, "snippet.title"],
      [{ statistics: { subscriberCount: 12 } }, "statistics.subscriberCount"],
      [{ statistics: { subscriberCount: "-5" } }, "statistics.subscriberCount"],
      [{ statistics: { subscriberCount: "1e3" } }, "statistics.subscriberCount"],
      [{ statistics: { subscriberCount: "12.5" } }, "statistics.subscriberCount"],
      [{ statistics: { subscriberCount: "" } }, "statistics.subscriberCount"],
      [{ statistics: { viewCount: "9007199254740993" } }, "statistics.viewCount"],
      [{ statistics: { hiddenSubscriberCount: "no" } }, "statistics.hiddenSubscriberCount"],
    ])("leaves only a channel with %j unread, and logs its id and field", async (item, field) => {
      const [other, missing] = [createChannelId(2), createChannelId(3)];
      bench.server.show(ID, { item });
      bench.server.show(other);
      expect(await list(ID, other, missing)).toMatchObject({ channels: [{ channelId: other }], unread: [ID] });
      expect(bench.logged.map((line) => JSON.parse(line))).toMatchObject([{ id: ID, field }]);
      await expect(bench.platform.find({ kind: "id", id: ID })).rejects.toMatchObject({ failure: "unavailable" });
    });

    it.each([{ id: 5 }, { id: "UCshort" }])(
      "does not take a channel for missing beside an item with %j",
      async (item) => {
        const [other, missing] = [createChannelId(2), createChannelId(3)];
        bench.server.show(ID, { item });
        bench.server.show(other);
        expect(await list(ID, other, missing)).toMatchObject({
          channels: [{ channelId: other }],
          unread: [ID, missing],
        });
      },
    );
  });

  describe("finding a channel", () => {
    beforeEach(() => bench.server.show(ID, { handle: "@Some.Maker", username: "OldMaker9" }));

    it.each([
      ["by id", { kind: "id", id: ID }, { id: ID }],
      ["by handle", { kind: "handle", handle: "@some.maker" }, { forHandle: "@some.maker" }],
      ["by user name", { kind: "username", username: "oldmaker9" }, { forUsername: "oldmaker9" }],
    ] as const)("finds a channel %s with one call", async (_, reference, params) => {
      expect(await bench.platform.find(reference)).toMatchObject({ channelId: ID, handle: "@some.maker" });
      expect(bench.server.calls).toMatchObject([{ path: "channels", params }]);
    });

    it.each([
      { kind: "id", id: createChannelId(404) },
      { kind: "handle", handle: "@nobody" },
      { kind: "username", username: "nobody" },
    ] as const)("returns null for the missing channel %j", async (reference) => {
      expect(await bench.platform.find(reference)).toBeNull();
    });
  });

  describe("searching", () => {
    const publish = (number: number, title: string, publishedAt = "2026-07-01T00:00:00Z") =>
      bench.server.publish({ channelId: createChannelId(number), title, publishedAt });

    it("returns the channels of videos of the last 30 days, most relevant first, each once, with one call", async () => {
      publish(1, "Chess for all");
      publish(2, "Chess openings");
      publish(1, "Chess again");
      publish(3, "Chess long ago", "2026-06-09T23:59:59Z");
      publish(4, "Chess a month ago", "2026-06-10T00:00:00Z");
      publish(5, "Checkers");
      expect(await bench.platform.search("chess")).toEqual([
        createChannelId(1),
        createChannelId(2),
        createChannelId(4),
      ]);
      expect(bench.server.calls).toMatchObject([
        { path: "search", params: { type: "video", order: "relevance", q: "chess" } },
      ]);
    });

    it("returns at most 50 channels from one page", async () => {
      for (let number = 0; number < 70; number++) publish(number, "Marathon");
      expect(await bench.platform.search("marathon")).toHaveLength(50);
      expect(bench.server.calls).toHaveLength(1);
    });

    it("returns an empty list when no video matches", async () => {
      expect(await bench.platform.search("zeppelin racing")).toEqual([]);
    });

    it("accepts any characters in the niche", async () => {
      publish(6, "C++ & más? #1");
      expect(await bench.platform.search("c++ & más? #1")).toEqual([createChannelId(6)]);
    });
  });

  it("requests only the needed fields, compressed, with the key in a header", async () => {
    bench.server.show(ID);
    await read();
    await bench.platform.search("chess");
    for (const { params, headers } of bench.server.calls) {
      expect(headers["x-goog-api-key"]).toBe(bench.server.apiKey);
      expect(JSON.stringify(params)).not.toContain(bench.server.apiKey);
      expect(params.fields).toMatch(/^kind,/);
      expect(headers["accept-encoding"]).toContain("gzip");
      expect(headers["user-agent"]).toContain("gzip");
    }
    expect(bench.server.calls.map(({ params }) => params.part)).toEqual(["snippet,statistics", "snippet"]);
  });
});
