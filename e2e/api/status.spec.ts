import { anonymous, expect, test } from "../fixtures";
import { DATA_DIR, runKeysJson, runNpm } from "../product";

test.describe("operator commands", () => {
  test("npm run status shows keys, requests, runs and deliveries", async ({ api }) => {
    await api.get("/api/usage");
    const { code, stdout } = await runNpm("status", ["--json"], DATA_DIR);
    expect(code).toBe(0);
    const state = JSON.parse(stdout);
    const { sample_data } = (await anonymous.get("/api/health")).body;
    const expectUnits = (bucket: string) => ({
      bucket,
      used: expect.any(Number),
      limit: expect.any(Number),
      exhausted: false,
      resets_at: expect.any(String),
    });
    expect(state).toEqual({
      keys: expect.arrayContaining([{ tier: "free", active: expect.any(Number), revoked: expect.any(Number) }]),
      requests: expect.arrayContaining([
        { day: expect.any(String), requests: expect.any(Number), keys: expect.any(Number) },
      ]),
      runs: expect.any(Array),
      deliveries: expect.any(Array),
      platform_units: sample_data ? null : [expectUnits("search"), expectUnits("general")],
    });
    const { stdout: text } = await runNpm("status", [], DATA_DIR);
    expect(text).toMatch(/Keys\n[\s\S]*free \(50\/day\)[\s\S]*Requests[\s\S]*Latest daily runs[\s\S]*Deliveries/);
  });

  test("npm run keys -- usage shows the requests of one key", async ({ api }) => {
    await api.post("/api/track", { channel_id: "@juniperfivecrits" });
    await api.get("/api/alerts?limit=0");
    await api.get("/api/usage");
    const read = () => runKeysJson<{ answers: object[]; requests: object[]; creators: number }>(["usage", api.keyId]);
    expect(await read()).toMatchObject({
      id: api.keyId,
      tier: "free",
      creators: 1,
      alerts: 0,
      requests: [{ day: expect.any(String), requests: 3 }],
    });
    // The log of requests is written in the background.
    await expect
      .poll(async () => (await read()).answers)
      .toEqual([
        { endpoint: "/api/alerts", method: "GET", status: 400, requests: 1 },
        { endpoint: "/api/track", method: "POST", status: 200, requests: 1 },
        { endpoint: "/api/usage", method: "GET", status: 200, requests: 1 },
      ]);
  });
});
