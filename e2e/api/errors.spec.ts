import type { Answer } from "../client";
import { anonymous, expect, expectError, expectInvalid, expectRequestId, expectUnauthorized, test } from "../fixtures";

const POSTS = [
  ["/api/track", { channel_id: "@juniperfivecrits" }],
  ["/api/alerts/email", { email: "scout@example.com" }],
] as const;

const ALLOWED = [
  ["/api/discover", "GET, HEAD"],
  ["/api/track", "GET, HEAD, POST"],
  ["/api/track/UCaaaaaaaaaaaaaaaaaaaaaa", "DELETE, GET, HEAD"],
  ["/api/track/UCaaaaaaaaaaaaaaaaaaaaaa/history", "GET, HEAD"],
  ["/api/alerts", "GET, HEAD"],
  ["/api/alerts/email", "DELETE, GET, HEAD, POST"],
  ["/api/usage", "GET, HEAD"],
] as const;

function getAllowedMethods({ headers }: Answer): string {
  return (headers.get("allow") ?? "").split(", ").sort().join(", ");
}

test.describe("unknown paths under /api", () => {
  for (const path of [
    "/api",
    "/api/",
    "/api?x=1",
    "/api/nope",
    "/api/nope/deeper/still",
    "/api/Usage",
    "/api/usage.json",
    "/api/usage%20",
    "/api/usage/x",
    "/API/usage",
    "/Api",
    "/api/usage;x=1",
    "/api/alerts/email/x",
    "/api/index",
    "/api/v1/usage",
    "/api/_next/static/x.js",
    "/api/[[...path]]",
    "/api/%00",
    "/api/%5Cusage",
    "/api/%F0%9F%8E%AE",
    "/api/health/x",
    "/api/inngest/x",
    "/api//usage",
    "/api/usage//",
    "/api/track//history",
    "/api/%E0%A4%A",
    "/api/%",
    "/api/track/%E0%A4%A/history",
    `/api/${"x".repeat(4000)}`,
  ])
    test(`returns 404 as JSON, and 401 without a key, for GET ${path.slice(0, 40)}`, async ({ pro }) => {
      const answer = await pro.get(path);
      expectError(answer, 404);
      expect(answer.headers.get("x-ratelimit-tier")).toBe("pro");
      expectUnauthorized(await anonymous.get(path));
    });

  test("returns 404 for an unknown path with any method", async ({ pro }) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      expectError(await pro.call(method, "/api/nope"), 404);
    const head = await pro.call("HEAD", "/api/nope");
    expect([head.status, head.text]).toEqual([404, ""]);
  });

  test("ignores a trailing slash on a known path", async ({ pro }) => {
    for (const path of ["/api/usage/", "/api/alerts/", "/api/alerts/email/", "/api/track/"])
      expect((await pro.get(path)).status, path).toBe(200);
  });

  test("refuses GET /api\\usage as an invalid path", async ({ pro }) => {
    expectError(await pro.get("/api\\usage"), 400);
  });

  test("answers every path under /api with JSON", async ({ pro }) => {
    for (const path of ["/api/./usage", "/api/%2e/usage", "/api/x/../usage", "/api/x/%2e%2e/usage"]) {
      const { status, headers } = await pro.get(path);
      expect([200, 404], path).toContain(status);
      expect(headers.get("content-type"), path).toMatch(/^application\/json/);
    }
  });

  test("does not fail on paths that climb out of /api or contain garbage", async ({ pro }) => {
    for (const path of ["/api/%2e%2e/x", "/api/../x", "/%00", "/api%2Fusage", "/API/usage"])
      expect((await pro.get(path)).status, path).toBe(404);
    for (const path of ["/x/%E0%A4%A", "/%"]) expect((await pro.get(path)).status, path).toBe(404);
  });
});

test.describe("methods that a path does not allow", () => {
  for (const [path, methods] of ALLOWED)
    test(`returns 405 with Allow: ${methods} for ${path}`, async ({ pro }) => {
      const others = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((method) => !methods.includes(method));
      for (const method of others) {
        const answer = await pro.call(method, path);
        expectError(answer, 405);
        expect(getAllowedMethods(answer)).toBe(methods);
        expect(answer.body.error).toContain(methods.split(", ")[0]);
      }
    });

  test("returns 405 for methods that no path has", async ({ pro }) => {
    for (const method of ["TRACE", "PROPFIND", "QUERY"]) {
      const answer = await pro.call(method, "/api/usage");
      expectError(answer, 405);
      expect(getAllowedMethods(answer)).toBe("GET, HEAD");
    }
  });

  for (const path of ["/api/inngest", "/api/unsubscribe", "/api/confirm-address"])
    test(`returns 405 for ${path}, which needs no key`, async () => {
      const answer = await anonymous.delete(path);
      expectError(answer, 405);
      expect(answer.headers.get("allow")).toMatch(/\S/);
    });

  test("returns 405 before 413 and 415, without reading the body", async ({ pro }) => {
    const headers = { "Content-Type": "text/plain" };
    expectError(await pro.call("PUT", "/api/track", { body: "x".repeat(20_000), headers }), 405);
  });
});

test.describe("hostile input", () => {
  test("returns no 500 for a NUL byte in a parameter, path or body field", async ({ pro }) => {
    const id = "UCaaaaaaaaaaaaaaaaaaaaaa";
    for (const field of ["limit", "offset"])
      for (const path of ["/api/alerts", "/api/track"]) {
        expectInvalid(await pro.get(`${path}?${field}=%00`), field);
        expectInvalid(await pro.get(`${path}?${field}=1%00`), field);
      }
    for (const field of ["limit", "min_subscribers", "max_subscribers"]) {
      const { status, body } = await pro.get(`/api/discover?niche=gaming&${field}=1%00`);
      expect([status, body.issues?.[0]?.field]).toEqual([400, field]);
    }
    for (const niche of ["%00", "gaming%00", "%00gaming", "ga%00ming"])
      expectInvalid(await pro.get(`/api/discover?niche=${niche}`), "niche");
    for (const path of [`/api/track/${id}%00`, "/api/track/%00", `/api/track/${id}/%00`, "/api/track/%00/history"])
      expectError(await pro.delete(path), path.endsWith("history") ? 405 : 404);
    for (const value of ["\u0000", "@juniper\u0000fivecrits", `${id}\u0000`])
      expectInvalid(await pro.post("/api/track", { channel_id: value }), "channel_id");
    expectInvalid(await pro.post("/api/alerts/email", { email: "a\u0000@example.com" }), "email");
    expect((await pro.get("/api/usage?%00=%00&x=%00")).status).toBe(200);
    expectUnauthorized(await anonymous.get("/api/usage?x=%00", { key: "cg_%00" }));
  });

  test("returns no 500 for half a surrogate pair, or for a deep or hostile body", async ({ pro }) => {
    const bodies = [
      '{"channel_id":"\\ud800","email":"\\udfff@example.com"}',
      `${"[".repeat(8000)}${"]".repeat(8000)}`,
      `{"channel_id":${'{"a":'.repeat(2500)}1${"}".repeat(2500)},"email":1}`,
      '{"__proto__":{"channel_id":"@juniperfivecrits","email":"a@example.com"}}',
      '{"constructor":{"prototype":{"x":1}},"channel_id":1e400,"email":1e400}',
    ];
    for (const [path] of POSTS)
      for (const body of bodies) expect((await pro.post(path, body)).status, body.slice(0, 40)).toBe(400);
  });

  test("returns no 500 for a niche with broken percent encoding", async ({ pro }) => {
    for (const niche of ["%E0%A4%A", "%", "%ZZ", "%C0%80"]) {
      const answer = await pro.get(`/api/discover?niche=${niche}`);
      expect([200, 400], niche).toContain(answer.status);
      expectRequestId(answer);
    }
  });
});

test.describe("X-Request-Id", () => {
  test("is unique for each response", async ({ pro }) => {
    const ids = new Set<string | null>();
    for (const path of ["/api/usage", "/api/nope", "/api/alerts?limit=0", "/api/health", "/api/openapi.json"])
      for (const client of [pro, anonymous]) {
        const answer = await client.get(path);
        expectRequestId(answer);
        ids.add(answer.headers.get("x-request-id"));
      }
    expect(ids.size).toBe(10);
  });

  test("repeats a caller's plain id and replaces any other", async ({ pro }) => {
    const fetchRequestId = async (id: string) => {
      const { headers } = await pro.get("/api/usage", { headers: { "X-Request-Id": id } });
      return headers.get("x-request-id");
    };
    expect(await fetchRequestId("my-request_0001")).toBe("my-request_0001");
    for (const id of ["short", "x".repeat(65), "with space 1", "<script>alert(1)</script>"])
      expect(await fetchRequestId(id)).toMatch(/^req_/);
  });
});
