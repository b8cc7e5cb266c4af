import { ApiError, createGrowthClient } from "../../src/client/client";
import { expect, requireValue, test } from "../fixtures";
import { getBaseUrl, PORT } from "../product";

test.describe("typed client", () => {
  test("serves each package version at one fixed address", async () => {
    const latest = await fetch(`${getBaseUrl(PORT)}/client.tgz`, { redirect: "manual" });
    expect([latest.status, latest.headers.get("cache-control")]).toEqual([307, "no-store"]);
    const location = requireValue(latest.headers.get("location"));
    expect(location).toMatch(/^\/client-\d+\.\d+\.\d+\.tgz$/);
    const { status, headers, body } = await fetch(`${getBaseUrl(PORT)}${location}`);
    await body?.cancel();
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "application/gzip",
      "public, max-age=31536000, immutable",
    ]);
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("etag")).toMatch(/^(W\/)?".+"$/);
    const missing = await fetch(`${getBaseUrl(PORT)}/client-999.0.0.tgz`);
    expect([missing.status, missing.headers.get("cache-control")]).toEqual([404, expect.stringContaining("no-store")]);
  });

  test("discovers, tracks, lists and untracks", async ({ api }) => {
    const { growth } = api;
    const { creators } = await growth.discover({ niche: "gaming", limit: 3 });
    expect(creators).toHaveLength(3);
    for (const { channel_id } of creators) await growth.track(channel_id);
    const tracked: string[] = [];
    for await (const { channel_id } of growth.trackedCreators()) tracked.push(channel_id);
    expect(tracked.sort()).toEqual(creators.map(({ channel_id }) => channel_id).sort());
    const first = requireValue(creators[0]).channel_id;
    expect((await growth.history(first)).history).toHaveLength(1);
    await growth.untrack(first);
    expect((await growth.usage()).creators_tracked).toBe(2);
  });

  test("throws one error class with status, request id and body", async ({ api }) => {
    const failure = await api.growth.track("nonsense").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      status: 400,
      requestId: expect.stringMatching(/^req_/),
      body: { issues: [{ field: "channel_id" }] },
    });
    const wrong = createGrowthClient({ baseUrl: getBaseUrl(PORT), apiKey: "cg_wrong" });
    await expect(wrong.usage()).rejects.toMatchObject({ status: 401, message: "Invalid API key" });
  });

  test("does not wait for midnight unless configured", async ({ api }) => {
    for (let number = 0; number < 50; number++) await api.growth.usage();
    await expect(api.growth.usage()).rejects.toMatchObject({ status: 429, body: { used: 50, tier: "free" } });
  });
});
