import { rotateKey } from "@/features/keys/rotation.service";
import { generateKey } from "@/features/keys/rules";
import { deleteKey, revokeKey } from "@/features/keys/service";
import {
  anonymous,
  createClientWithKey,
  expect,
  expectRequestId,
  expectUnauthorized,
  getRequestsToday,
  requireValue,
  runKeysVerb,
  test,
} from "../fixtures";

const ENDPOINTS = [
  ["GET", "/api/discover?niche=gaming"],
  ["POST", "/api/track"],
  ["GET", "/api/track"],
  ["DELETE", "/api/track/UCaaaaaaaaaaaaaaaaaaaaaa"],
  ["GET", "/api/track/UCaaaaaaaaaaaaaaaaaaaaaa/history"],
  ["GET", "/api/alerts"],
  ["GET", "/api/alerts/email"],
  ["POST", "/api/alerts/email"],
  ["DELETE", "/api/alerts/email"],
  ["GET", "/api/usage"],
] as const;

test.describe("authentication with an invalid key", () => {
  test("returns 401 on every endpoint when the header is missing", async () => {
    for (const [method, path] of ENDPOINTS) expectUnauthorized(await anonymous.call(method, path));
  });

  test("returns 401 on unknown paths and for wrong methods when the header is missing", async () => {
    for (const path of ["/api", "/api/", "/api/nope", "/api/nope/deeper", "/api/usage/x", "/api/Usage"])
      expectUnauthorized(await anonymous.get(path));
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
      expectUnauthorized(await anonymous.call(method, "/api/usage"));
  });

  test("returns 401 when the header is empty", async () => {
    for (const key of ["", " "]) expectUnauthorized(await anonymous.get("/api/usage", { key }));
  });

  test("returns 401 when the key is mistyped", async ({ pro }) => {
    const { key } = pro;
    const swapped = key.slice(0, 10) + requireValue(key[11]) + requireValue(key[10]) + key.slice(12);
    const mistyped = [
      key.slice(0, -1),
      `${key}x`,
      key.slice(3),
      key.toUpperCase(),
      key.replace(/.$/, (last) => (last === "a" ? "b" : "a")),
      key[10] === key[11] ? `${key}0` : swapped,
      `"${key}"`,
      `Bearer ${key}`,
      `${key}, ${key}`,
      "cg_",
      "clé",
      "x".repeat(5000),
    ];
    for (const wrong of mistyped) expectUnauthorized(await anonymous.get("/api/usage", { key: wrong }));
  });

  test("returns 401 for a well-formed key that does not exist", async () => {
    expectUnauthorized(await anonymous.get("/api/usage", { key: generateKey() }));
  });

  test("returns 401 for a revoked key from the next request on", async ({ api }) => {
    expect((await api.get("/api/usage")).status).toBe(200);
    await runKeysVerb((ctx) => revokeKey(ctx, api.keyId));
    for (const [method, path] of ENDPOINTS) expectUnauthorized(await api.call(method, path));
  });

  test("returns 401 for a rotated key while the new key works for the same account", async ({ api }) => {
    await api.post("/api/alerts/email", { email: "scout@example.com" });
    const { secret: key } = await runKeysVerb((ctx) => rotateKey(ctx, api.keyId));
    expectUnauthorized(await api.get("/api/usage"));
    const { status, body } = await api.get("/api/alerts/email", { key });
    expect([status, body.email]).toEqual([200, "scout@example.com"]);
  });

  test("returns 401 for a deleted key", async ({ api }) => {
    await runKeysVerb((ctx) => deleteKey(ctx, api.keyId));
    expectUnauthorized(await api.get("/api/usage"));
  });

  test("returns 401 when a valid key is sent anywhere but in X-API-Key", async ({ pro }) => {
    const { key } = pro;
    for (const name of ["api_key", "apikey", "key", "X-API-Key", "x-api-key"])
      expectUnauthorized(await anonymous.get(`/api/usage?${name}=${key}`));
    const headers = { Authorization: `Bearer ${key}`, Cookie: `X-API-Key=${key}`, "API-Key": key };
    for (const [name, value] of Object.entries(headers))
      expectUnauthorized(await anonymous.get("/api/usage", { headers: { [name]: value } }));
    expectUnauthorized(await anonymous.post("/api/alerts/email", { email: "a@example.com", "X-API-Key": key }));
  });

  test("returns 401 when X-API-Key is sent twice", async ({ pro }) => {
    const answer = await anonymous.get("/api/usage", { headers: { "X-API-Key": [pro.key, pro.key] } });
    expectUnauthorized(answer);
  });

  test("returns 401 before it checks the query, the body or the body size", async () => {
    expectUnauthorized(await anonymous.get("/api/alerts?limit=0"));
    expectUnauthorized(await anonymous.post("/api/track", "{"));
    expectUnauthorized(await anonymous.post("/api/track", "x".repeat(20_000)));
    expectUnauthorized(await anonymous.post("/api/track", "x", { headers: { "Content-Type": "text/plain" } }));
  });

  for (const name of ["RSC", "X-Middleware-Prefetch"])
    test(`returns 401 for a missing key with the header ${name}`, async () => {
      expectUnauthorized(await anonymous.get("/api/usage", { headers: { [name]: "1" } }));
    });

  test("returns the same headers for HEAD, without the body", async () => {
    const { status, text } = await anonymous.call("HEAD", "/api/usage");
    expect([status, text]).toEqual([401, ""]);
  });
});

test.describe("authentication with a valid key", () => {
  test("accepts any spelling of the header name", async ({ pro }) => {
    for (const name of ["X-API-Key", "x-api-key", "X-Api-KEY"])
      expect((await anonymous.get("/api/usage", { headers: { [name]: pro.key } })).status).toBe(200);
  });

  test("returns X-RateLimit-Limit, -Remaining and -Tier with every success", async ({ api }) => {
    const { key } = await createClientWithKey("starter");
    const { body } = await api.post("/api/track", { channel_id: "@saffronwheelbarrow" }, { key });
    const id = requireValue(body.creator).channel_id;
    const calls = [
      ["GET", "/api/discover?niche=gaming"],
      ["POST", "/api/track", { channel_id: "@saffronwheelbarrow" }],
      ["GET", "/api/track"],
      ["GET", `/api/track/${id}/history`],
      ["DELETE", `/api/track/${id}`],
      ["GET", "/api/alerts"],
      ["POST", "/api/alerts/email", { email: "scout@example.com" }],
      ["GET", "/api/alerts/email"],
      ["DELETE", "/api/alerts/email"],
      ["GET", "/api/usage"],
      ["HEAD", "/api/usage"],
    ] as const;
    for (const [at, [method, path, sent]] of calls.entries()) {
      const answer = await api.call(method, path, { key, body: sent });
      expect(answer.status, `${method} ${path}`).toBe(200);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("500");
      expect(answer.headers.get("x-ratelimit-remaining")).toBe(String(500 - 2 - at));
      expect(answer.headers.get("x-ratelimit-tier")).toBe("starter");
      if (method !== "HEAD") expect(answer.body).toMatchObject({ status: "ok" });
      expectRequestId(answer);
    }
  });

  test("counts each request with a valid key, and none with an invalid one", async ({ api }) => {
    expect(await getRequestsToday(api)).toBe(1);
    await anonymous.get("/api/usage", { key: `${api.key}x` });
    await anonymous.get("/api/usage");
    expect(await getRequestsToday(api)).toBe(2);
  });
});

test.describe("isolation between keys", () => {
  test("shows one key nothing that another key does", async ({ api }) => {
    const other = await createClientWithKey("free");
    const { body } = await api.post("/api/track", { channel_id: "@nonnabettarina" });
    await api.post("/api/alerts/email", { email: "mine@example.com" });
    const id = requireValue(body.creator).channel_id;

    expect((await other.get("/api/track")).body).toMatchObject({ creators: [], pagination: { total: 0 } });
    expect((await other.get("/api/alerts")).body).toMatchObject({ alerts: [], pagination: { total: 0 } });
    expect((await other.get("/api/alerts/email")).body).toMatchObject({ email: null, delivery: null });
    expect((await other.get(`/api/track/${id}/history`)).status).toBe(404);
    expect((await other.delete(`/api/track/${id}`)).status).toBe(404);
    expect((await other.delete("/api/alerts/email")).status).toBe(200);
    expect((await other.get("/api/usage")).body).toMatchObject({ requests_today: 7, creators_tracked: 0 });

    expect((await api.get("/api/alerts/email")).body).toMatchObject({ email: "mine@example.com" });
    expect((await api.get("/api/usage")).body).toMatchObject({ requests_today: 4, creators_tracked: 1 });
  });
});
