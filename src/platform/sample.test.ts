import { mean } from "d3-array";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, countDaysBetween, DAY, type Day, ManualClock } from "@/core/time";
import { CHANNELS_PER_CALL, type ChannelStats, type VideoPlatform } from "./port";
import { createSamplePlatform, getSampleChannelId, SAMPLE_NICHES } from "./sample";

const FIRST: Day = "2025-01-01";
const DAYS = countDaysBetween(FIRST, "2041-01-01");
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
    for (const year of [2025, 2029, 2033, 2040]) {
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
    expect(await platform.search("ゲーム")).toEqual([getSampleChannelId("@yofukashi-koubou")]);
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
      subscribers: 43200,
      views: 9452069,
      videos: 568,
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
    expect(evening?.views).toBeGreaterThan(9452069);
  });

  it("are safe integers from 0, subscribers with three significant digits, from before 1970 to 2040", async () => {
    for (let year = 2015; year <= 2040; year++) {
      for (const { subscribers, views, videos } of await readAll(createSampleAt(`${year}-11-03T09:41:07Z`))) {
        for (const count of [subscribers ?? 0, views, videos]) {
          expect(Number.isSafeInteger(count) && Number(count) >= 0).toBe(true);
        }
        expect(String(subscribers ?? 0)).toMatch(/^\d{1,3}0*$/);
      }
    }
  });

  it("never lose views or videos, and on average gain views twice as fast while subscribers rise", async () => {
    const before = new Map<string, ChannelStats>();
    const [risen, fallen]: [number[], number[]] = [[], []];
    const losses: ChannelStats[] = [];
    await forEachDay(1500, (stats) => {
      for (const entry of stats) {
        const last = before.get(entry.channelId) ?? entry;
        before.set(entry.channelId, entry);
        const views = Number(entry.views) - Number(last.views);
        if (views < 0 || Number(entry.videos) < Number(last.videos)) losses.push(entry);
        const subscribers = Number(entry.subscribers) - Number(last.subscribers);
        if (entry.channelId !== RISING.id || subscribers === 0) continue;
        (subscribers > 0 ? risen : fallen).push(views);
      }
    });
    expect(losses).toEqual([]);
    expect(mean(risen)).toBeGreaterThan(2 * Number(mean(fallen)));
  });
});

describe("sample growth from 06:00 to 06:00, on each day of 2025 to 2040", () => {
  /** Subscribers by channel, for each day. */
  const days: Map<string, number | null>[] = [];
  /** The growth of all channels in percent, for each day from the second on. */
  let growth: number[][] = [];

  beforeAll(async () => {
    await forEachDay(DAYS, (stats) => days.push(new Map(stats.map((entry) => [entry.channelId, entry.subscribers]))));
    growth = days.slice(1).map((_, day) => allIds.flatMap((id) => computePercents(id, day, day + 1)));
  });

  /** Nothing when the channel was hidden or absent on one of the days. */
  function computePercents(id: string, from: number, to: number): number[] {
    const [before, after] = [days[from]?.get(id), days[to]?.get(id)];
    return before && after ? [(100 * (after - before)) / before] : [];
  }

  /** Whether the channel jumped within the week before a day. */
  function hasJumped(id: string, day: number): boolean {
    return [0, 1, 2, 3, 4, 5, 6].some((ago) =>
      computePercents(id, day - ago - 1, day - ago).some((grown) => grown > 9),
    );
  }

  /** The most days that pass without a jump over `from` percent up to under `to`. */
  function findMaxWait(from: number, to: number): number {
    let waited = 0;
    return Math.max(
      ...growth.map((day) => {
        const jumped = day.some((grown) => grown > from && grown < to);
        waited = jumped ? 0 : waited + 1;
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

  it("is never between 9% and 10%, and over 10% for one channel at most", () => {
    for (const day of growth) {
      const jumps = day.filter((grown) => grown > 9);
      expect(jumps.length).toBeLessThanOrEqual(1);
      expect(jumps.every((grown) => grown > 11)).toBe(true);
    }
  });

  it("stays within -1% to +1% for at least three quarters of the channels", () => {
    for (const day of growth) {
      const quiet = day.filter((grown) => Math.abs(grown) <= 1);
      expect(quiet.length / day.length).toBeGreaterThanOrEqual(0.75);
    }
  });

  it("exceeds 2% within any week for some creator without a jump in each niche", async () => {
    for (const niche of SAMPLE_NICHES) {
      const ids = await platform.search(niche);
      for (let day = 7; day < DAYS; day++) {
        const risen = ids.some(
          (id) => computePercents(id, day - 7, day).some((grown) => grown > 2) && !hasJumped(id, day),
        );
        expect(risen, `${niche} on ${addDays(FIRST, day)}`).toBe(true);
      }
    }
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
      for (const { videoId, title } of videos) {
        expect(videoId).toMatch(/^[A-Za-z0-9_-]{11}$/);
        expect(title.length).toBeGreaterThan(2);
      }
    }
  });

  it("are Shorts and longer ones, in the creator's language, and none for a channel that is gone", async () => {
    const japanese = (await moving.listRecentVideos(getSampleChannelId("@yofukashi-koubou"), "page")) ?? [];
    expect(japanese.every(({ title }) => /[ぁ-んァ-ン一-龠]/.test(title))).toBe(true);
    expect(new Set(japanese.map(({ seconds }) => (seconds ?? 0) <= 60)).size).toBe(2);
    expect(await moving.listRecentVideos(TERMINATED, "page")).toEqual([]);
  });
});
