import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { toUtcDay } from "@/core/time";
import { channels, dailyAllowances, snapshots, trackedCreators } from "@/db/schema";
import { addToList, createList } from "@/features/lists/service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { PlatformError } from "@/platform/port";
import { installContext } from "@/server/context";
import { createChannelId, createFakePlatform, type FakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { trackCreator, trackUnread, untrackCreator } from "./service";

const ID = [0, 1, 2, 3, 4].map(createChannelId) as [string, string, string, string, string];
type Listed = { channel_id: string };

describe("lists of tracked creators", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    installContext(service);
    for (const table of [trackedCreators, snapshots, channels]) await service.db.delete(table);
    key = await createKey(service);
  });

  const get = async (search: string, { secret } = key) => (await send(`/api/track${search}`, { key: secret })).body;
  const listIds = async (search: string) =>
    (await get(search)).creators.map(({ channel_id }: Listed) => ID.indexOf(channel_id));
  const setChannel = (id: string, values: Partial<typeof channels.$inferInsert>) =>
    service.db.update(channels).set(values).where(eq(channels.id, id));

  /** Creators 0 to 3 with rising subscribers and falling scores; 4 is unread, and so unavailable. */
  async function trackFive(): Promise<void> {
    for (const id of ID) {
      service.clock.advance(1000);
      await trackUnread(service, key.id, [id]);
    }
    const names = ["delta", "Charlie", "bravo", "Alpha"];
    const lastSnapshotAt = service.clock.now();
    for (const [at, name] of names.entries()) {
      const growth = { growth1dPercent: at, growth7dPercent: 10 * at, scoreBasis: "history" as const };
      const counts = {
        status: "active" as const,
        subscribers: 1000 * (at + 1),
        score: 90 - 25 * at,
        readAt: lastSnapshotAt,
        lastSnapshotAt,
      };
      await setChannel(ID[at] ?? "", { name, ...growth, ...counts });
    }
  }

  describe("sort and filters", () => {
    beforeEach(trackFive);

    it.each([
      ["", [4, 3, 2, 1, 0]],
      ["?sort=tracked_since", [0, 1, 2, 3, 4]],
      ["?sort=subscribers", [0, 1, 2, 3, 4]],
      ["?sort=-subscribers", [3, 2, 1, 0, 4]],
      ["?sort=-score", [0, 1, 2, 3, 4]],
      ["?sort=score", [3, 2, 1, 0, 4]],
      ["?sort=-growth_1d", [3, 2, 1, 0, 4]],
      ["?sort=growth_7d", [0, 1, 2, 3, 4]],
      ["?sort=name&limit=2&offset=1", [2, 1]],
      ["?level=HIGH_GROWTH", [0]],
      ["?level=STABLE&sort=tracked_since", [3, 4]],
      ["?level=RISING", [1]],
      ["?status=unavailable", [4]],
    ])("answers GET /api/track%s in the order %j", async (search, expected) => {
      expect(await listIds(search)).toEqual(expected);
    });

    it("filters by status, and by the name of a list in any case", async () => {
      await setChannel(ID[2], { status: "unavailable" });
      expect(await listIds("?status=unavailable")).toEqual([4, 2]);
      const { id } = await createList(service, key.id, "To call");
      await addToList(service, key.id, id, [ID[1], ID[3]]);
      expect(await listIds("?list=to%20CALL&sort=name")).toEqual([3, 1]);
      expect((await get("?list=To%20call&level=RISING")).pagination).toMatchObject({ total: 1, has_more: false });
    });

    it("finds the list of another key as little as one that does not exist", async () => {
      const other = await createKey(service);
      await createList(service, other.id, "Theirs");
      for (const list of ["Theirs", "None"])
        expect(await get(`?list=${list}`)).toEqual({
          error: "Your key has no list with this name",
          code: "list_not_found",
        });
    });

    it.each([
      "list=%00",
      "list=",
      "sort=-rank",
      "level=HIGH",
      "status=gone",
      "after=x",
      "after=&offset=0",
      "after=&sort=name",
    ])("refuses %s", async (search) => {
      expect((await send(`/api/track?${search}`, { key: key.secret })).status).toBe(400);
    });
  });

  describe("reading with after", () => {
    it("reads each creator once in the order of ids, with what is left as the total", async () => {
      await trackFive();
      const seen: string[] = [];
      const totals: number[] = [];
      for (let after = "", more = true; more; ) {
        const { creators, next_after, pagination } = await get(`?limit=2&after=${after}`);
        seen.push(...creators.map(({ channel_id }: Listed) => channel_id));
        totals.push(pagination.total);
        [after, more] = [next_after, pagination.has_more];
      }
      expect(seen).toEqual(ID);
      expect(totals).toEqual([5, 3, 1]);
      expect(await get(`?after=${ID[4]}`)).toMatchObject({ creators: [], next_after: ID[4], pagination: { total: 0 } });
      expect((await get("")).next_after).toBeNull();
    });

    it("misses none that stays tracked when others are tracked and untracked meanwhile, also its own cursor", async () => {
      await trackUnread(service, key.id, [ID[0], ID[1], ID[3], ID[4]]);
      const first = await get("?limit=2&after=");
      for (const id of [ID[0], ID[1]]) await untrackCreator(service, key.id, id);
      await trackUnread(service, key.id, [ID[2]]);
      const second = await get(`?after=${first.next_after}`);
      expect(second.creators.map(({ channel_id }: Listed) => channel_id)).toEqual([ID[2], ID[3], ID[4]]);
    });

    it("filters, and shows no creator of another key", async () => {
      await trackFive();
      const other = await createKey(service);
      expect(await get("?after=", other)).toMatchObject({ creators: [], next_after: "" });
      expect(await listIds("?after=&level=STABLE")).toEqual([3, 4]);
    });
  });
});

describe("GET /api/creators/{channel_id}", () => {
  let platform: FakePlatform;
  const service = useService({
    platform: (clock) => {
      platform = createFakePlatform(clock);
      return platform;
    },
  });
  let key: TestKey;
  let today: string;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    installContext(service);
    for (const table of [trackedCreators, snapshots, channels, dailyAllowances]) await service.db.delete(table);
    key = await createKey(service);
    today = toUtcDay(service.clock.now());
    platform.show(ID[0], today, 1000);
    platform.failures = [];
  });

  const get = (name: string, { secret } = key) => send(`/api/creators/${encodeURIComponent(name)}`, { key: secret });
  const countLookups = async () => {
    const [row] = await service.db.select().from(dailyAllowances).where(eq(dailyAllowances.scope, key.id));
    return row?.used ?? 0;
  };
  const useUpLookups = () => {
    const used = TIER_RULES.free.lookupsPerDay;
    return service.db
      .insert(dailyAllowances)
      .values({ scope: key.id, keyId: key.id, kind: "lookup", day: today, used });
  };

  it("reads a creator with one look-up, tracks nothing, and then answers from what is stored for a day", async () => {
    const { status, body } = await get(ID[0]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      creator: { channel_id: ID[0], subscribers: 1000, score_basis: "profile", growth_7d_percent: null },
      is_tracked: false,
      counts_day: today,
    });
    expect(await service.db.$count(trackedCreators)).toBe(0);
    await get(`https://www.youtube.com/channel/${ID[0]}`);
    expect(await countLookups()).toBe(1);
    expect((await send("/api/usage", { key: key.secret })).body.requests_today).toBe(3);
    service.clock.set("2026-03-11T12:00:01.000Z");
    await get(ID[0]);
    const used = await service.db.select({ used: dailyAllowances.used }).from(dailyAllowances);
    expect(used).toEqual([{ used: 1 }, { used: 1 }]);
  });

  it("says whether this key tracks it, whatever other keys do", async () => {
    const other = await createKey(service);
    await trackCreator(service, other.id, { kind: "id", id: ID[0] });
    expect((await get(ID[0])).body.is_tracked).toBe(false);
    expect((await get(ID[0], other)).body.is_tracked).toBe(true);
    expect(await countLookups()).toBe(0);
  });

  it("answers with what is stored when no look-up is left or the platform fails, and 400 or 503 without", async () => {
    await get(ID[0]);
    service.clock.set("2026-03-11T12:00:01.000Z");
    platform.failures = [new PlatformError("rate_limited", "too fast", 20)];
    expect((await get(ID[0])).body).toMatchObject({ counts_day: today, creator: { subscribers: 1000 } });
    platform.failures = [new PlatformError("rate_limited", "too fast", 20)];
    expect((await get(ID[1])).status).toBe(503);
    service.clock.set(TEST_START);
    await service.db.delete(dailyAllowances);
    await useUpLookups();
    const refused = await get(ID[1]);
    expect(refused.status).toBe(400);
    expect(refused.body.issues[0].message).toContain("100 look-ups");
  });

  it("returns 404 for a channel that the platform does not show, and for a text that is none", async () => {
    for (const name of [ID[2], "nothing", "@nobody.here"]) expect((await get(name)).status).toBe(404);
  });
});
