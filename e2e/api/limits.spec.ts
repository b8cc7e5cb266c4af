import { getSecondsToMidnight, systemClock } from "@/core/time";
import { rotateKey } from "@/features/keys/rotation.service";
import { setTier } from "@/features/keys/service";
import type { Answer } from "../client";
import {
  createClientWithKey,
  expect,
  expectRequestId,
  getRequestsToday,
  requireValue,
  runKeysVerb,
  test,
} from "../fixtures";

const REFUSED = {
  error: "Daily rate limit reached",
  tier: "free",
  limit: 50,
  used: 50,
  resets_at: "midnight UTC",
};

/** Sends requests concurrently and counts their statuses. */
async function countStatuses(requests: Promise<Answer>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test.describe("daily request limit", () => {
  for (const [tier, limit] of [
    ["free", 50],
    ["starter", 500],
    ["pro", 2000],
  ] as const)
    test(`tier ${tier} allows ${limit} requests per day`, async () => {
      const client = await createClientWithKey(tier);
      const { headers, body } = await client.get("/api/usage");
      expect(body).toMatchObject({ tier, requests_limit: limit, requests_today: 1 });
      expect(headers.get("x-ratelimit-limit")).toBe(String(limit));
      expect(headers.get("x-ratelimit-remaining")).toBe(String(limit - 1));
      expect(headers.get("x-ratelimit-tier")).toBe(tier);
    });

  test("allows 50 requests of a free key, then returns 429 with exactly the specified body", async ({ api }) => {
    for (let used = 1; used <= 50; used++) {
      const { status, headers, body } = await api.get("/api/usage");
      expect([status, body.requests_today]).toEqual([200, used]);
      expect(headers.get("x-ratelimit-remaining")).toBe(String(50 - used));
    }
    const before = getSecondsToMidnight(systemClock.now());
    const refused = await api.get("/api/usage");
    const after = getSecondsToMidnight(systemClock.now());
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual(REFUSED);
    expectRequestId(refused);

    const retryAfter = requireValue(refused.headers.get("retry-after"));
    expect(retryAfter).toMatch(/^\d+$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(before);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(after);
    expect(refused.headers.get("x-ratelimit-limit")).toBe("50");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("x-ratelimit-tier")).toBe("free");
    expect(refused.headers.get("ratelimit-policy")).toBe('"daily";q=50;w=86400');
    expect(refused.headers.get("ratelimit")).toMatch(/^"daily";r=0;t=\d+$/);
  });

  test("allows exactly 50 of 200 concurrent requests of a free key, and returns 429 for 150", async ({ api }) => {
    const requests = Array.from({ length: 200 }, () => api.get("/api/usage"));
    expect(await countStatuses(requests)).toEqual({ 200: 50, 429: 150 });
    expect((await api.get("/api/usage")).body).toEqual(REFUSED);
  });

  test("returns 429 for a spent key on every path and method, before any other failure", async ({ api }) => {
    await countStatuses(Array.from({ length: 50 }, () => api.get("/api/usage")));
    const answers = [
      await api.get("/api/nope"),
      await api.get("/api/alerts?limit=0"),
      await api.get("/api/discover"),
      await api.post("/api/track", "{"),
      await api.post("/api/track", "x".repeat(20_000)),
      await api.post("/api/alerts/email", "x", { headers: { "Content-Type": "text/plain" } }),
      await api.call("PUT", "/api/usage"),
      await api.delete("/api/alerts/email"),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([429, REFUSED]);
  });

  test("counts no refused request: after a change to starter the count continues from 50", async ({ api }) => {
    const requests = Array.from({ length: 80 }, () => api.get("/api/alerts"));
    expect(await countStatuses(requests)).toEqual({ 200: 50, 429: 30 });
    await runKeysVerb((ctx) => setTier(ctx, api.keyId, "starter"));
    const { status, headers, body } = await api.get("/api/usage");
    expect(status).toBe(200);
    expect(body).toMatchObject({ tier: "starter", requests_today: 51, requests_limit: 500 });
    expect(headers.get("x-ratelimit-remaining")).toBe("449");
  });

  test("applies a change of tier from the next request on, up or down", async () => {
    const client = await createClientWithKey("starter");
    await countStatuses(Array.from({ length: 60 }, () => client.get("/api/alerts")));
    await runKeysVerb((ctx) => setTier(ctx, client.keyId, "free"));
    const refused = await client.get("/api/usage");
    expect([refused.status, refused.body]).toEqual([429, { ...REFUSED, used: 60 }]);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    await runKeysVerb((ctx) => setTier(ctx, client.keyId, "pro"));
    expect((await client.get("/api/usage")).body).toMatchObject({ tier: "pro", requests_today: 61 });
  });

  test("limits each key separately", async ({ api }) => {
    const other = await createClientWithKey("free");
    await countStatuses(Array.from({ length: 51 }, () => api.get("/api/alerts")));
    expect((await api.get("/api/alerts")).status).toBe(429);
    expect(await getRequestsToday(other)).toBe(1);
  });

  test("keeps the count when a key gets a new secret", async ({ api }) => {
    await countStatuses(Array.from({ length: 50 }, () => api.get("/api/alerts")));
    const { secret: key } = await runKeysVerb((ctx) => rotateKey(ctx, api.keyId));
    expect((await api.get("/api/usage", { key })).body).toEqual(REFUSED);
  });
});

test.describe("cost of a request", () => {
  test("counts 1 for GET /api/discover, whether the niche is new or known", async ({ api }) => {
    for (const niche of ["gaming", "gaming", "science"]) {
      const before = await getRequestsToday(api);
      expect((await api.get(`/api/discover?niche=${niche}`)).status).toBe(200);
      expect(await getRequestsToday(api)).toBe(before + 2);
    }
  });

  test("counts 1 for responses 400, 404, 405, 413 and 415", async ({ api }) => {
    const outcomes = [
      await api.get("/api/alerts?limit=0"),
      await api.post("/api/track", "{"),
      await api.get("/api/nope"),
      await api.delete("/api/track/UCaaaaaaaaaaaaaaaaaaaaaa"),
      await api.call("PUT", "/api/usage"),
      await api.post("/api/track", "x".repeat(20_000)),
      await api.post("/api/track", "x", { headers: { "Content-Type": "text/plain" } }),
    ];
    expect(outcomes.map(({ status }) => status)).toEqual([400, 400, 404, 404, 405, 413, 415]);
    const remaining = outcomes.map(({ headers }) => headers.get("x-ratelimit-remaining"));
    expect(remaining).toEqual(["49", "48", "47", "46", "45", "44", "43"]);
    expect(await getRequestsToday(api)).toBe(8);
  });

  test("counts 1 for HEAD and OPTIONS", async ({ api }) => {
    expect((await api.call("HEAD", "/api/usage")).status).toBe(200);
    expect((await api.call("OPTIONS", "/api/usage")).status).toBe(405);
    expect(await getRequestsToday(api)).toBe(3);
  });
});
