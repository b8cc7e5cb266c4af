import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDays, systemClock, toUtcDay } from "@/core/time";
import { dailyAllowances, nicheChannels, niches } from "@/db/schema";
import { trackUnread } from "@/features/creators/service";
import { createChannelId } from "@/test/platform";
import { send } from "@/test/request";
import { isDayNearlyOver, startSnapshotCommand } from "@/test/sample-day";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { createError, ERRORS } from "@/test/youtube-answers";
import { startYoutubeServer, type YoutubeServer } from "@/test/youtube-server";

const ID = createChannelId(1);

describe("service with YOUTUBE_API_KEY set", () => {
  let server: YoutubeServer;
  beforeAll(async () => {
    server = await startYoutubeServer();
  });
  const createVariables = () => ({
    YOUTUBE_API_KEY: server.apiKey,
    YOUTUBE_API_URL: `${server.url}/`,
    YOUTUBE_DAILY_UNITS: "500",
  });
  const service = useService({ variables: createVariables });
  afterAll(() => server.stop());
  let key: TestKey;

  beforeEach(async () => {
    server.reset();
    service.clock.set(TEST_START);
    for (const table of [dailyAllowances, nicheChannels, niches]) await service.db.delete(table);
    key = await createKey(service);
  });

  const track = (channel_id: string) => send("/api/track", { key: key.secret, method: "POST", body: { channel_id } });

  it("does not call its statistics sample data", async () => {
    expect((await send("/api/health")).body).toMatchObject({ sample_data: false });
  });

  it("reports in health the units spent of each bucket, and when they reset", async () => {
    server.publish({ channelId: ID, title: "Chess", publishedAt: "2026-03-01T00:00:00Z" });
    server.show(ID, { name: "Chess for all" });
    const { body } = await send("/api/discover?niche=Chess", { key: key.secret });
    expect(body.creators).toMatchObject([{ channel_id: ID, name: "Chess for all", subscribers: 1000 }]);
    const resets_at = "2026-03-11T07:00:00.000Z";
    expect((await send("/api/health")).body.platform_units).toEqual([
      { bucket: "search", used: 1, limit: 100, exhausted: false, resets_at },
      { bucket: "general", used: 1, limit: 500, exhausted: false, resets_at },
    ]);
  });

  it.each([
    ID,
    "@Some.Maker",
    `https://www.youtube.com/channel/${ID}`,
    `m.youtube.com/channel/${ID}/videos`,
    `https://music.youtube.com/channel/${ID}`,
    "https://www.youtube.com/@some.maker/shorts?si=x",
    "http://youtube.com/user/OldMaker9",
  ])("tracks a creator by %s", async (name) => {
    server.show(ID, { handle: "@some.maker", username: "OldMaker9" });
    const { status, body } = await track(name);
    expect([status, body.creator?.channel_id]).toEqual([200, ID]);
    expect(server.calls).toHaveLength(1);
  });

  it.each(["@nobody", createChannelId(404), "youtube.com/user/nobody", "youtube.com/channel/@nobody"])(
    "answers 404 when YouTube has no channel %s",
    async (name) => {
      expect((await track(name)).status).toBe(404);
    },
  );

  it("answers 503 with the wait and without internals when YouTube refuses", async () => {
    server.faults.push(ERRORS.quotaExceeded);
    const refused = await track(ID);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, String(19 * 3600)]);
    expect(Object.keys(refused.body)).toEqual(["error", "code"]);
    expect(refused.body.error).toBe("YouTube's daily quota is used up. Try again after 07:00 UTC.");
  });

  it("reserves the daily run's units, and answers other requests with 503 or a queue", async () => {
    server.show(ID);
    const title = "Chess openings and checkers";
    server.publish({ channelId: createChannelId(2), title, publishedAt: "2026-03-01T00:00:00Z" });
    await trackUnread(service, key.id, [ID, createChannelId(2)]);
    // A call for both is due at 06:00 UTC, before the platform's next day begins.
    await service.db
      .insert(dailyAllowances)
      .values({ scope: "service", kind: "general_units", day: "2026-03-10", used: 499 });
    const before = server.calls.length;
    for (const name of [ID, "@some.maker"]) {
      const refused = await track(name);
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, String(19 * 3600)]);
    }
    for (const niche of ["chess", "checkers"]) {
      const queued = await send(`/api/discover?niche=${encodeURIComponent(niche)}`, { key: key.secret });
      expect([queued.status, queued.body.expected_at]).toEqual([200, "2026-03-11T07:30:00.000Z"]);
    }
    expect(server.calls.slice(before)).toEqual([]);
    expect((await service.platform.listChannels([ID])).channels).toHaveLength(1);
  });

  it("keeps the key out of everything that a command prints or logs", async () => {
    if (isDayNearlyOver()) return;
    const today = toUtcDay(systemClock.now());
    service.clock.set(`${addDays(today, -1)}T12:00:00Z`);
    await trackUnread(service, key.id, [createChannelId(1), createChannelId(2)]);
    server.show(createChannelId(1));
    const suspended = `Consumer 'api_key:${server.apiKey}' has been suspended.`;
    server.faults.push(createError(503, "backendError", suspended), "cut", null);
    const command = startSnapshotCommand(service, { ...createVariables(), LOG_LEVEL: "debug" });
    const { code, stdout, stderr } = await command.ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ day: today, planned: 2, read: 1, unavailable: 1 });
    expect(server.calls).toHaveLength(3);
    expect(stdout + stderr).not.toContain(server.apiKey);
  });
});

describe("YouTube test server", () => {
  it("shows what a test configures, and counts calls with their status", async () => {
    const server = await startYoutubeServer({ apiKey: "key" });
    server.show(ID, { subscribers: 1234 });
    const read = async (query: string) => {
      const response = await fetch(`${server.url}/channels?key=key&${query}`);
      return { status: response.status, body: await response.json() };
    };
    const { body } = await read(`part=statistics&id=${ID}`);
    expect(body.items).toMatchObject([{ id: ID, statistics: { subscriberCount: "1230" } }]);
    server.faults.push(ERRORS.backend);
    expect((await read(`part=statistics&id=${ID}`)).status).toBe(503);
    server.hide(ID);
    expect(server.calls.map(({ path, status }) => [path, status])).toEqual([
      ["channels", 200],
      ["channels", 503],
    ]);
    expect((await read(`part=statistics&id=${ID}`)).body).not.toHaveProperty("items");
    await server.stop();
  });

  it("behaves as documented for malformed calls", async () => {
    const server = await startYoutubeServer({ apiKey: "key" });
    const ids = Array.from({ length: 51 }, (_, number) => createChannelId(number));
    for (const id of ids) server.show(id);
    const requestChannels = async (query: string, apiKey = "key") => {
      const headers = { "X-Goog-Api-Key": apiKey };
      const response = await fetch(`${server.url}/${query}`, { headers });
      const body = await response.json();
      return [response.status, body.error?.errors[0].reason ?? body.items?.length ?? 0, body.nextPageToken];
    };
    expect(await requestChannels("channels?part=id&id=a", "")).toEqual([403, "forbidden", undefined]);
    expect(await requestChannels("channels?part=id&id=a", "other")).toEqual([400, "badRequest", undefined]);
    expect(await requestChannels("channels?id=a")).toEqual([400, "missingRequiredParameter", undefined]);
    expect(await requestChannels("channels?part=id,nothing&id=a")).toEqual([400, "unknownPart", undefined]);
    expect(await requestChannels("channels?part=id")).toEqual([400, "missingRequiredParameter", undefined]);
    expect(await requestChannels("channels?part=id&id=a&forHandle=b")).toEqual([
      400,
      "incompatibleParameters",
      undefined,
    ]);
    expect(await requestChannels(`channels?part=id&id=${ids}`)).toEqual([400, "invalidFilters", undefined]);
    const seven = ids.slice(0, 7).map((id) => `id=${id}`);
    expect(await requestChannels(`channels?part=id&${seven.join("&")}`)).toEqual([200, 5, "page5"]);
    expect(await requestChannels(`channels?part=id&${seven.join("&")}&pageToken=page5`)).toEqual([200, 2, undefined]);
    expect(await requestChannels(`channels?part=id&${seven.join("&")}&pageToken=x`)).toEqual([
      400,
      "invalidPageToken",
      undefined,
    ]);
    await server.stop();
  });
});
