import { startYoutubeServer } from "@/test/youtube-server";
import { anonymous, expect, test } from "../fixtures";
import { getBaseUrl, isOnStandIns, PORT } from "../product";

const MAKER = "UCtest000000000000000007";
const LARGE = "UCtest000000000000000008";

test("all data comes from the YouTube Data API when YOUTUBE_API_KEY is set", async ({ site }) => {
  const server = await startYoutubeServer();
  server.show(MAKER, { name: "Some Maker", handle: "@some.maker", subscribers: 12_345, country: "PT" });
  server.show(LARGE, { name: "Large", hidden: true });
  for (const channelId of [LARGE, MAKER, LARGE])
    server.publish({
      channelId,
      title: "Wood turning",
      publishedAt: new Date().toISOString().slice(0, 19).concat("Z"),
    });
  const product = await site.start({ YOUTUBE_API_KEY: server.apiKey, YOUTUBE_API_URL: server.url });
  const client = await site.newClient("free");
  const { countAnswered } = server;
  // The first start searches niches of the map, and so does each hour.
  await expect.poll(() => countAnswered("search")).toBeGreaterThanOrEqual(10);

  await test.step("discovery finds the channels behind recent videos", async () => {
    const { body } = await client.get("/api/discover?niche=wood%20turning");
    expect(body.creators).toHaveLength(2);
    expect(body.creators).toContainEqual(
      expect.objectContaining({
        channel_id: MAKER,
        subscribers: 12_300,
        country: "PT",
        handle: "@some.maker",
      }),
    );
    expect(body.creators).toContainEqual(expect.objectContaining({ channel_id: LARGE, subscribers: null }));
  });

  await test.step("a creator is tracked by handle, and a missing one is refused", async () => {
    const tracked = await client.post("/api/track", { channel_id: "https://www.youtube.com/@some.maker" });
    expect(tracked.body.creator).toMatchObject({ channel_id: MAKER, subscribers: 12_300 });
    expect((await client.post("/api/track", { channel_id: "@nobody" })).status).toBe(404);
  });

  await test.step("health counts the YouTube units used, and nothing is called sample data", async () => {
    const { body } = await client.get("/api/health");
    expect(body).toMatchObject({
      sample_data: false,
      platform_units: [
        { bucket: "search", used: countAnswered("search"), limit: 100 },
        { bucket: "general", used: countAnswered("channels"), limit: 10_000 },
      ],
    });
    expect(server.calls.filter(({ params }) => params.q === "wood turning")).toHaveLength(1);
    expect(countAnswered("channels")).toBe(3);
    const home = await (await fetch(getBaseUrl(site.port))).text();
    expect(home).not.toContain("creators and counts are sample data");
  });

  await test.step("a refused YouTube key is 503 for clients, without details", async () => {
    server.faults.push({
      status: 403,
      body: JSON.stringify({ error: { message: "API key not valid" } }),
    });
    const { status, text, headers } = await client.post("/api/track", { channel_id: "@other.maker" });
    expect([status, headers.get("retry-after")]).toEqual([503, "300"]);
    expect(text).not.toMatch(/YouTube|key/i);
  });

  await test.step("stopping the service answers requests that wait for YouTube with 503 and Retry-After", async () => {
    const callsBefore = server.calls.length;
    server.faults.push("silence");
    const waiting = client.post("/api/track", { channel_id: "@some.maker" });
    await expect.poll(() => server.calls.length).toBe(callsBefore + 1);
    const stopped = product.stop();
    const { status, body } = await waiting;
    expect([status, body.error]).toEqual([503, "The service is stopping. Try again."]);
    expect((await stopped).code).toBe(0);
  });
  await server.stop();
});

test("all data is sample data without YOUTUBE_API_KEY, and health reports no units", async () => {
  test.skip(isOnStandIns, "the shared product has a YouTube");
  const { body } = await anonymous.get("/api/health");
  expect(body).toMatchObject({ sample_data: true, platform_units: null });
  expect(await (await fetch(getBaseUrl(PORT))).text()).toContain("creators and counts are sample data");
});
