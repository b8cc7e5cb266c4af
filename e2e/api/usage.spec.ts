import { expect, test } from "../fixtures";

test.describe("GET /api/usage", () => {
  test("returns exactly the usage record, and counts the first call of the day as 1", async ({ api }) => {
    const { status, body } = await api.get("/api/usage");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      tier: "free",
      requests_today: 1,
      requests_limit: 50,
      creators_tracked: 0,
      alerts_count: 0,
      new_niches_today: 0,
      new_niches_limit: 2,
      tier_limits: { free: 50, starter: 500, pro: 2000 },
    });
  });

  test("counts each request of the key in requests_today, including this one", async ({ api }) => {
    await api.growth.listAlerts();
    await api.growth.alertEmail();
    expect((await api.growth.usage()).requests_today).toBe(3);
    expect((await api.growth.usage()).requests_today).toBe(4);
  });

  test("counts the creators tracked by this key in creators_tracked", async ({ api }) => {
    const { growth } = api;
    const { creator } = await growth.track("@juniperfivecrits");
    await growth.track("@bramblewickarcade");
    expect((await growth.usage()).creators_tracked).toBe(2);
    await growth.untrack(creator.channel_id);
    expect((await growth.usage()).creators_tracked).toBe(1);
  });
});
