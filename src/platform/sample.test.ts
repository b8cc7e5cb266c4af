import { mean } from "d3-array";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, DAY, type Day, ManualClock } from "@/core/time";
import { CHANNELS_PER_CALL, type ChannelStats, type VideoPlatform } from "./port";
import { createSamplePlatform, getSampleChannelId, SAMPLE_NICHES, STAGED_CHANNELS } from "./sample";

const FIRST: Day = "2026-01-01";
const DAYS = 2 * 365;
const TERMINATED = getSampleChannelId("@cheatcodecellar");
const VANISHING = getSampleChannelId("@heretodayquests");
const RISING = { kind: "id", id: getSampleChannelId("@tavinorrbrink") } as const;

const createSampleAt = (instant: string) => createSamplePlatform(new ManualClock(instant));
const platform = createSampleAt("2026-09-01T06:00:00Z");
const allIds = (await Promise.all(SAMPLE_NICHES.map((niche) => platform.search(niche)))).flat();

async function readAll(from: VideoPlatform, ids: readonly string[] = allIds): Promise<ChannelStats[]> {
  const stats: ChannelStats[] = [];
  for (let start = 0; start < ids.length; start += CHANNELS_PER_CALL) {
    stats.push(...(await from.listChannels(ids.slice(start, start + CHANNELS_PER_CALL))).channels);
  }
  return stats;
}

/** Passes the statistics of consecutive days at 06:00 UTC to `see`. */
async function forEachDay(days: number, see: (stats: ChannelStats[]) => void, ids = allIds) {
  const clock = new ManualClock(`${FIRST}T06:00:00Z`);
  const moving = createSamplePlatform(clock);
  for (let day = 0; day < days; day++) {
    see(await readAll(moving, ids));
    clock.advance(DAY);
  }
}

describe("sample creators", () => {
  it("exist in a dozen lower-case niches, gaming among them, of 18 to 40 creators each", async () => {
    expect(SAMPLE_NICHES).toHaveLength(12);
    expect(SAMPLE_NICHES).toContain("gaming");
    for (const niche of SAMPLE_NICHES) {
      expect(niche).toBe(niche.toLowerCase());
      const count = (await platform.search(niche)).length;
      expect(count, niche).toBeGreaterThanOrEqual(18);
      expect(count, niche).toBeLessThanOrEqual(40);
    }
  });

  it("have unique ids, names and handles in the platform's formats", async () => {
    const stats = await readAll(platform);
    expect(new Set(allIds).size).toBe(allIds.length);
    expect(new Set(stats.map((entry) => entry.name)).size).toBe(stats.length);
    expect(new Set(stats.map((entry) => entry.handle?.toLowerCase())).size).toBe(stats.length);
    for (const entry of stats) {
      expect(entry.channelId).toMatch(/^UC[A-Za-z0-9_-]{22}$/);
      expect(entry.handle).toMatch(/^@[a-z0-9._-]{3,30}$/);
      expect(entry.name.length).toBeLessThanOrEqual(100);
      expect(entry.country ?? "ZZ").toMatch(/^[A-Z]{2}$/);
      expect(entry.thumbnailUrl).toBeNull();
    }
  });

  it("include tiny, huge, hidden and new ones in each niche at any date", async () => {
    for (const year of [2026, 2028, 2030]) {
      const then = createSampleAt(`${year}-05-17T06:00:00Z`);
      for (const niche of SAMPLE_NICHES) {
        const stats = await readAll(then, await then.search(niche));
        const has = (test: (entry: ChannelStats) => boolean) => stats.some(test);
        expect(has(({ subscribers }) => subscribers !== null && subscribers < 1000)).toBe(true);
        expect(has(({ subscribers }) => subscribers !== null && subscribers > 2_000_000)).toBe(true);
        expect(has(({ subscribers }) => subscribers === null)).toBe(true);
        expect(has(({ videos }) => videos !== null && videos < 50)).toBe(true);
      }
    }
  });
});

describe("sample lookups", () => {
  it("find a channel by id, by handle in any case, and by username", async () => {
    const channelId = getSampleChannelId("@sprocketowl");
    for (const reference of [
      { kind: "id", id: channelId },
      { kind: "handle", handle: "@SprocketOwl" },
      { kind: "username", username: "sprocketowl" },
    ] as const) {
      expect(await platform.find(reference)).toMatchObject({ channelId, name: "Sprocket Owl Strategy" });
    }
    expect(await platform.find({ kind: "id", id: getSampleChannelId("@nobody") })).toBeNull();
    expect(await platform.find({ kind: "handle", handle: "@nobody" })).toBeNull();
    expect(await platform.find({ kind: "username", username: "nobody" })).toBeNull();
  });

  it("omit unknown and terminated ids, though search still lists a terminated one", async () => {
    const known = getSampleChannelId("@sprocketowl");
    const stats = (await platform.listChannels([getSampleChannelId("@nobody"), known, TERMINATED, known])).channels;
    expect(stats.map(({ channelId }) => channelId)).toEqual([known]);
    expect(await platform.find({ kind: "id", id: TERMINATED })).toBeNull();
    expect(await platform.find({ kind: "handle", handle: "@cheatcodecellar" })).toBeNull();
    expect(await platform.search("gaming")).toContain(TERMINATED);
  });

  it("find the vanishing channel on 48 of 72 days and not on the other 24", async () => {
    let presentDays = 0;
    await forEachDay(72, (stats) => (presentDays += stats.length), [VANISHING]);
    expect(presentDays).toBe(48);
  });

  it("refuse more ids than a call takes", async () => {
    await expect(platform.listChannels(allIds.slice(0, CHANNELS_PER_CALL + 1))).rejects.toThrow(RangeError);
  });

  it("search a niche in any case, always in the same order, most prominent first", async () => {
    const found = await platform.search("  Gaming ");
    expect(found).toEqual(await createSampleAt("2033-01-01T00:00:00Z").search("gaming"));
    expect(found[0]).toBe(getSampleChannelId("@bramblewickarcade"));
  });

  it("search names for a word that is not a niche", async () => {
    expect(await platform.search("SPROCKET")).toEqual([getSampleChannelId("@sprocketowl")]);
    expect(await platform.search("مطبخ")).toEqual([getSampleChannelId("@matbakh.om.alyasmin")]);
    expect(await platform.search("zeppelin racing")).toEqual([]);
    expect(await platform.search(" ")).toEqual([]);
  });
});

describe("sample statistics", () => {
  it("match recorded values, so they are the same in any process", async () => {
    expect(await platform.find(RISING)).toEqual({
      channelId: "UCpjkdX-_UuX9IAToFo5Gfbw",
      name: "Tavi Norrbrink",
      handle: "@tavinorrbrink",
      thumbnailUrl: null,
      country: "SE",
      subscribers: 31000,
      views: 2035889,
      videos: 491,
    });
  });

  it("depend only on the instant, whatever was read before", async () => {
    const clock = new ManualClock("2031-03-05T17:23:45Z");
    const wandering = createSamplePlatform(clock);
    const before = await readAll(wandering);
    clock.set("2027-01-01T00:00:00Z");
    await readAll(wandering);
    clock.set("2031-03-05T17:23:45Z");
    expect(await readAll(wandering)).toEqual(before);
    expect(await readAll(createSampleAt("2031-03-05T17:23:45Z"))).toEqual(before);
  });

  it("change within a day", async () => {
    const evening = await createSampleAt("2026-09-01T18:00:00Z").find(RISING);
    expect(evening?.views).toBeGreaterThan(1480358);
  });

  it("are safe integers from 0, subscribers with three significant digits, from before 1970 to 2040", async () => {
    for (let year = 2015; year <= 2040; year += 5) {
      for (const { subscribers, views, videos } of await readAll(createSampleAt(`${year}-11-03T09:41:07Z`))) {
        for (const count of [subscribers ?? 0, views, videos]) {
          expect(Number.isSafeInteger(count) && Number(count) >= 0).toBe(true);
        }
        expect(String(subscribers ?? 0)).toMatch(/^\d{1,3}0*$/);
      }
    }
  });

  it("never lose views or videos", async () => {
    const before = new Map<string, ChannelStats>();
    const losses: ChannelStats[] = [];
    await forEachDay(400, (stats) => {
      for (const entry of stats) {
        const last = before.get(entry.channelId) ?? entry;
        before.set(entry.channelId, entry);
        if (Number(entry.views) < Number(last.views) || Number(entry.videos) < Number(last.videos)) losses.push(entry);
      }
    });
    expect(losses).toEqual([]);
  });
});

describe("sample growth from 06:00 to 06:00, on each day of two years", () => {
  /** The growth of all channels in percent, for each day from the second on, then for each week. */
  const days: number[][] = [];
  const weeks: number[][] = [];

  beforeAll(async () => {
    const read: Map<string, number | null>[] = [];
    const compare = (ago: number) =>
      [...(read.at(-1) ?? [])].flatMap(([id, after]) => {
        const before = read.at(-1 - ago)?.get(id);
        return before && after ? [(100 * (after - before)) / before] : [];
      });
    await forEachDay(DAYS, (stats) => {
      read.push(new Map(stats.map(({ channelId, subscribers }) => [channelId, subscribers])));
      if (read.length > 1) days.push(compare(1));
      if (read.length > 7) weeks.push(compare(7));
    });
  });

  /** The most days that pass without a jump from a percentage up to under another. */
  function findMaxWait(from: number, to: number): number {
    let waited = 0;
    return Math.max(
      ...days.map((day) => {
        waited = day.some((grown) => grown > from && grown < to) ? 0 : waited + 1;
        return waited;
      }),
    );
  }

  it("exceeds 10% for some creator within any 3 consecutive days", () => {
    expect(findMaxWait(10, Number.POSITIVE_INFINITY)).toBeLessThan(3);
  });

  it.each([
    ["over 10 and under 15 %", 10, 15],
    ["15 to 25 %", 15, 25],
    ["25 to 50 %", 25, 50],
    ["50 % and more", 50, Number.POSITIVE_INFINITY],
  ])("is %s for some creator within any 30 consecutive days", (_band, from, to) => {
    expect(findMaxWait(from, to)).toBeLessThan(30);
  });

  it("is over 10% for one channel at most", () => {
    for (const day of days) expect(day.filter((grown) => grown > 10).length).toBeLessThanOrEqual(1);
  });

  it("stays within -1% to +1% for at least three quarters of the channels", () => {
    for (const day of days) {
      const quiet = day.filter((grown) => Math.abs(grown) <= 1);
      expect(quiet.length / day.length).toBeGreaterThanOrEqual(0.75);
    }
  });

  it("is 5% in a week for 1 to 8 of 100 creators, as on real platforms", () => {
    const share = mean(weeks, (week) => week.filter((grown) => grown >= 5).length / week.length);
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.08);
  });
});

describe("sample platform of a demo", () => {
  it.each(["2026-03-01", "2026-11-27", "2028-02-29"])("has two jumps on %s, one of 50% and more", async (today) => {
    const read = async (day: Day) => {
      const then = createSamplePlatform(new ManualClock(`${day}T06:00:00Z`), today);
      return new Map((await readAll(then, STAGED_CHANNELS)).map((entry) => [entry.channelId, entry.subscribers ?? 0]));
    };
    const [before, after] = [await read(addDays(today, -1)), await read(today)];
    const grown = STAGED_CHANNELS.map((id) => 100 * ((after.get(id) ?? 0) / (before.get(id) ?? 1) - 1));
    const jumps = grown.filter((percent) => percent > 10).toSorted((one, other) => one - other);
    expect(jumps).toHaveLength(2);
    expect(jumps[0]).toBeGreaterThan(15);
    expect(jumps[0]).toBeLessThan(25);
    expect(jumps[1]).toBeGreaterThan(50);
  });
});

describe("sample videos", () => {
  const clock = new ManualClock("2026-09-01T06:00:00Z");
  const moving = createSamplePlatform(clock);

  it("follow from the channel and the time alone, newest first and published", async () => {
    for (const id of allIds.slice(0, 40)) {
      const videos = (await moving.listRecentVideos(id, "page")) ?? [];
      expect(await createSampleAt("2026-09-01T06:00:00Z").listRecentVideos(id, "page")).toEqual(videos);
      const times = videos.map(({ publishedAt }) => publishedAt.getTime());
      expect(times).toEqual(times.toSorted((one, other) => other - one));
      expect(Math.max(0, ...times)).toBeLessThanOrEqual(clock.now().getTime());
      expect(new Set(videos.map(({ videoId }) => videoId)).size).toBe(videos.length);
      expect(new Set(videos.map(({ title }) => title)).size).toBe(videos.length);
      for (const { videoId, title } of videos) {
        expect(videoId).toMatch(/^[A-Za-z0-9_-]{11}$/);
        expect(title.length).toBeGreaterThan(2);
      }
    }
  });

  it("are Shorts and longer ones, in the creator's language, and none for a channel that is gone", async () => {
    const arabic = (await moving.listRecentVideos(getSampleChannelId("@matbakh.om.alyasmin"), "page")) ?? [];
    expect(arabic.every(({ title }) => /[\u0600-\u06ff]/.test(title))).toBe(true);
    expect(new Set(arabic.map(({ seconds }) => (seconds ?? 0) <= 60)).size).toBe(2);
    expect(await moving.listRecentVideos(TERMINATED, "page")).toEqual([]);
  });
});
