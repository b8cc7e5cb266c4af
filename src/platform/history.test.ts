import { describe, expect, it } from "vitest";
import { OperatorError } from "@/core/errors";
import { ManualClock } from "@/core/time";
import { createHistoryPlatform, readHistory } from "./history";
import { CHANNELS_PER_CALL } from "./port";

const HEADER = "channel_id,date,subscribers,views,videos";

function buildCsv(...rows: string[]): string {
  return [HEADER, ...rows, ""].join("\n");
}

describe("readHistory", () => {
  it("lists the channels and, in order, the days that have rows", () => {
    const history = readHistory(
      buildCsv("UCa,2026-03-02,1,2,3", "UCb,2026-02-28,1,2,3", "UCa,2026-02-28,1,2,3", "UCa,2026-03-05,1,2,3"),
    );
    expect(history.channelIds).toEqual(["UCa", "UCb"]);
    expect(history.days).toEqual(["2026-02-28", "2026-03-02", "2026-03-05"]);
    expect([history.first, history.last]).toEqual(["2026-02-28", "2026-03-05"]);
  });

  it("parses a blank count as unknown and 0 as 0", () => {
    const history = readHistory(buildCsv("UCa,2026-03-02,,0,"));
    expect(history.getCounts("UCa", "2026-03-02")).toEqual({ subscribers: null, views: 0, videos: null });
  });

  it("returns nothing for a day or channel without a row", () => {
    const history = readHistory(buildCsv("UCa,2026-03-02,1,2,3", "UCb,2026-03-03,1,2,3"));
    expect(history.getCounts("UCa", "2026-03-03")).toBeNull();
    expect(history.getCounts("UCc", "2026-03-02")).toBeNull();
  });

  it("accepts a byte order mark, CRLF, quotes, spaces around cells and blank lines", () => {
    const text = `\uFEFF${HEADER}\r\n\r\n"UCa", 2026-03-02 ,"1",2,3\r\n\r\n`;
    expect(readHistory(text).getCounts("UCa", "2026-03-02")).toEqual({ subscribers: 1, views: 2, videos: 3 });
  });

  it.each([
    ["a count with a sign", buildCsv("UCa,2026-03-02,1,2,3", "UCa,2026-03-03,1,-2,3"), "line 3, column views"],
    ["a count with an exponent", buildCsv("UCa,2026-03-02,1e2,2,3"), "line 2, column subscribers"],
    ["a fraction", buildCsv("UCa,2026-03-02,1,2,3.5"), "line 2, column videos"],
    ["a count beyond exact numbers", buildCsv("UCa,2026-03-02,1,9007199254740993,3"), "line 2, column views"],
    ["more videos than can be stored", buildCsv("UCa,2026-03-02,1,2,3000000000"), "line 2, column videos"],
    ["a day not in the calendar", buildCsv("UCa,2026-02-30,1,2,3"), "line 2, column date"],
    ["a month not in the calendar", buildCsv("UCa,2026-13-01,1,2,3"), "line 2, column date"],
    ["a day in another form", buildCsv("UCa,02.03.2026,1,2,3"), "line 2, column date"],
    ["no channel", buildCsv(",2026-03-02,1,2,3"), "line 2, column channel_id"],
    ["a second row for a day", buildCsv("UCa,2026-03-02,1,2,3", "", "UCa,2026-03-02,1,2,3"), "line 4, column date"],
    ["a missing cell", buildCsv("UCa,2026-03-02,1,2,3", "UCa,2026-03-03,1,2"), "line 3"],
    ["an open quote", buildCsv('UCa,2026-03-02,1,"2,3'), "line 2"],
    ["another header", "channel,date,subscribers,views,videos\nUCa,2026-03-02,1,2,3", "line 1"],
    ["no rows", buildCsv(), "no rows"],
    ["nothing at all", "", "no rows"],
  ])("refuses %s and says where", (_what, text, index) => {
    expect(() => readHistory(text)).toThrow(OperatorError);
    expect(() => readHistory(text)).toThrow(index);
  });
});

describe("history platform", () => {
  const clock = new ManualClock("2026-03-02T06:00:00Z");
  const history = readHistory(buildCsv("UCa,2026-03-02,1000,2,3", "UCb,2026-03-02,5,,", "UCa,2026-03-03,1100,4,3"));
  const platform = createHistoryPlatform(history, clock);
  const findChannel = async () =>
    (await platform.listChannels(["UCa", "UCb", "UCc"])).channels.map(({ channelId }) => channelId);

  it("returns the statistics of the clock's UTC day, from its first to its last instant", async () => {
    const getSubscribers = async () => (await platform.find({ kind: "id", id: "UCa" }))?.subscribers;
    clock.set("2026-03-02T00:00:00.000Z");
    expect(await getSubscribers()).toBe(1000);
    clock.set("2026-03-02T23:59:59.999Z");
    expect(await getSubscribers()).toBe(1000);
    clock.set("2026-03-03T00:00:00.000Z");
    expect(await getSubscribers()).toBe(1100);
  });

  it("omits channels without a row on that day", async () => {
    clock.set("2026-03-02T06:00:00Z");
    expect(await findChannel()).toEqual(["UCa", "UCb"]);
    clock.set("2026-03-03T06:00:00Z");
    expect(await findChannel()).toEqual(["UCa"]);
    clock.set("2026-03-04T06:00:00Z");
    expect(await findChannel()).toEqual([]);
  });

  it("uses the channel id as its name and adds nothing that the file lacks", async () => {
    clock.set("2026-03-02T06:00:00Z");
    expect(await platform.find({ kind: "id", id: "UCb" })).toEqual({
      channelId: "UCb",
      name: "UCb",
      handle: null,
      thumbnailUrl: null,
      country: null,
      subscribers: 5,
      views: null,
      videos: null,
    });
  });

  it("finds channels by id only, and returns no search results", async () => {
    clock.set("2026-03-02T06:00:00Z");
    expect(await platform.find({ kind: "handle", handle: "@UCa" })).toBeNull();
    expect(await platform.find({ kind: "username", username: "UCa" })).toBeNull();
    expect(await platform.search("UCa")).toEqual([]);
  });

  it("returns a channel once per call, and refuses more ids than a call takes", async () => {
    clock.set("2026-03-02T06:00:00Z");
    expect((await platform.listChannels(["UCa", "UCa"])).channels).toHaveLength(1);
    const tooMany = Array.from({ length: CHANNELS_PER_CALL + 1 }, (_, index) => `UC${index}`);
    await expect(platform.listChannels(tooMany)).rejects.toThrow(RangeError);
  });
});
