import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY, HOUR } from "@/core/time";
import { channels, dailyAllowances, nicheChannels, niches, snapshots } from "@/db/schema";
import { PlatformError } from "@/platform/port";
import { createSamplePlatform } from "@/platform/sample";
import { installContext } from "@/server/context";
import { createChannelId, createFakePlatform, type FakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, useService } from "@/test/service";
import { fillMap, getNicheMap } from "./map.service";
import { MAP_NICHES, NICHE_MAP } from "./niches.rules";
import { DiscoverQuery } from "./schema";
import { discover } from "./service";

const SPELLINGS = NICHE_MAP.flatMap(({ niches }) => niches);

it("lists 40 distinct niches on the map", () => {
  expect(MAP_NICHES).toHaveLength(40);
});

describe("niche map on the sample platform", () => {
  const service = useService();

  it("fills the map at the start and reads it daily, so that it shows rising creators", async () => {
    await fillMap(service);
    const first = await getNicheMap(service);
    expect(first.groups.map(({ name }) => name)).toEqual(NICHE_MAP.map(({ name }) => name));
    const shown = first.groups.flatMap((group) => group.niches);
    expect(shown.map(({ niche }) => niche)).toEqual(SPELLINGS);
    for (const { creators, rising } of shown) expect([creators >= 8, rising]).toEqual([true, 0]);
    service.clock.set("2026-03-24T08:30:00.000Z");
    service.engine.fireCron("creator-growth-read-candidates", service.clock.now());
    await service.drain();
    const niches = (await getNicheMap(service)).groups.flatMap((group) => group.niches);
    const withRising = niches.filter(({ rising }) => rising > 0);
    // A niche may have a day without.
    expect(withRising.length).toBeGreaterThanOrEqual(0.9 * SPELLINGS.length);
    for (const { niche, rising } of withRising) {
      const query = DiscoverQuery.parse({ niche, rising: "true" });
      const answer = await discover(service, await createKey(service), query);
      expect(answer).toMatchObject({ hint: null, pagination: { total: rising } });
    }
    expect(await service.db.$count(dailyAllowances, eq(dailyAllowances.kind, "new_niche"))).toBe(0);
  });

  it("is the answer of GET /api/niches, for any key", async () => {
    installContext(service);
    await fillMap(service);
    const { status, body } = await send("/api/niches", { key: (await createKey(service)).secret });
    expect(status).toBe(200);
    expect(body).toEqual({ status: "ok", ...(await getNicheMap(service)) });
  });

  it("finds creators with valid handles and countries, and none for a misspelled niche", async () => {
    const platform = createSamplePlatform(service.clock);
    const ids = (await Promise.all(SPELLINGS.map((niche) => platform.search(niche)))).flat();
    const shown = await Promise.all(ids.map((id) => platform.listChannels([id])));
    const creators = shown.flatMap(({ channels }) => channels);
    expect(creators.length).toBeGreaterThan(400);
    for (const field of ["channelId", "name", "handle"] as const)
      expect(new Set(creators.map((creator) => creator[field])).size).toBe(creators.length);
    for (const { handle, country } of creators) {
      expect(handle).toMatch(/^@[a-z0-9._-]{3,30}$/);
      expect(country ?? "ZZ").toMatch(/^[A-Z]{2}$/);
    }
    for (const niche of ["photograhpy", "roboticks", "chesss"]) expect(await platform.search(niche)).toEqual([]);
  });
});

describe("niche map with few searches", () => {
  let fake: FakePlatform;
  let searches: string[];
  let failure: Error | null;
  const service = useService({
    platform: (clock) => {
      fake = createFakePlatform(clock);
      fake.search = async (niche) => {
        searches.push(niche);
        if (failure) throw failure;
        return [createChannelId(1)];
      };
      return fake;
    },
  });
  let today = "2026-03-10";

  beforeEach(async () => {
    await service.drain();
    for (const table of [nicheChannels, niches, dailyAllowances, snapshots, channels]) await service.db.delete(table);
    today = addDays(today, 40);
    service.clock.set(`${today}T00:00:00.000Z`);
    fake.show(createChannelId(1), today, 1000);
    [searches, failure] = [[], null];
  });

  /** Fires the hourly job for some days. @returns the searches of each day */
  async function runDays(days: number): Promise<string[][]> {
    const perDay: string[][] = [];
    for (let day = 0; day < days; day++) {
      searches = [];
      for (let hour = 0; hour < 24; hour += 6) {
        service.clock.set(new Date(Date.parse(`${today}T00:20:00Z`) + day * DAY + hour * HOUR));
        service.engine.fireCron("creator-growth-renew-niches", service.clock.now());
        await service.drain();
      }
      perDay.push(searches);
    }
    return perDay;
  }

  it("fills 10 niches a day in map order, then renews each a week later", async () => {
    const days = await runDays(9);
    expect(days.slice(0, 4).flat()).toEqual(SPELLINGS);
    expect(days.map((searched) => searched.length)).toEqual([10, 10, 10, 10, 0, 0, 0, 10, 10]);
    expect(days.slice(7).flat()).toEqual(SPELLINGS.slice(0, 20));
  });

  it("renews a requested niche daily, beside the map's own searches", async () => {
    await fillMap(service);
    await discover(service, await createKey(service), DiscoverQuery.parse({ niche: "gaming" }));
    const [, second] = await runDays(2);
    expect(second).toContain("gaming");
    expect(second).toHaveLength(11);
    expect(await service.db.$count(dailyAllowances, eq(dailyAllowances.kind, "new_niche"))).toBe(0);
  });

  it("fills the map once when two processes start together", async () => {
    await Promise.all([fillMap(service), fillMap(service)]);
    expect(searches.toSorted()).toEqual(SPELLINGS.slice(0, 10).toSorted());
  });

  it("shows the indexed niches and continues when the platform answers again", async () => {
    failure = new PlatformError("quota_exhausted", "no searches left", 3600);
    await fillMap(service);
    expect(searches).toEqual(["gaming"]);
    expect(await getNicheMap(service)).toEqual({ groups: [] });
    failure = null;
    await fillMap(service);
    expect((await getNicheMap(service)).groups[0]).toEqual({
      name: NICHE_MAP[0].name,
      niches: NICHE_MAP[0].niches.map((niche) => ({ niche, creators: 1, rising: 0 })),
    });
  });
});
