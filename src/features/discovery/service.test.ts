import { beforeEach, describe, expect, it } from "vitest";
import { channels, nicheChannels, niches, snapshots } from "@/core/db/schema";
import { DAY } from "@/core/time";
import { recordReadings } from "@/features/growth/service";
import { CHANNELS_PER_CALL, PlatformError } from "@/platform/port";
import { createSamplePlatform, sampleChannelId } from "@/platform/sample";
import { channelId, createFakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, TEST_START, useService } from "@/test/service";
import { DiscoverQuery } from "./schema";
import { discover } from "./service";

const query = (niche: string, more: Record<string, string> = {}) => DiscoverQuery.parse({ niche, ...more });

describe("discovery", () => {
  /** Every search the platform was asked for. */
  let searches: string[];
  let failure: Error | null;
  const service = useService({
    platform: (clock) => {
      const sample = createSamplePlatform(clock);
      return {
        ...sample,
        async search(niche) {
          searches.push(niche);
          if (failure) throw failure;
          return sample.search(niche);
        },
      };
    },
  });

  beforeEach(async () => {
    service.clock.set(TEST_START);
    for (const table of [nicheChannels, niches, snapshots, channels]) await service.db.delete(table);
    searches = [];
    failure = null;
  });

  describe("answers", () => {
    it("with the niche's creators, best score first, by the totals alone while no growth is measured", async () => {
      const { niche, as_of, creators } = await discover(service, query("gaming", { limit: "50" }));
      expect({ niche, as_of }).toEqual({ niche: "gaming", as_of: TEST_START });
      const shown = await service.platform.channels(await service.platform.search("gaming"));
      expect(new Set(creators.map((creator) => creator.channel_id))).toEqual(
        new Set(shown.map(({ channelId }) => channelId)),
      );
      const order = creators.map(({ score, subscribers }) => [score, subscribers ?? -1] as const);
      expect(order).toEqual(order.toSorted(([a, few], [b, many]) => b - a || many - few));
      expect(order.at(0)?.[0]).toBeGreaterThan(order.at(-1)?.[0] ?? 100);
      for (const creator of creators) expect(creator.score_basis).toBe("profile");
    });

    it("with measured growth before totals: a channel that grew moves up", async () => {
      const { creators } = await discover(service, query("gaming", { limit: "50" }));
      const last = creators.at(-1);
      const [reading] = await service.platform.channels([last?.channel_id ?? ""]);
      if (!reading) throw new Error("the sample platform does not show what it found");
      for (const subscribers of [1000, 1500]) {
        const day = service.clock.now().toISOString().slice(0, 10);
        await recordReadings(service, day, "daily", [{ ...reading, subscribers }]);
        service.clock.advance(DAY);
      }
      const [first] = (await discover(service, query("gaming"))).creators;
      expect(first).toMatchObject({ channel_id: reading.channelId, score_basis: "history" });
    });

    it("without a terminated channel that the search still lists", async () => {
      const terminated = sampleChannelId("@cheatcodecellar");
      expect(await service.platform.search("gaming")).toContain(terminated);
      const { creators } = await discover(service, query("gaming", { limit: "50" }));
      expect(creators.map((creator) => creator.channel_id)).not.toContain(terminated);
    });

    it("with at most `limit` creators, the best of all", async () => {
      const all = await discover(service, query("gaming", { limit: "50" }));
      const three = await discover(service, query("gaming", { limit: "3" }));
      expect(three.creators).toEqual(all.creators.slice(0, 3));
      expect(all.creators.length).toBeLessThanOrEqual(50);
    });

    it("with creators of the asked size alone, bounds included and hidden counts left out", async () => {
      const { creators } = await discover(service, query("gaming", { limit: "50" }));
      expect(creators.some(({ subscribers }) => subscribers === null)).toBe(true);
      const sizes = creators.flatMap(({ subscribers }) => subscribers ?? []).sort((a, b) => a - b);
      const [min = 0, max = 0] = [sizes[2], sizes.at(-3)];
      const sizesWithin = async (bounds: Record<string, string>) => {
        const found = await discover(service, query("gaming", { limit: "50", ...bounds }));
        return found.creators.map(({ subscribers }) => subscribers).sort((a, b) => (a ?? 0) - (b ?? 0));
      };
      expect(await sizesWithin({ min_subscribers: `${min}` })).toEqual(sizes.filter((size) => size >= min));
      expect(await sizesWithin({ max_subscribers: `${max}` })).toEqual(sizes.filter((size) => size <= max));
      expect(await sizesWithin({ min_subscribers: `${min}`, max_subscribers: `${min}` })).toEqual([min]);
    });

    it("with no creators for a niche that nobody makes videos on", async () => {
      expect(await discover(service, query("zeppelin racing"))).toEqual({
        niche: "zeppelin racing",
        as_of: TEST_START,
        creators: [],
      });
    });
  });

  describe("the index entry", () => {
    it("is one for all spellings of a niche in case and space", async () => {
      for (const niche of ["gaming", "GAMING", "  Gaming ", "gaming "]) {
        expect((await discover(service, query(niche))).niche).toBe("gaming");
      }
      await discover(service, query("indie   GAMES"));
      await discover(service, query("Indie games"));
      expect(searches).toEqual(["gaming", "indie games"]);
      expect(await service.db.$count(niches)).toBe(2);
    });

    it("is renewed once 24 hours have passed, to the millisecond, and not before", async () => {
      await discover(service, query("gaming"));
      service.clock.advance(DAY - 1);
      expect(await discover(service, query("gaming"))).toMatchObject({ as_of: TEST_START });
      expect(searches).toHaveLength(1);
      service.clock.advance(1);
      expect(await discover(service, query("gaming"))).toMatchObject({ as_of: "2026-03-11T12:00:00.000Z" });
      expect(searches).toHaveLength(2);
    });

    it("also spares the search for a niche with no creators", async () => {
      await discover(service, query("zeppelin racing"));
      await discover(service, query("zeppelin racing"));
      expect(searches).toHaveLength(1);
    });

    it("drops what the platform no longer finds", async () => {
      const [gone, stays] = [channelId(1), channelId(2)];
      const fake = createFakePlatform(service.clock);
      for (const id of [gone, stays]) fake.show(id, "2026-03-01", 1000);
      const creatorsOf = async (ids: string[]) => {
        fake.search = async () => ids;
        const { creators } = await discover({ ...service, platform: fake }, query("chess"));
        return creators.map((creator) => creator.channel_id);
      };
      expect(await creatorsOf([gone, stays])).toEqual([gone, stays]);
      service.clock.advance(DAY);
      expect(await creatorsOf([stays])).toEqual([stays]);
    });

    it("is whole for each of many who ask at once, and they share searches", async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => discover(service, query("gaming"))));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]?.creators.length).toBeGreaterThan(10);
      expect(searches.length).toBeLessThan(answers.length);
    });

    it("holds a channel once that the search lists several times", async () => {
      const fake = createFakePlatform(service.clock);
      const ids = Array.from({ length: CHANNELS_PER_CALL + 1 }, (_, number) => channelId(number));
      for (const id of ids) fake.show(id, "2026-03-01", 1000);
      fake.search = async () => [...ids, ...ids];
      await discover({ ...service, platform: fake }, query("many"));
      expect(await service.db.$count(nicheChannels)).toBe(ids.length);
    });

    it("that is old answers when the platform fails, and says how old it is", async () => {
      const fresh = await discover(service, query("gaming"));
      service.clock.advance(30 * DAY);
      failure = new PlatformError("quota_exhausted", "no units left");
      expect(await discover(service, query("gaming"))).toEqual(fresh);
      failure = null;
      const renewed = await discover(service, query("gaming"));
      expect(renewed.as_of).toBe(service.clock.now().toISOString());
    });

    it("that was never made leaves a failing platform's niche unanswered: 503, and nothing stored", async () => {
      const { secret } = await createKey(service);
      failure = new PlatformError("quota_exhausted", "no units left", 3600);
      const answer = await send("/api/discover?niche=gaming", { key: secret });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("3600");
      expect(await service.db.$count(niches)).toBe(0);
      expect(await service.db.$count(channels)).toBe(0);
    });

    it("reads what was found in calls of 50 channels", async () => {
      const fake = createFakePlatform(service.clock);
      const ids = Array.from({ length: 2 * CHANNELS_PER_CALL + 1 }, (_, number) => channelId(number));
      for (const id of ids) fake.show(id, "2026-03-01", 1000);
      fake.search = async () => ids;
      const { creators } = await discover({ ...service, platform: fake }, query("many", { limit: "50" }));
      expect(creators).toHaveLength(50);
      expect(fake.calls).toBe(3);
      expect(await service.db.$count(nicheChannels)).toBe(ids.length);
    });
  });
});
