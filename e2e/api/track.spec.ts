import type { Creator } from "../client";
import {
  createClientWithKey,
  expect,
  expectError,
  expectInvalid,
  type KeyClient,
  requireValue,
  test,
} from "../fixtures";
import { CREATOR_FIELDS } from "./creator-fields";

const SAMPLE = "@juniperfivecrits";
const UNKNOWN_ID = "UCaaaaaaaaaaaaaaaaaaaaaa";

async function track(client: KeyClient, channel_id: string): Promise<Creator> {
  const { status, text, body } = await client.post("/api/track", { channel_id });
  expect(status, text).toBe(200);
  return requireValue(body.creator);
}

/** Tracks creators of a niche. @returns their ids, first tracked first */
async function trackMany(client: KeyClient, count: number): Promise<string[]> {
  const { body } = await client.get(`/api/discover?niche=cooking&limit=${count}`);
  const ids = requireValue(body.creators).map(({ channel_id }) => channel_id);
  expect(ids).toHaveLength(count);
  for (const id of ids) await track(client, id);
  return ids;
}

async function listTrackedIds(client: KeyClient, query = ""): Promise<string[]> {
  const { status, body } = await client.get(`/api/track${query}`);
  expect(status).toBe(200);
  return requireValue(body.creators).map(({ channel_id }) => channel_id);
}

test.describe("POST /api/track", () => {
  test("tracks a creator, takes a first snapshot immediately and returns the creator", async ({ api }) => {
    const before = new Date().toISOString();
    const { status, body } = await api.post("/api/track", { channel_id: SAMPLE });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["creator", "message", "status"]);
    expect(body).toMatchObject({ status: "ok", message: expect.stringContaining("Juniper Fivecrits") });
    const creator = requireValue(body.creator);
    expect(Object.keys(creator).sort()).toEqual([...CREATOR_FIELDS, "last_snapshot_at", "tracked_since"].sort());
    expect(creator).toMatchObject({ name: "Juniper Fivecrits", handle: SAMPLE, status: "active" });
    expect(creator.url).toBe(`https://www.youtube.com/channel/${creator.channel_id}`);
    expect(creator.tracked_since).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(creator.last_snapshot_at).toBeNull();
    expect(requireValue(creator.tracked_since) >= before).toBe(true);
    expect(await listTrackedIds(api)).toEqual([creator.channel_id]);
  });

  test("changes nothing when the creator is already tracked", async ({ api }) => {
    const first = await track(api, SAMPLE);
    const second = await track(api, first.channel_id);
    expect([second.channel_id, second.tracked_since]).toEqual([first.channel_id, first.tracked_since]);
    expect(await listTrackedIds(api)).toEqual([first.channel_id]);
    expect((await api.get("/api/usage")).body).toMatchObject({ creators_tracked: 1 });
  });

  test("tracks a creator once for twenty concurrent requests", async ({ api }) => {
    const tracked = await Promise.all(Array.from({ length: 20 }, () => track(api, SAMPLE)));
    expect(new Set(tracked.map(({ tracked_since }) => tracked_since)).size).toBe(1);
    expect(await listTrackedIds(api)).toHaveLength(1);
  });

  test("accepts an id, a handle or a channel URL for the same channel", async ({ api }) => {
    const { channel_id: id } = await track(api, SAMPLE);
    const forms = [
      id,
      `  ${id} `,
      "@JuniperFiveCrits",
      `https://www.youtube.com/channel/${id}`,
      `https://youtube.com/channel/${id}/videos?view=0#top`,
      `https://www.youtube.com/${SAMPLE}`,
      `http://m.youtube.com/${SAMPLE}/`,
      `youtube.com/${SAMPLE}`,
      `www.youtube.com/${SAMPLE}/shorts`,
      `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`,
      `https://www.youtube.com/user/${SAMPLE.slice(1)}`,
    ];
    for (const form of forms) expect((await track(api, form)).channel_id, form).toBe(id);
    expect(await listTrackedIds(api)).toEqual([id]);
  });

  test("tracks by a custom URL only when the client accepts a guess", async ({ api }) => {
    const channel_id = `https://www.youtube.com/c/${SAMPLE.slice(1)}`;
    const guess = { resolved_from: channel_id, certain: false };
    const refused = await api.post("/api/track", { channel_id });
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ ...guess, resolved_to: SAMPLE })]);
    expect(await listTrackedIds(api)).toEqual([]);
    const tracked = await api.post("/api/track", { channel_id, accept_guess: true });
    expect([tracked.status, tracked.body]).toEqual([200, expect.objectContaining(guess)]);
    expect(await listTrackedIds(api)).toHaveLength(1);
  });

  test("returns names in any script unchanged", async ({ api }) => {
    const { body } = await api.get("/api/discover?niche=gaming&limit=50");
    const given = requireValue(body.creators?.find(({ handle }) => handle === "@yofukashi-koubou"));
    expect(await track(api, "@yofukashi-koubou")).toMatchObject({ name: given.name, country: "JP" });
  });

  test("returns null for a hidden count", async ({ api }) => {
    const creator = await track(api, "@unlistedraccoon");
    expect(creator).toMatchObject({ counts: "hidden", score: null, alert_level: "STABLE" });
    expect(creator).toMatchObject({ subscribers: null, growth_1d_percent: null, growth_7d_percent: null });
    const { body } = await api.get(`/api/track/${creator.channel_id}/history`);
    expect(body.history).toMatchObject([{ subscribers: null }]);
  });

  for (const channel_id of [UNKNOWN_ID, "@nobody_has_this_handle", `https://www.youtube.com/channel/${UNKNOWN_ID}`])
    test(`returns 404 for the unknown channel ${channel_id}`, async ({ api }) => {
      expectError(await api.post("/api/track", { channel_id }), 404);
      expect(await listTrackedIds(api)).toEqual([]);
    });

  for (const channel_id of [
    "https://vimeo.com/@juniperfivecrits",
    "https://youtube.com.evil.example/@juniperfivecrits",
    "https://evil.example/youtube.com/@juniperfivecrits",
    "https://evil.example/?u=https://www.youtube.com/@juniperfivecrits",
    "https://evil.example#www.youtube.com/@juniperfivecrits",
    "https://www.youtube.com@evil.example/@juniperfivecrits",
    "https://user:pass@www.youtube.com/@juniperfivecrits",
    "https://www.youtube.com:8443/@juniperfivecrits",
    "ftp://www.youtube.com/@juniperfivecrits",
    "javascript:alert(1)//www.youtube.com/@juniperfivecrits",
  ])
    test(`refuses a URL of another site with 400 that names channel_id: ${channel_id}`, async ({ pro }) => {
      expectInvalid(await pro.post("/api/track", { channel_id }), "channel_id");
    });

  for (const channel_id of [
    "",
    " ",
    "juniperfivecrits",
    "@",
    "@ab",
    `@${"a".repeat(31)}`,
    "@a/b/c",
    "UC",
    UNKNOWN_ID.slice(0, -1),
    `${UNKNOWN_ID}a`,
    `uc${UNKNOWN_ID.slice(2)}`,
    "UCaaaaaaaaaaaaaaaaaaaa/a",
    "https://www.youtube.com/",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://www.youtube.com/channel/short",
    "https://www.youtube.com/%E0%A4%A",
    "@abc\u0000def",
    "UCaaaaaaaaaaaaaaaaaaaaa\u0000",
    "x".repeat(5000),
    null,
    5,
    true,
    [SAMPLE],
    { id: SAMPLE },
    undefined,
  ])
    test(`refuses other forms with 400 that names channel_id: ${JSON.stringify(channel_id)?.slice(0, 45)}`, async ({
      pro,
    }) => {
      expectInvalid(await pro.post("/api/track", { channel_id }), "channel_id");
    });
});

test.describe("POST /api/track with channel_ids", () => {
  test("tracks a list with one request, in the given order, with an error at the index of each failure", async ({
    api,
  }) => {
    const channel_ids = ["@sprocketowl", "https://vimeo.com/x", UNKNOWN_ID, `youtube.com/${SAMPLE}`, SAMPLE];
    const { status, body } = await api.post("/api/track", { channel_ids });
    expect([status, body.message]).toEqual([200, "Now tracking 2 creators: 2 new, 1 not found, 1 not a channel"]);
    const error = expect.stringMatching(/\S+ \S+/);
    const sample = { creator: expect.objectContaining({ handle: SAMPLE }) };
    const owl = { creator: expect.objectContaining({ handle: "@sprocketowl" }) };
    const outcomes = [owl, { code: "not_a_channel", error }, { code: "not_found", error }, sample, sample];
    expect(body.results).toEqual(outcomes.map((outcome, index) => ({ input: channel_ids[index], ...outcome })));
    expect(await listTrackedIds(api)).toHaveLength(2);
    expect((await api.get("/api/usage")).body).toMatchObject({ requests_today: 3, creators_tracked: 2 });
  });

  test("refuses both fields, or anything but a list of 1 to 50 strings, with 400", async ({ pro }) => {
    expectInvalid(await pro.post("/api/track", { channel_id: SAMPLE, channel_ids: [SAMPLE] }), "channel_id");
    for (const channel_ids of [[], SAMPLE, Array.from({ length: 51 }, () => SAMPLE)])
      expectInvalid(await pro.post("/api/track", { channel_ids }), "channel_ids");
    expectInvalid(await pro.post("/api/track", { channel_ids: [SAMPLE, 5] }), "channel_ids.1");
  });
});

test.describe("GET /api/track", () => {
  test("returns an empty list for a key that tracks no creators", async ({ api }) => {
    const pagination = { total: 0, offset: 0, limit: 20, has_more: false };
    expect((await api.get("/api/track")).body).toEqual({ status: "ok", pagination, creators: [], next_after: null });
  });

  test("paginates by offset and limit, latest tracked first, with has_more", async ({ api }) => {
    const latestFirst = (await trackMany(api, 7)).reverse();
    expect(await listTrackedIds(api)).toEqual(latestFirst);
    for (const [offset, has_more] of [
      [0, true],
      [3, true],
      [4, false],
      [6, false],
      [7, false],
    ] as const) {
      const { body } = await api.get(`/api/track?offset=${offset}&limit=3`);
      expect(body.pagination).toEqual({ total: 7, offset, limit: 3, has_more });
      expect(body.creators?.map(({ channel_id }) => channel_id)).toEqual(latestFirst.slice(offset, offset + 3));
    }
    expect(await listTrackedIds(api, "?offset=2147483647")).toEqual([]);
  });

  test("applies the bounds of GET /api/alerts to offset and limit", async ({ pro }) => {
    for (const limit of ["0", "101", "5.0", "1e1", "", "%00"])
      expectInvalid(await pro.get(`/api/track?limit=${limit}`), "limit");
    for (const offset of ["-1", "2147483648", "x", "%00"])
      expectInvalid(await pro.get(`/api/track?offset=${offset}`), "offset");
    expectInvalid(await pro.get("/api/track?offset=0&offset=0"), "offset");
    expect((await pro.get("/api/track?limit=100")).body.pagination?.limit).toBe(100);
  });
});

test.describe("GET and DELETE /api/track/{channel_id} and its history", () => {
  test("accept an id, a handle in any case, and an encoded channel URL", async ({ api }) => {
    const { channel_id, ...creator } = await track(api, SAMPLE);
    const names = [channel_id, "@JuniperFiveCrits", `https://www.youtube.com/channel/${channel_id}/videos`];
    for (const name of names) {
      const path = `/api/track/${encodeURIComponent(name)}`;
      // Each round tracks it again.
      const tracked_since = expect.any(String);
      expect((await api.get(path)).body, name).toEqual({
        status: "ok",
        creator: { channel_id, ...creator, tracked_since },
      });
      expect((await api.get(`${path}/history`)).body, name).toMatchObject({ channel_id });
      expect((await api.delete(path)).body, name).toMatchObject({ status: "ok", channel_id });
      expectError(await api.get(path), 404);
      await track(api, SAMPLE);
    }
  });

  test("DELETE untracks the creator, then returns 404", async ({ api }) => {
    const [first = "", second = ""] = await trackMany(api, 2);
    const { status, body } = await api.delete(`/api/track/${first}`);
    expect([status, body.status]).toEqual([200, "ok"]);
    expect(await listTrackedIds(api)).toEqual([second]);
    expectError(await api.delete(`/api/track/${first}`), 404);
    expectError(await api.get(`/api/track/${first}/history`), 404);
  });

  test("POST tracks a creator again after DELETE", async ({ api }) => {
    const first = await track(api, SAMPLE);
    await api.delete(`/api/track/${first.channel_id}`);
    const second = await track(api, SAMPLE);
    expect(requireValue(second.tracked_since) > requireValue(first.tracked_since)).toBe(true);
  });

  test("history returns the key's daily snapshots, with today's as taken when tracking started", async ({ api }) => {
    // Not tracked by other specs: a day keeps its first snapshot.
    const { channel_id, subscribers, views, videos, tracked_since } = await track(api, "@grammargreenhouse");
    const { status, body } = await api.get(`/api/track/${channel_id}/history`);
    expect(status).toBe(200);
    const day = requireValue(tracked_since).slice(0, 10);
    expect(body).toEqual({ status: "ok", channel_id, history: [{ day, subscribers, views, videos }] });
  });

  test("return the same 404 for another key's creators as for missing ones", async ({ api }) => {
    const other = await createClientWithKey("free");
    const { channel_id } = await track(other, SAMPLE);
    for (const [method, rest] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/history"],
    ] as const) {
      const foreign = await api.call(method, `/api/track/${channel_id}${rest}`);
      const missing = await api.call(method, `/api/track/${UNKNOWN_ID}${rest}`);
      expectError(foreign, 404);
      expect(foreign.body).toEqual(missing.body);
    }
    expect(await listTrackedIds(other)).toEqual([channel_id]);
  });

  for (const id of ["x", "%00", `${UNKNOWN_ID}%00`, "a%2Fb", "%F0%9F%8E%AE", "x".repeat(2000)])
    test(`return 404 for the impossible id ${id.slice(0, 30)}`, async ({ pro }) => {
      expectError(await pro.delete(`/api/track/${id}`), 404);
      expectError(await pro.get(`/api/track/${id}/history`), 404);
    });
});
