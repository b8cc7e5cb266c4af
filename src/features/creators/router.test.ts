import { beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY, startOfDay, toDate, toUtcDay } from "@/core/time";
import { snapshots } from "@/db/schema";
import { recordSnapshots } from "@/features/growth/service";
import { getSampleChannelId } from "@/platform/sample";
import { appRouter } from "@/server/console/router";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";

const HANDLE = "@juniperfivecrits";
const CHANNEL = getSampleChannelId(HANDLE);
const NOT_FOUND = expect.objectContaining({ code: "NOT_FOUND" });

describe("console creators", () => {
  const service = useService();
  let key: TestKey;

  /** The procedures, signed in with the key. */
  const callAs = ({ id, tier }: TestKey) =>
    appRouter.createCaller({
      ...service,
      session: {
        caller: async () => ({
          id,
          tier,
          label: "Test",
          hint: "cg_…",
          stamp: "",
        }),
        open: async () => {},
        close: async () => {},
      },
      clientAddress: "192.0.2.1",
      mayPublish: true,
      requestId: "test",
    });

  /** The daily runs of the given days. */
  async function recordDays(...days: string[]): Promise<void> {
    for (const day of days) {
      service.clock.set(toDate(startOfDay(day).getTime() + DAY / 4));
      await recordSnapshots(service, day, "daily", (await service.platform.listChannels([CHANNEL])).channels);
    }
    service.clock.set(TEST_START);
  }

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    await service.db.delete(snapshots);
  });

  it("shows the same growth and score on the creator's page and in the table", async () => {
    const today = toUtcDay(toDate(TEST_START));
    await recordDays(addDays(today, -28), addDays(today, -7), addDays(today, -1), today);
    await callAs(key).creators.track({ channel_id: CHANNEL });
    const creator = await callAs(key).creators.get({ channel_id: CHANNEL });
    const { creators } = await callAs(key).creators.tracked({});
    const { trend, last_alert, ...listed } = creators[0] ?? {};
    expect(listed).toEqual(creator);
    const [stored] = await service.db.select().from(snapshots).orderBy(snapshots.day).offset(3);
    const [day, week, month] = creator.growth;
    expect([day?.days, week?.days, month?.days]).toEqual([1, 7, 28]);
    expect(day?.percent).toBe(creator.growth_1d_percent);
    expect(week?.percent).toBe(creator.growth_7d_percent);
    for (const window of creator.growth) {
      expect(window.subscribers_after).toBe(stored?.subscribers);
      expect(window.low).toBeLessThanOrEqual(window.percent ?? Number.NaN);
      expect(window.high).toBeGreaterThanOrEqual(window.percent ?? Number.NaN);
    }
    expect(creator.score_parts).toEqual(stored?.scoreParts);
  });

  it("returns neither growth nor score parts after the first snapshot", async () => {
    await callAs(key).creators.track({ channel_id: HANDLE });
    const { growth, score_parts, score_basis } = await callAs(key).creators.get({ channel_id: CHANNEL });
    expect(growth.map(({ percent, low, high }) => [percent, low, high])).toEqual(
      Array.from({ length: 3 }, () => [null, null, null]),
    );
    expect({ score_parts, score_basis }).toEqual({ score_parts: null, score_basis: "profile" });
  });

  it("answers not found for another key's creators as for those that do not exist", async () => {
    const other = await createKey(service);
    await callAs(other).creators.track({ channel_id: HANDLE });
    for (const channel_id of [CHANNEL, getSampleChannelId("@sprocketowl")])
      await expect(callAs(key).creators.get({ channel_id })).rejects.toEqual(NOT_FOUND);
    await expect(callAs(key).creators.get({ channel_id: "UC1" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    expect((await callAs(other).creators.get({ channel_id: CHANNEL })).channel_id).toBe(CHANNEL);
  });

  it("answers not found after the key untracks a creator", async () => {
    await callAs(key).creators.track({ channel_id: HANDLE });
    await callAs(key).creators.untrack({ channel_id: CHANNEL });
    await expect(callAs(key).creators.get({ channel_id: CHANNEL })).rejects.toEqual(NOT_FOUND);
  });

  it("compares only creators that the key tracks, each since the key tracks it", async () => {
    const today = toUtcDay(toDate(TEST_START));
    const [other, late] = [await createKey(service), getSampleChannelId("@sprocketowl")];
    await recordDays(addDays(today, -1), today);
    await callAs(key).creators.track({ channel_id: CHANNEL });
    await callAs(other).creators.track({ channel_id: late });
    const compared = [late, CHANNEL, CHANNEL, getSampleChannelId("@unknown.channel")];
    const shown = await callAs(key).creators.chart({ compared });
    expect(shown.compared.map(({ channel_id, handle }) => [channel_id, handle])).toEqual([[CHANNEL, HANDLE]]);
    expect(shown.compared[0]?.history).toEqual((await callAs(key).creators.history({ channel_id: CHANNEL })).history);
    expect(shown.compared[0]?.history.map(({ day }) => day)).toEqual([today]);
    expect((await callAs(other).creators.chart({ compared })).compared).toMatchObject([{ channel_id: late }]);
    await callAs(key).creators.untrack({ channel_id: CHANNEL });
    expect((await callAs(key).creators.chart({ compared })).compared).toEqual([]);
  });

  it("returns a creator's position in the table, with the creators before and after it", async () => {
    const other = await createKey(service);
    const handles = ["@sprocketowl", HANDLE, "@copperbyteretro"];
    for (const channel_id of handles) await callAs(key).creators.track({ channel_id });
    await callAs(other).creators.track({ channel_id: "@tavinorrbrink" });
    const { creators } = await callAs(key).creators.tracked({ sort: "name", descending: false });
    const [first, middle, last] = creators.map(({ channel_id, name }) => ({ channel_id, name }));
    const find = (channel_id = "", search = "") =>
      callAs(key).creators.neighbors({ channel_id, search, sort: "name", descending: false });
    expect(await find(first?.channel_id)).toEqual({ position: 1, total: 3, previous: null, next: middle });
    expect(await find(middle?.channel_id)).toEqual({ position: 2, total: 3, previous: first, next: last });
    expect(await find(middle?.channel_id, middle?.name)).toEqual({ position: 1, total: 1, previous: null, next: null });
    expect(await find(first?.channel_id, middle?.name)).toBeNull();
    expect(await find(getSampleChannelId("@tavinorrbrink"))).toBeNull();
  });

  it("accepts at most four creators to compare, given by their ids", async () => {
    for (const compared of [Array.from({ length: 5 }, () => CHANNEL), ["@juniperfivecrits"]])
      await expect(callAs(key).creators.chart({ compared })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("returns whether this key tracks each found creator, and its score parts", async () => {
    const today = toUtcDay(toDate(TEST_START));
    await recordDays(addDays(today, -7), today);
    await callAs(await createKey(service)).creators.track({ channel_id: HANDLE });
    const searchTracked = async () => {
      const { creators } = await callAs(key).discovery.discover({ niche: "gaming", limit: "50" });
      return creators.filter(({ is_tracked, score_parts }) => is_tracked || score_parts);
    };
    const [found, ...others] = await searchTracked();
    expect(found).toMatchObject({ channel_id: CHANNEL, is_tracked: false });
    expect(found?.score_parts?.growth_7d).toBeTypeOf("number");
    expect(others).toEqual([]);
    await callAs(key).creators.track({ channel_id: HANDLE });
    expect(await searchTracked()).toMatchObject([{ channel_id: CHANNEL, is_tracked: true }]);
  });
});
