import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY, toDate } from "@/core/time";
import { channels, nicheChannels, niches, snapshots, trackedCreators } from "@/db/schema";
import { trackCreator } from "@/features/creators/service";
import { recordSnapshots } from "@/features/growth/service";
import { CHANNELS_PER_CALL, PlatformError } from "@/platform/port";
import { createSamplePlatform, getSampleChannelId } from "@/platform/sample";
import { createChannelId, createFakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import type { DiscoveryContext } from "./entries.service";
import { toNicheIdentity } from "./niches.rules";
import { getNicheAllowance } from "./niches.service";
import { DiscoverQuery, type Discovery } from "./schema";
import { renewNiche } from "./search.service";
import * as verbs from "./service";

const buildQuery = (niche: string, more: Record<string, string> = {}) => DiscoverQuery.parse({ niche, ...more });

describe("discovery", () => {
  /** Every search query that the platform got. */
  let searches: string[];
  let failure: Error | null;
  let key: TestKey;
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
    await service.drain();
    service.clock.set(TEST_START);
    for (const table of [trackedCreators, nicheChannels, niches, snapshots, channels]) await service.db.delete(table);
    searches = [];
    failure = null;
    key = await createKey(service, "pro");
  });

  const discover = (ctx: DiscoveryContext, requested: DiscoverQuery): Promise<Discovery> =>
    verbs.discover(ctx, key, requested);

  describe("answers of discovery", () => {
    it("returns the niche's creators by score, from totals alone while no growth is measured", async () => {
      const { niche, as_of, creators } = await discover(service, buildQuery("gaming", { limit: "50" }));
      expect({ niche, as_of }).toEqual({ niche: "gaming", as_of: TEST_START });
      const shown = (await service.platform.listChannels(await service.platform.search("gaming"))).channels;
      expect(new Set(creators.map((creator) => creator.channel_id))).toEqual(
        new Set(shown.map(({ channelId }) => channelId)),
      );
      const scores = creators.map(({ score }) => score ?? -1);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.at(0)).toBeGreaterThan(scores.at(-1) ?? 100);
      for (const creator of creators) expect(creator.score_basis).toBe("profile");
    });

    it("ranks measured growth before totals: a channel that grew moves up", async () => {
      const { creators } = await discover(service, buildQuery("gaming", { limit: "50" }));
      const last = creators.at(-1);
      const [stats] = (await service.platform.listChannels([last?.channel_id ?? ""])).channels;
      if (!stats) throw new Error("the sample platform does not show what it found");
      for (const subscribers of [1000, 1500]) {
        const day = service.clock.now().toISOString().slice(0, 10);
        await recordSnapshots(service, day, "daily", [{ ...stats, subscribers }]);
        service.clock.advance(DAY);
      }
      const [first] = (await discover(service, buildQuery("gaming"))).creators;
      expect(first).toMatchObject({ channel_id: stats.channelId, score_basis: "history" });
    });

    it("omits a terminated channel that the search still lists", async () => {
      const terminated = getSampleChannelId("@cheatcodecellar");
      expect(await service.platform.search("gaming")).toContain(terminated);
      const { creators } = await discover(service, buildQuery("gaming", { limit: "50" }));
      expect(creators.map((creator) => creator.channel_id)).not.toContain(terminated);
    });

    it.each([
      ["growth_7d", "growth_7d_percent"],
      ["subscribers", "subscribers"],
      ["score", "score"],
    ] as const)("sorts by %s, measured growth first, unknown values last", async (sort, field) => {
      await discover(service, buildQuery("gaming"));
      const [day, week] = [TEST_START.slice(0, 10), "2026-03-17"];
      const shown = (await service.platform.listChannels(await service.platform.search("gaming"))).channels;
      const channelStats = shown.slice(4, 9).map((stats, at) => ({ ...stats, subscribers: 1000 + 100 * at }));
      await recordSnapshots(service, day, "daily", channelStats);
      service.clock.advance(7 * DAY);
      await recordSnapshots(
        service,
        week,
        "daily",
        channelStats.map((stats, at) => ({ ...stats, subscribers: 2000 - 30 * at })),
      );
      const { creators } = await discover(service, buildQuery("gaming", { limit: "50", sort }));
      const measured = creators.filter(({ score_basis }) => score_basis === "history");
      expect(measured).toEqual(creators.slice(0, 5));
      for (const part of [measured, creators.slice(5)]) {
        const values = part.map((creator) => creator[field] ?? -1);
        expect(values).toEqual(values.toSorted((one, other) => other - one));
      }
    });

    it("returns pages with the total of matching creators", async () => {
      const all = await discover(service, buildQuery("gaming", { limit: "50" }));
      const { total } = all.pagination;
      expect(total).toBe(all.creators.length);
      const page = await discover(service, buildQuery("gaming", { offset: "5", limit: "4" }));
      expect(page.pagination).toEqual({ total, offset: 5, limit: 4, has_more: true });
      expect(page.creators).toEqual(all.creators.slice(5, 9));
      const after = await discover(service, buildQuery("gaming", { offset: `${total}` }));
      expect(after).toMatchObject({ pagination: { total, has_more: false }, creators: [], hint: null });
    });

    it("filters by country and by measured growth", async () => {
      const all = await discover(service, buildQuery("gaming", { limit: "50" }));
      const british = await discover(service, buildQuery("gaming", { country: "gb" }));
      expect(british.creators).toEqual(all.creators.filter(({ country }) => country === "GB"));
      expect(british.pagination.total).toBe(3);
      expect(await discover(service, buildQuery("gaming", { rising: "true" }))).toMatchObject({
        pagination: { total: 0 },
        hint: "No creators match: use fewer filters.",
      });
      service.clock.advance(DAY);
      await recordSnapshots(
        service,
        "2026-03-11",
        "daily",
        (await service.platform.listChannels(await service.platform.search("gaming"))).channels,
      );
      const { creators } = await discover(service, buildQuery("gaming", { rising: "true", limit: "50" }));
      expect(creators.length).toBeGreaterThan(0);
      for (const { score, score_basis } of creators)
        expect([score_basis, (score ?? 0) >= 25]).toEqual(["history", true]);
    });

    it("explains how to track a channel sent as a niche, without a search or a stored row", async () => {
      for (const name of [
        "@SprocketOwl",
        `https://youtube.com/channel/${getSampleChannelId("@sprocketowl")}/videos`,
        getSampleChannelId("@sprocketowl"),
        "youtube.com/@sprocketowl",
      ]) {
        const request = buildQuery(name);
        const answer = await discover(service, request);
        expect(answer).toMatchObject({
          niche: request.niche,
          niche_status: "indexed",
          as_of: null,
          creators: [],
        });
        expect(answer.hint).toBe("This is a channel, not a niche: track it with POST /api/track.");
      }
      expect(searches).toEqual([]);
      expect(await service.db.$count(niches)).toBe(0);
      expect(await getNicheAllowance(service, key)).toEqual({ new_niches_today: 0, new_niches_limit: 10 });
    });

    it("returns at most `limit` creators, the best of all", async () => {
      const all = await discover(service, buildQuery("gaming", { limit: "50" }));
      const three = await discover(service, buildQuery("gaming", { limit: "3" }));
      expect(three.creators).toEqual(all.creators.slice(0, 3));
      expect(all.creators.length).toBeLessThanOrEqual(50);
    });

    it("filters by size, bounds included, hidden counts left out", async () => {
      const { creators } = await discover(service, buildQuery("gaming", { limit: "50" }));
      expect(creators.some(({ subscribers }) => subscribers === null)).toBe(true);
      const sizes = creators.flatMap(({ subscribers }) => subscribers ?? []).sort((a, b) => a - b);
      const [min = 0, max = 0] = [sizes[2], sizes.at(-3)];
      const listSizes = async (bounds: Record<string, string>) => {
        const found = await discover(service, buildQuery("gaming", { limit: "50", ...bounds }));
        return found.creators.map(({ subscribers }) => subscribers).sort((a, b) => (a ?? 0) - (b ?? 0));
      };
      expect(await listSizes({ min_subscribers: `${min}` })).toEqual(sizes.filter((size) => size >= min));
      expect(await listSizes({ max_subscribers: `${max}` })).toEqual(sizes.filter((size) => size <= max));
      expect(await listSizes({ min_subscribers: `${min}`, max_subscribers: `${min}` })).toEqual([min]);
    });

    it("returns the same creators to every key, whatever it tracks", async () => {
      const before = await discover(service, buildQuery("gaming"));
      const tracked = before.creators[0]?.channel_id ?? "";
      await trackCreator(service, key.id, { kind: "id", id: tracked });
      const other = await createKey(service);
      expect(await verbs.discover(service, other, buildQuery("gaming"))).toEqual(before);
      expect(await discover(service, buildQuery("gaming"))).toEqual(before);
    });

    it("returns no creators for a niche without videos", async () => {
      expect(await discover(service, buildQuery("zeppelin racing"))).toEqual({
        niche: "zeppelin racing",
        niche_status: "indexed",
        related_niche: null,
        expected_at: null,
        as_of: TEST_START,
        hint: "No creators found: try another spelling or niche.",
        pagination: { total: 0, offset: 0, limit: 20, has_more: false },
        creators: [],
      });
    });
  });

  describe("niche index", () => {
    it("shares one entry among all spellings of a niche and shows the first", async () => {
      const first = await discover(service, buildQuery("gaming"));
      for (const niche of ["GAMING", "  Gaming ", "gamings", "gam-ing", "ga ming"])
        expect(await discover(service, buildQuery(niche))).toEqual(first);
      expect(searches).toEqual(["gaming"]);
      expect(await service.db.$count(niches)).toBe(1);
    });

    it("searches an empty niche again in another spelling and shows the one with creators", async () => {
      const empty = await discover(service, buildQuery("sprockets"));
      expect(empty).toMatchObject({ niche: "sprockets", creators: [] });
      service.clock.advance(1000);
      for (const niche of ["sprockets", "Sproc-kets", "s prockets"])
        expect(await discover(service, buildQuery(niche))).toEqual(empty);
      const found = await discover(service, buildQuery("sprocket"));
      expect(found).toMatchObject({
        niche: "sprocket",
        creators: expect.arrayContaining([expect.anything()]),
      });
      expect(await discover(service, buildQuery("sprockets"))).toEqual(found);
      expect(searches).toEqual(["sprockets", "sprocket"]);
    });

    it("searches a suggested niche in its suggested spelling, and no hyphen excludes a word", async () => {
      const odd = await discover(service, buildQuery("coo -kings"));
      expect(odd).toMatchObject({ niche: "cooking", creators: expect.arrayContaining([expect.anything()]) });
      expect(await discover(service, buildQuery("cooking"))).toEqual(odd);
      expect(await discover(service, buildQuery("f-i-s-h-i-n-g"))).toMatchObject({ creators: [] });
      await discover(service, buildQuery("fishing"));
      expect(searches).toEqual(["cooking", "f i s h i n g", "fishing"]);
    });

    it("keeps the age of a niche that stays empty in another spelling until it is renewed", async () => {
      await discover(service, buildQuery("zeppelin"));
      service.clock.advance(1000);
      for (let times = 0; times < 2; times++)
        expect(await discover(service, buildQuery("zeppelins"))).toMatchObject({
          as_of: TEST_START,
          creators: [],
        });
      expect(searches).toEqual(["zeppelin", "zeppelins"]);
      service.clock.advance(DAY);
      await renewNiche(service, "zeppelin");
      const { as_of } = await discover(service, buildQuery("zeppelin"));
      expect(as_of).toBe("2026-03-11T12:00:01.000Z");
    });

    it("renews a niche in the spelling that most keys use", async () => {
      await discover(service, buildQuery("indie game"));
      for (let keys = 0; keys < 2; keys++)
        await verbs.discover(service, await createKey(service), buildQuery("indie games"));
      service.clock.advance(DAY);
      await renewNiche(service, toNicheIdentity("indie game"));
      expect(searches).toEqual(["indie game", "indie games", "indie games"]);
    });

    it("answers at once from an entry older than a day and renews it in the background", async () => {
      await discover(service, buildQuery("gaming"));
      service.clock.advance(DAY - 1);
      await discover(service, buildQuery("gaming"));
      await service.drain();
      expect(searches).toHaveLength(1);
      service.clock.advance(1);
      expect(await discover(service, buildQuery("gaming"))).toMatchObject({ as_of: TEST_START });
      expect(searches).toHaveLength(1);
      await service.drain();
      expect(searches).toHaveLength(2);
      expect(await discover(service, buildQuery("gaming"))).toMatchObject({
        as_of: "2026-03-11T12:00:00.000Z",
      });
    });

    it("renews an old entry once, however often it is requested", async () => {
      await discover(service, buildQuery("gaming"));
      service.clock.advance(DAY);
      for (let times = 0; times < 5; times++) await discover(service, buildQuery("gaming"));
      await service.drain();
      expect(searches).toHaveLength(2);
    });

    it("answers when the renewal cannot be requested", async () => {
      const fresh = await discover(service, buildQuery("gaming"));
      service.clock.advance(DAY);
      const requestRenewal = () => Promise.reject(new Error("the job engine does not answer"));
      expect(await discover({ ...service, requestRenewal }, buildQuery("gaming"))).toEqual(fresh);
    });

    it("answers an empty niche again without a second search", async () => {
      await discover(service, buildQuery("zeppelin racing"));
      await discover(service, buildQuery("zeppelin racing"));
      expect(searches).toHaveLength(1);
    });

    it("stores a channel once when the search lists it several times, and reads 50 per call", async () => {
      const fake = createFakePlatform(service.clock);
      const ids = Array.from({ length: CHANNELS_PER_CALL + 1 }, (_, number) => createChannelId(number));
      for (const id of ids) fake.show(id, "2026-03-01", 1000);
      fake.search = async () => [...ids, ...ids];
      await discover({ ...service, platform: fake }, buildQuery("many"));
      expect(await service.db.$count(nicheChannels)).toBe(ids.length);
      expect(fake.calls).toBe(2);
    });

    it("keeps a hundred candidates, half of them small, and answers by score alone", async () => {
      const fake = createFakePlatform(service.clock);
      const ids = Array.from({ length: 200 }, (_, number) => createChannelId(number));
      // The large ones have fewer views, so that they score higher.
      for (const [at, id] of ids.entries())
        if (at < 120) fake.show(id, "2026-03-01", 20_000, { views: 20_000 });
        else fake.show(id, "2026-03-01", 9_000, { views: 90_000 });
      fake.search = async () => ids;
      const { creators } = await discover({ ...service, platform: fake }, buildQuery("many", { limit: "50" }));
      expect(creators.map(({ subscribers }) => subscribers)).toEqual(Array.from({ length: 50 }, () => 20_000));
      const small = await discover(
        { ...service, platform: fake },
        buildQuery("many", { limit: "50", max_subscribers: "9999" }),
      );
      expect(small.creators).toHaveLength(50);
      expect(await service.db.$count(nicheChannels)).toBe(100);
    });

    it("keeps a candidate for 14 days after the platform last found it", async () => {
      const [gone, stays] = [createChannelId(1), createChannelId(2)];
      const fake = createFakePlatform(service.clock);
      for (const id of [gone, stays]) fake.show(id, "2026-03-01", 1000);
      const ctx = { ...service, platform: fake };
      fake.search = async () => [gone, stays];
      await discover(ctx, buildQuery("chess"));
      fake.search = async () => [stays];
      const found = async (days: number) => {
        service.clock.set(toDate(Date.parse(TEST_START) + days * DAY));
        await renewNiche(ctx, toNicheIdentity("chess"));
        const { creators } = await discover(ctx, buildQuery("chess"));
        return creators.map((creator) => creator.channel_id).sort();
      };
      expect(await found(13)).toEqual([gone, stays]);
      expect(await found(14)).toEqual([stays]);
    });
  });

  describe("the check before a search", () => {
    const check = (niche: string) => verbs.checkNiche(service, buildQuery(niche));

    it("names the niche that a new one may be a misspelling of, and costs and records nothing", async () => {
      await discover(service, buildQuery("gaming"));
      const spent = await getNicheAllowance(service, key);
      expect(await check("gammin")).toEqual({ is_new: true, suggested_niche: "gaming" });
      expect(await check("gaming")).toEqual({ is_new: false, suggested_niche: null });
      expect(await check("Gaming")).toEqual({ is_new: false, suggested_niche: null });
      expect(await getNicheAllowance(service, key)).toEqual(spent);
      expect(searches).toEqual(["gaming"]);
      expect(await verbs.discoverAgain(service, key, buildQuery("gammin"))).toBeNull();
    });

    it("names none where no niche is similar, and asks nothing about a channel", async () => {
      await discover(service, buildQuery("gaming"));
      expect(await check("zzzzzz")).toEqual({ is_new: true, suggested_niche: null });
      expect(await check("@sprocketowl")).toEqual({ is_new: false, suggested_niche: null });
    });
  });

  it("searches a niche again when its entry is deleted during the request", async () => {
    const before = await discover(service, buildQuery("gaming"));
    service.clock.advance(DAY);
    const waiting = sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    let pending: Promise<Discovery> | undefined;
    await service.db.transaction(async (tx) => {
      await tx.delete(niches);
      pending = discover(service, buildQuery("gaming"));
      await expect.poll(() => service.db.execute(waiting), { timeout: 20_000 }).toHaveLength(1);
    });
    expect(await pending).toMatchObject({ niche: before.niche, as_of: service.clock.now().toISOString() });
    expect(searches).toHaveLength(2);
  });

  describe("repeated search", () => {
    it("returns the same answer again to the key that searched, and records no second search", async () => {
      const first = await verbs.discoverWithDetails(service, key, buildQuery("gaming"));
      searches = [];
      expect(await verbs.discoverAgain(service, key, buildQuery("Gaming"))).toEqual(first);
      const sized = await verbs.discoverAgain(service, key, buildQuery("gaming", { sort: "subscribers", limit: "1" }));
      expect(sized).toMatchObject({
        pagination: { total: first.pagination.total },
        allowance: first.allowance,
      });
      expect(searches).toEqual([]);
    });

    it("returns null for another key, another niche and the next day", async () => {
      await discover(service, buildQuery("gaming"));
      const other = await createKey(service, "pro");
      expect(await verbs.discoverAgain(service, other, buildQuery("gaming"))).toBeNull();
      expect(await verbs.discoverAgain(service, key, buildQuery("cooking"))).toBeNull();
      service.clock.advance(DAY);
      expect(await verbs.discoverAgain(service, key, buildQuery("gaming"))).toBeNull();
    });
  });

  it("returns each creator with its growth, its trend and whether the key tracks it", async () => {
    const found = await verbs.discoverWithDetails(service, key, buildQuery("gaming"));
    const id = found.creators[0]?.channel_id ?? "";
    await trackCreator(service, key.id, { kind: "id", id });
    const [stats] = (await service.platform.listChannels([id])).channels;
    if (!stats) throw new Error("the sample platform does not show what it found");
    for (const [day, subscribers] of [
      ["2026-03-11", 1000],
      ["2026-03-12", 1500],
    ] as const) {
      service.clock.advance(DAY);
      await recordSnapshots(service, day, "daily", [{ ...stats, subscribers }]);
    }
    const { creators, allowance } = await verbs.discoverWithDetails(service, key, buildQuery("gaming"));
    expect(allowance).toEqual({ new_niches_today: 0, new_niches_limit: 10 });
    const [first, ...others] = creators;
    expect(first).toMatchObject({ channel_id: id, is_tracked: true, growth_day: "2026-03-12" });
    expect(first?.growth.map(({ days, percent }) => [days, percent])).toEqual([
      [1, 50],
      [7, null],
      [28, null],
    ]);
    expect(first?.trend.slice(-4)).toEqual([null, stats.subscribers, 1000, 1500]);
    for (const creator of others) {
      expect(creator).toMatchObject({ is_tracked: false, score_parts: null, growth_day: "2026-03-10" });
      expect(creator.trend).toHaveLength(30);
      expect(creator.growth.map(({ percent }) => percent)).toEqual([null, null, null]);
    }
  });

  describe("typo hint", () => {
    it("suggests a niche that differs by a typo, in every answer of the entry", async () => {
      expect((await discover(service, buildQuery("gaming"))).hint).toBeNull();
      for (let times = 0; times < 2; times++)
        expect(await discover(service, buildQuery("gamign"))).toMatchObject({
          niche: "gamign",
          creators: [],
          hint: 'Did you mean "gaming"?',
        });
      expect(await verbs.discoverWithDetails(service, key, buildQuery("gamign"))).toMatchObject({
        suggested_niche: "gaming",
      });
      expect((await discover(service, buildQuery("gaming"))).hint).toBeNull();
    });
  });

  describe("platform failures", () => {
    it("answers 503 and stores nothing when the platform fails on a new niche", async () => {
      failure = new PlatformError("unavailable", "down", 120);
      const answer = await send("/api/discover?niche=gaming", { key: key.secret });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("120");
      expect(await service.db.$count(niches)).toBe(0);
      expect(await service.db.$count(channels)).toBe(0);
      failure = null;
      expect((await send("/api/discover?niche=gaming", { key: key.secret })).status).toBe(200);
    });

    it("keeps answering from an old entry when the platform fails", async () => {
      const fresh = await discover(service, buildQuery("gaming"));
      service.clock.advance(20 * DAY);
      failure = new PlatformError("quota_exhausted", "no searches left");
      expect(await discover(service, buildQuery("gaming"))).toEqual(fresh);
      await service.drain();
      expect(searches).toHaveLength(2);
      expect(await discover(service, buildQuery("gaming"))).toEqual(fresh);
    });
  });
});
