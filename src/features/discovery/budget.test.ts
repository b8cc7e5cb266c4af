import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY, sleep, toDate } from "@/core/time";
import { connect, type DatabaseConnection } from "@/db/client";
import { channels, dailyAllowances, nicheChannels, nicheQueue, nicheRequests, niches, snapshots } from "@/db/schema";
import { PlatformError } from "@/platform/port";
import { createChannelId, createFakePlatform, type FakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { listDueNiches } from "./niches.service";
import { DiscoverQuery } from "./schema";
import { renewNiche } from "./search.service";
import { discover } from "./service";

/** Words that are neither plurals of each other nor similar. */
const WORDS = ["chess", "baking", "guitar", "robotics", "yoga", "surfing", "origami", "beekeeping", "opera", "judo"];
const WORDS_MORE = ["knitting", "astronomy", "parkour", "calligraphy", "falconry", "pottery", "sudoku", "latin"];

describe("niche search budget", () => {
  let fake: FakePlatform;
  /** Every search query that the platform got. */
  let searches: string[];
  let failure: Error | null;
  const service = useService({
    platform: (clock) => {
      fake = createFakePlatform(clock);
      for (let number = 0; number < 40; number++) fake.show(createChannelId(number), "2026-03-01", 1000 + number);
      fake.search = async (niche) => {
        searches.push(niche);
        if (failure) throw failure;
        return Array.from({ length: 20 }, (_, number) => createChannelId(number + (niche.length % 20)));
      };
      return fake;
    },
  });
  /** A second process, as the database sees it. */
  let elsewhere: DatabaseConnection;

  beforeAll(() => {
    elsewhere = connect(service.databaseUrl);
  });
  afterAll(() => elsewhere.close());

  beforeEach(async () => {
    await service.drain();
    service.clock.set(TEST_START);
    for (const table of [nicheQueue, nicheChannels, niches, dailyAllowances, snapshots, channels])
      await service.db.delete(table);
    searches = [];
    failure = null;
  });

  const requestNiche = (key: TestKey, niche: string) =>
    send(`/api/discover?niche=${encodeURIComponent(niche)}`, { key: key.secret });

  it.each([
    ["free", 2],
    ["starter", 5],
    ["pro", 10],
  ] as const)("lets a %s key search %i new niches a day, and any number of known ones", async (tier, limit) => {
    const [key, other] = [await createKey(service, tier), await createKey(service, "pro")];
    const [known = "", ...words] = [...WORDS, ...WORDS_MORE];
    await requestNiche(other, known);
    for (const word of words.slice(0, limit)) expect((await requestNiche(key, word)).status).toBe(200);
    const refused = await requestNiche(key, "zzzz");
    expect(refused.status).toBe(200);
    expect(refused.body).toMatchObject({
      ...{ niche: "zzzz", niche_status: "queued", related_niche: null, as_of: null, creators: [] },
      expected_at: "2026-03-11T00:30:00.000Z",
      hint: "This niche is queued: ask again after expected_at.",
    });
    for (const word of [known, ...words.slice(0, limit)]) expect((await requestNiche(key, word)).status).toBe(200);
    expect(searches).toHaveLength(limit + 1);
    service.clock.set("2026-03-11T00:00:00.000Z");
    expect((await requestNiche(key, "zzzz")).body).toMatchObject({
      niche_status: "indexed",
      expected_at: null,
    });
  });

  it("spends no more than the key's allowance under parallel requests", async () => {
    const key = await createKey(service, "starter");
    const answers = await Promise.all([...WORDS, ...WORDS_MORE].map((word) => requestNiche(key, word)));
    expect(searches).toHaveLength(5);
    expect(answers.filter(({ body }) => body.niche_status === "indexed")).toHaveLength(5);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it("counts each request once, whatever its outcome", async () => {
    const key = await createKey(service, "free");
    for (const word of [...WORDS.slice(0, 4), "chess"]) await requestNiche(key, word);
    expect((await send("/api/usage", { key: key.secret })).body.requests_today).toBe(6);
  });

  it("answers from the nearest niche once the allowance is spent, and says so", async () => {
    const key = await createKey(service, "free");
    const chess = await requestNiche(key, "chess");
    await requestNiche(key, "baking");
    const { status, body } = await requestNiche(key, "chess openings");
    expect(status).toBe(200);
    expect(body).toEqual({
      ...chess.body,
      niche: "chess openings",
      niche_status: "related",
      related_niche: "chess",
      expected_at: "2026-03-11T00:30:00.000Z",
      hint: `Showing creators of the similar niche "chess" until this niche is searched.`,
    });
    expect(searches).toEqual(["chess", "baking"]);
    const requested = await service.db.select().from(nicheRequests).where(eq(nicheRequests.niche, "chess"));
    expect(requested.map(({ spelling }) => spelling)).toEqual(["chess"]);
  });

  it("searches at most 50 new niches a day for all keys and processes together", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => createKey(service, "pro")));
    const questions = keys.flatMap((key, round) =>
      Array.from({ length: 8 }, (_, number) => ({
        key,
        niche: `n${round}x${number}q`,
        db: number % 2 ? service.db : elsewhere.db,
      })),
    );
    const answers = await Promise.all(
      questions.map(({ key, niche, db }) => discover({ ...service, db }, key, DiscoverQuery.parse({ niche }))),
    );
    expect(searches).toHaveLength(50);
    expect(new Set(searches).size).toBe(50);
    expect(answers.filter((answer) => answer.niche_status === "indexed")).toHaveLength(50);
  });

  it("searches a new niche once, for one key, when many ask for it at once", async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(service, "free")));
    const search = fake.search;
    fake.search = async (niche) => {
      // Long enough for the other requests to arrive.
      await sleep(300);
      return search(niche);
    };
    const answers = await Promise.all(
      keys.map((key, round) =>
        discover(
          { ...service, db: round % 2 ? service.db : elsewhere.db },
          key,
          DiscoverQuery.parse({ niche: "chess" }),
        ),
      ),
    );
    fake.search = search;
    expect(searches).toEqual(["chess"]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const spent = await service.db.select().from(dailyAllowances).where(eq(dailyAllowances.kind, "new_niche"));
    expect(spent.map(({ used }) => used)).toEqual([1]);
  });

  it("searches a niche once when the search finds nothing", async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(service, "free")));
    const search = fake.search;
    fake.search = async (niche) => {
      searches.push(niche);
      return [];
    };
    const answers = await Promise.all(keys.flatMap((key) => [requestNiche(key, "chess"), requestNiche(key, "chess")]));
    fake.search = search;
    expect(searches).toEqual(["chess"]);
    for (const { body } of answers) expect(body).toMatchObject({ niche: "chess", creators: [] });
  });

  it("gives a search back when the platform has none left, and answers from the nearest niche", async () => {
    const key = await createKey(service, "pro");
    await requestNiche(key, "chess");
    failure = new PlatformError("quota_exhausted", "no searches left", 3600);
    for (let times = 0; times < 3; times++) {
      expect((await requestNiche(key, "chess openings")).body).toMatchObject({
        niche: "chess openings",
        related_niche: "chess",
        expected_at: "2026-03-10T13:30:00.000Z",
      });
      expect((await requestNiche(key, "beekeeping")).body).toMatchObject({
        niche_status: "queued",
        expected_at: "2026-03-10T13:30:00.000Z",
      });
    }
    failure = null;
    expect((await requestNiche(key, "beekeeping")).body).toMatchObject({ niche: "beekeeping" });
    expect(await service.db.$count(niches)).toBe(2);
  });

  it("charges a search that failed, since the platform counts it", async () => {
    const key = await createKey(service, "free");
    failure = new PlatformError("unavailable", "down");
    for (const niche of ["chess", "baking"]) expect((await requestNiche(key, niche)).status).toBe(503);
    failure = null;
    expect((await requestNiche(key, "guitar")).body).toMatchObject({ niche_status: "queued" });
    expect(searches).toHaveLength(2);
  });

  it("searches a niche again one minute after its search crashed", async () => {
    const key = await createKey(service, "free");
    const claimedUntil = toDate(Date.parse(TEST_START) + 60_000);
    await service.db.insert(niches).values({ niche: "chess", spelling: "chess", claimedUntil });
    service.clock.advance(60_000);
    expect((await requestNiche(key, "chess")).status).toBe(200);
    expect(searches).toEqual(["chess"]);
  });

  it("renews at most 30 niches a day, the most requested first", async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => createKey(service, "pro")));
    const requested = Array.from({ length: 50 }, (_, number) => `n${number}q`);
    const request = (key: TestKey, niche: string) => discover(service, key, DiscoverQuery.parse({ niche }));
    for (const [number, niche] of requested.entries()) await request(keys[number % 6] ?? fail(), niche);
    for (const key of keys) await request(key, "n49q");
    for (const key of keys.slice(0, 3)) await request(key, "n48q");
    service.clock.advance(DAY);
    const due = await listDueNiches(service);
    expect(due).toHaveLength(30);
    expect(due.slice(0, 2)).toEqual(["n49q", "n48q"]);
    searches = [];
    await Promise.all(requested.flatMap((niche) => [renewNiche(service, niche), renewNiche(service, niche)]));
    expect(searches).toHaveLength(30);
    expect(new Set(searches).size).toBe(30);
    expect(await listDueNiches(service)).toEqual([]);
    service.clock.advance(7 * DAY);
    expect(await listDueNiches(service)).toEqual([]);
  });

  it("gives a renewal back when the platform has no call left", async () => {
    await requestNiche(await createKey(service, "pro"), "chess");
    service.clock.advance(DAY);
    failure = new PlatformError("quota_exhausted", "no units left", 3600);
    await expect(renewNiche(service, "chess")).rejects.toMatchObject({ failure: "quota_exhausted" });
    const renewals = eq(dailyAllowances.kind, "renewal_search");
    expect((await service.db.select().from(dailyAllowances).where(renewals))[0]).toMatchObject({ used: 0 });
  });

  it("searches each niche once at most on requests of eight Pro keys at once for the same 15 niches", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => createKey(service, "pro")));
    const requested = Array.from({ length: 15 }, (_, number) => `topic${number}x`);
    const answers = await Promise.all(
      keys.map(async (key, round) => {
        const statuses: number[] = [];
        for (let at = 0; at < requested.length; at++)
          statuses.push((await requestNiche(key, requested[(at + round * 7) % requested.length] ?? fail())).status);
        return statuses;
      }),
    );
    expect(new Set(searches).size).toBe(searches.length);
    expect(answers.flat().filter((status) => status !== 200)).toEqual([]);
  });

  const fail = (): never => {
    throw new Error("there is no such key or niche");
  };
});
