import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { toDate, toUtcDay } from "@/core/time";
import {
  alerts,
  changes,
  channels,
  keyPositions,
  nicheChannels,
  niches,
  requestLog,
  trackedCreators,
} from "@/db/schema";
import { getFirstSteps } from "@/features/keys/service";
import { createChannelId } from "@/test/platform";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { TrackedQuery } from "./query.schema";
import { TRACKED_SORTS } from "./rules";
import { countTableTabs, getTableChoices, getTrackedTable } from "./table.service";

const [LOW, HIGH, NEW] = [createChannelId(1), createChannelId(2), createChannelId(3)];
const NOW = toDate(Date.parse(TEST_START));
const BASICS = { status: "active", readAt: NOW, lastSnapshotAt: NOW, scoreVersion: 1 } as const;

describe("table of tracked creators", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    await service.db.execute(sql`truncate channels, niches cascade`);
    key = await createKey(service);
    await service.db.insert(channels).values([
      { ...BASICS, ...build(LOW, "Low", 900, 20, 1), country: "DE" },
      { ...BASICS, ...build(HIGH, "High", 50_000, 80, 2), country: "GB" },
      { ...BASICS, ...build(NEW, "New", 2_000_000, 60, null), lastSnapshotAt: null, scoreBasis: "profile" },
    ]);
    const ids = [HIGH, LOW, NEW];
    await service.db
      .insert(trackedCreators)
      .values(ids.map((channelId, at) => ({ keyId: key.id, channelId, trackedSince: toDate(NOW.getTime() - at) })));
  });

  const build = (id: string, name: string, subscribers: number, score: number, growth: number | null) => ({
    id,
    name,
    subscribers,
    score,
    scoreBasis: "history" as const,
    growth1dPercent: growth,
    growth7dPercent: growth,
    growth28dPercent: growth,
    expected7d: growth === null ? null : { low: growth / 2, high: growth * 2 },
  });
  const list = async (query: Partial<TrackedQuery>) => {
    const { creators, ...counts } = await getTrackedTable(service, key.id, TrackedQuery.parse(query));
    return { ids: creators.map(({ channel_id }) => channel_id), ...counts };
  };

  it.each(TRACKED_SORTS)("sorts by %s both ways, with unmeasured creators last and counted", async (sort) => {
    const isByName = sort === "name";
    const { ids, waiting } = await list({ sort, descending: !isByName });
    expect(ids).toEqual([HIGH, LOW, NEW]);
    expect(waiting).toBe(1);
    expect((await list({ sort, descending: isByName })).ids).toEqual([LOW, HIGH, NEW]);
  });

  it("filters by country, size and niche, alone and together", async () => {
    await service.db.insert(niches).values({ niche: "gaming", spelling: "Gaming", refreshedAt: NOW });
    await service.db
      .insert(nicheChannels)
      .values([LOW, NEW].map((channelId) => ({ niche: "gaming", channelId, foundAt: NOW })));
    expect((await list({ country: "DE" })).ids).toEqual([LOW]);
    expect((await list({ size: 0 })).ids).toEqual([LOW]);
    expect((await list({ size: 10_000 })).ids).toEqual([HIGH]);
    expect((await list({ size: 1_000_000 })).ids).toEqual([NEW]);
    expect((await list({ niche: "gaming" })).ids).toEqual([LOW, NEW]);
    expect((await list({ niche: "gaming", country: "GB" })).ids).toEqual([]);
    expect(await getTableChoices(service, key.id)).toEqual({
      niches: [{ value: "gaming", label: "Gaming", creators: 2 }],
      countries: [
        { value: "DE", creators: 1 },
        { value: "GB", creators: 1 },
      ],
    });
  });

  it("shows the creators with an alert today, and those with news since the last visit, as the tabs count them", async () => {
    const day = toUtcDay(NOW);
    const counts = { subscribersBefore: 1000, subscribersAfter: 1300 };
    await service.db
      .insert(alerts)
      .values({ keyId: key.id, channelId: LOW, day, ...counts, severity: "SURGING", message: "", createdAt: NOW });
    await service.db.insert(keyPositions).values({ keyId: key.id, position: 3, purged: 0 });
    const at = toDate(NOW.getTime() - 1000);
    await service.db.insert(changes).values([
      { keyId: key.id, position: 1, kind: "unavailable", at, channelId: HIGH },
      { keyId: key.id, position: 2, kind: "tracked", at: NOW, channelId: NEW },
      { keyId: key.id, position: 3, kind: "renamed", at: NOW, channelId: LOW, name: "Low" },
    ]);
    expect((await list({ alert_day: day })).ids).toEqual([LOW]);
    expect((await list({ alert_day: "2026-03-09" })).ids).toEqual([]);
    const [before, between] = [toDate(at.getTime() - 1).toISOString(), at.toISOString()];
    expect((await list({ changed_since: before })).ids).toEqual([HIGH, LOW]);
    expect((await list({ changed_since: between })).ids).toEqual([LOW]);
    expect(await countTableTabs(service, key.id, { alert_day: day, changed_since: before })).toEqual({
      alerts: 1,
      changed: 2,
    });
    const other = await createKey(service);
    expect(await countTableTabs(service, other.id, { alert_day: day, changed_since: before })).toEqual({
      alerts: 0,
      changed: 0,
    });
  });
});

describe("steps of a new key", () => {
  const service = useService();

  it("tick the first request by a request of the API, not by what the console counts", async () => {
    const key = await createKey(service);
    await service.quota.take(key.id, 1);
    expect((await getFirstSteps(service, key.id)).made_request).toBe(false);
    const request = {
      requestId: "req",
      method: "GET",
      endpoint: "/api/track",
      path: "/api/track",
      query: "",
      status: 200,
      milliseconds: 1,
    };
    await service.db.insert(requestLog).values({ keyId: key.id, at: service.clock.now(), ...request });
    expect((await getFirstSteps(service, key.id)).made_request).toBe(true);
  });
});
