import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY, SECOND } from "@/core/time";
import { connect } from "@/db/client";
import { apiKeys, dailyAllowances, nicheQueue, niches } from "@/db/schema";
import { revokeKey } from "@/features/keys/service";
import { purgeExpired } from "@/features/snapshots/retention.service";
import { pickNightly } from "@/test/cases";
import { createChannelId } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, type TestKey, useService } from "@/test/service";
import { startYoutubeServer, type YoutubeServer } from "@/test/youtube-server";
import { listDueQueued, searchQueued } from "./queue.service";
import { DiscoverQuery } from "./schema";
import { discoverAgain } from "./service";

/** Words that are not similar, so that no niche answers for another. */
const toWord = (number: number) => {
  const letters = "bdfghjklmnpqrstvwxz";
  return [number % 19, Math.floor(number / 19) % 19, Math.floor(number / 361)]
    .map((at) => `${letters[at]}${number}`)
    .join("");
};

describe("queued niches", () => {
  let server: YoutubeServer;
  beforeAll(async () => {
    server = await startYoutubeServer({ clock: { now: () => service.clock.now() } });
  });
  const service = useService({
    variables: () => ({ YOUTUBE_API_KEY: server.apiKey, YOUTUBE_API_URL: `${server.url}/` }),
  });
  afterAll(() => server.stop());

  let today = "2026-03-10";
  beforeEach(async () => {
    await service.drain();
    server.reset();
    for (const table of [apiKeys, niches, dailyAllowances]) await service.db.delete(table);
    // A schedule fires once for an instant.
    today = addDays(today, 40);
    service.clock.set(`${today}T12:00:00.000Z`);
  });

  const requestNiche = (key: TestKey, niche: string) =>
    send(`/api/discover?niche=${encodeURIComponent(niche)}`, { key: key.secret });
  const listSearched = () => server.calls.flatMap(({ path, params }) => (path === "search" ? [params.q ?? ""] : []));
  const indexNiches = async (key: TestKey, ...searchedNiches: string[]) => {
    const answers = await Promise.all(searchedNiches.map((niche) => requestNiche(key, niche)));
    return searchedNiches.filter((_, at) => answers[at]?.body.niche_status === "indexed");
  };

  async function fire(day: number, time: string): Promise<void> {
    service.clock.set(`${addDays(today, day)}T${time}:00.000Z`);
    service.engine.fireCron("creator-growth-renew-niches", service.clock.now());
    await service.drain();
  }

  it("spends at most 100 searches a day for 20 keys' new niches, and counts each request once", async () => {
    const count = pickNightly(10, 49);
    const tiers = ["free", "starter", "pro"] as const;
    const keys = await Promise.all(Array.from({ length: 20 }, (_, at) => createKey(service, tiers[at % 3])));
    const answers = await Promise.all(
      keys.map(async (key, round) => {
        const own = [];
        for (let number = 0; number < count; number++)
          own.push(await requestNiche(key, toWord(count * round + number)));
        const usage = await send("/api/usage", { key: key.secret });
        expect(usage.body).toMatchObject({ requests_today: count + 1 });
        return own;
      }),
    );
    expect(answers.flat().filter(({ status }) => status !== 200)).toEqual([]);
    expect(listSearched()).toHaveLength(50);
    for (const time of ["12:20", "13:20", "23:20"]) await fire(0, time);
    expect(listSearched().length).toBeLessThanOrEqual(60);
    server.calls.length = 0;
    for (const time of ["00:20", "01:20", "08:20", "09:20", "23:20"]) await fire(1, time);
    expect(listSearched().length).toBeLessThanOrEqual(100);
  });

  it("searches queued niches the next day in a fair order, at the time the answer gave", async () => {
    const [long, short] = [await createKey(service, "free"), await createKey(service, "free")];
    const lists = [long, short].map((_, round) =>
      Array.from({ length: 6 - 3 * round }, (_, at) => toWord(10 * round + at)),
    );
    const [ofLong = [], ofShort = []] = lists;
    const expected = new Map<string, string>();
    for (const [key, list] of [
      [long, ofLong],
      [short, ofShort],
    ] as const)
      for (const niche of list) {
        service.clock.advance(1000);
        expected.set(niche, (await requestNiche(key, niche)).body.expected_at);
      }
    const [first, second] = [1, 2].map((day) => `${addDays(today, day)}T00:30:00.000Z`);
    expect([...expected.values()]).toEqual([null, null, first, first, second, second, null, null, first]);
    server.calls.length = 0;
    await fire(0, "23:20");
    const map = listSearched();
    await fire(1, "00:20");
    expect(listSearched().slice(map.length, map.length + 3)).toEqual([ofLong[2], ofLong[3], ofShort[2]]);
    await fire(1, "01:20");
    const other = await createKey(service, "pro");
    expect(await indexNiches(other, ...ofLong.slice(2, 4), ...ofShort.slice(2))).toHaveLength(3);
    expect((await requestNiche(long, ofLong[4] ?? "")).body).toMatchObject({
      niche_status: "queued",
      expected_at: second,
    });
    await fire(2, "00:20");
    expect(await indexNiches(long, ...ofLong)).toEqual(ofLong);
    expect(await service.db.$count(nicheQueue)).toBe(0);
  });

  it("searches a niche once in two processes and removes it from every key's queue", async () => {
    const keys = await Promise.all([1, 2, 3].map(() => createKey(service, "free")));
    for (const [at, key] of keys.entries()) {
      for (const niche of [`${toWord(at)}`, `x${toWord(at + 30)}`, "falconry"]) await requestNiche(key, niche);
      // The first key in the queue pays for the search.
      service.clock.advance(SECOND);
    }
    service.clock.set(`${addDays(today, 1)}T00:20:00.000Z`);
    server.calls.length = 0;
    const elsewhere = connect(service.databaseUrl);
    const processes = [service, { ...service, db: elsewhere.db }];
    await Promise.all(
      processes.map(async (ctx) => {
        for (const queued of await listDueQueued(ctx)) await searchQueued(ctx, queued);
      }),
    );
    await elsewhere.close();
    expect(listSearched()).toEqual(["falconry"]);
    expect(await service.db.$count(nicheQueue)).toBe(0);
    const again = await discoverAgain(service, keys[2] ?? fail(), DiscoverQuery.parse({ niche: "falconry" }));
    expect(again).toMatchObject({ niche_status: "indexed", allowance: { new_niches_today: 0 } });
  });

  it("waits for the platform's reset when its searches are used up, and charges no allowance", async () => {
    server.allow({ search: 0 });
    const key = await createKey(service, "free");
    const { status, body } = await requestNiche(key, "falconry");
    expect(status).toBe(200);
    const reset = { niche_status: "queued", expected_at: `${addDays(today, 1)}T07:30:00.000Z` };
    expect(body).toMatchObject(reset);
    expect((await send("/api/usage", { key: key.secret })).body).toMatchObject({
      new_niches_today: 0,
      new_niches_limit: 2,
    });
    expect(await discoverAgain(service, key, DiscoverQuery.parse({ niche: "falconry" }))).toMatchObject(reset);
    await fire(1, "00:20");
    server.allow({ search: 100 });
    await fire(1, "07:20");
    expect(listSearched()).toContain("falconry");
    expect(await indexNiches(key, "falconry")).toEqual(["falconry"]);
  });

  it("shows the similar niche meanwhile on any page, and again without a request", async () => {
    server.publish({
      channelId: createChannelId(1),
      title: "chess",
      publishedAt: `${addDays(today, -1)}T00:00:00Z`,
    });
    server.show(createChannelId(1));
    const key = await createKey(service, "free");
    for (const niche of ["chess", "pottery"]) await requestNiche(key, niche);
    const related = { niche: "chess club", niche_status: "related", related_niche: "chess" };
    const { body } = await requestNiche(key, "chess club");
    expect(body).toMatchObject({ ...related, creators: [{ channel_id: createChannelId(1) }] });
    const calls = server.calls.length;
    const searchAgain = (more: object) =>
      discoverAgain(service, key, DiscoverQuery.parse({ niche: "Chess Club", ...more }));
    expect(await searchAgain({})).toMatchObject({
      ...related,
      expected_at: body.expected_at,
      creators: body.creators,
    });
    expect(await searchAgain({ offset: "5", sort: "subscribers" })).toMatchObject({
      ...related,
      pagination: { total: 1 },
      creators: [],
    });
    expect(
      await discoverAgain(service, await createKey(service), DiscoverQuery.parse({ niche: "chess club" })),
    ).toBeNull();
    expect(server.calls).toHaveLength(calls);
  });

  it("skips and purges a revoked key's niches, and purges others after 30 days", async () => {
    const [gone, stays] = [await createKey(service, "free"), await createKey(service, "free")];
    for (const niche of ["chess", "pottery", "falconry"]) await requestNiche(gone, niche);
    for (const niche of ["judo", "opera", "origami"]) await requestNiche(stays, niche);
    await revokeKey(service, gone.id);
    service.clock.advance(DAY);
    expect((await listDueQueued(service)).map(({ niche }) => niche)).toEqual(["origami"]);
    const countQueued = () => service.db.$count(nicheQueue);
    expect(await countQueued()).toBe(2);
    await purgeExpired(service, { snapshotDays: 30, alertDays: null });
    expect(await countQueued()).toBe(1);
    service.clock.advance(30 * DAY);
    await purgeExpired(service, { snapshotDays: 30, alertDays: null });
    expect(await countQueued()).toBe(0);
  });

  it("refuses to queue beyond 30 days of a key's allowance, and says so", async () => {
    const key = await createKey(service, "free");
    const rows = Array.from({ length: 60 }, (_, at) => ({
      turn: Math.floor(at / 2),
      niche: `n${at}`,
      spelling: `n${at}`,
    }));
    await service.db
      .insert(nicheQueue)
      .values(rows.map((row) => ({ ...row, keyId: key.id, queuedAt: service.clock.now() })));
    for (const niche of ["chess", "pottery"]) await requestNiche(key, niche);
    expect((await requestNiche(key, "falconry")).body).toMatchObject({
      niche_status: "queued",
      expected_at: null,
      hint: "The queue of new niches is full: ask again in a few days.",
    });
    expect(await service.db.$count(nicheQueue)).toBe(60);
  });

  const fail = (): never => {
    throw new Error("there is no such key");
  };
});
