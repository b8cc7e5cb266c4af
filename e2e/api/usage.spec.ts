import { expect, test } from "../fixtures";

test.describe("GET /api/usage", () => {
  test("returns exactly the usage record; the first call of the day is counted as 1", async ({ api }) => {
    const { status, body } = await api.get("/api/usage");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      tier: "free",
      requests_today: 1,
      requests_limit: 50,
      creators_tracked: 0,
      alerts_count: 0,
      tier_limits: { free: 50, starter: 500, pro: 2000 },
    });
  });

  test("requests_today counts each request of the key, this one included", async ({ api }) => {
    await api.get("/api/alerts");
    await api.get("/api/alerts/email");
    expect((await api.get("/api/usage")).body).toMatchObject({ requests_today: 3 });
    expect((await api.get("/api/usage")).body).toMatchObject({ requests_today: 4 });
  });

  test("creators_tracked is the number of creators tracked by this key", async ({ api }) => {
    for (const channel_id of ["@juniperfivecrits", "@bramblewickarcade"])
      expect((await api.post("/api/track", { channel_id })).status).toBe(200);
    expect((await api.get("/api/usage")).body).toMatchObject({ creators_tracked: 2 });
    const { body } = await api.get("/api/track?limit=1");
    await api.delete(`/api/track/${body.creators?.[0]?.channel_id}`);
    expect((await api.get("/api/usage")).body).toMatchObject({ creators_tracked: 1 });
  });
});
