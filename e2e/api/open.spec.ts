import {
  anonymous,
  expect,
  expectError,
  expectRequestId,
  expectUnauthorized,
  getRequestsToday,
  requireValue,
  test,
} from "../fixtures";
import { isOnStandIns } from "../product";

const OPEN = ["/api/health", "/api/status", "/api/openapi.json"];

test.describe("paths that need no key", () => {
  test("GET /api/health reports the service and its database as ok", async () => {
    const answer = await anonymous.get("/api/health");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: "ok", database: "ok", sample_data: expect.any(Boolean) });
    expectRequestId(answer);
  });

  test("GET /api/health reports the last daily run and its coverage", async () => {
    const { body } = await anonymous.get("/api/health");
    expect(Object.keys(body)).toEqual(expect.arrayContaining(["last_run", "coverage"]));
  });

  test("GET /api/openapi.json describes every specified endpoint at the service's own address", async ({ baseURL }) => {
    const { status, headers, body } = await anonymous.get("/api/openapi.json");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(body).toMatchObject({
      servers: [{ url: baseURL ?? expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) }],
      components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-API-Key" } } },
      paths: {
        "/api/discover": { get: {} },
        "/api/track": { get: {}, post: {} },
        "/api/track/{channel_id}": { delete: {} },
        "/api/track/{channel_id}/history": { get: {} },
        "/api/alerts": { get: {} },
        "/api/alerts/email": { get: {}, post: {}, delete: {} },
        "/api/changes": { get: {} },
        "/api/usage": { get: {} },
      },
    });
  });

  test("every operation in the OpenAPI document exists and requires a key", async ({ pro }) => {
    const { body } = await anonymous.get("/api/openapi.json");
    const operations = Object.entries(requireValue(body.paths)).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/, "x")] as const),
    );
    expect(operations.length).toBeGreaterThanOrEqual(10);
    for (const [method, path] of operations) {
      if (OPEN.includes(path)) continue;
      expectUnauthorized(await anonymous.call(method, path));
      const { status, body: answer } = await pro.call(method, path);
      expect(status, `${method} ${path}`).not.toBe(405);
      expect(answer.error).not.toBe("Path not found");
    }
  });

  for (const path of OPEN) {
    test(`GET ${path} answers alike with a wrong key, and counts nothing with a valid one`, async ({ api }) => {
      expect((await anonymous.get(path, { key: "cg_wrong" })).status).toBe(200);
      const answer = await api.get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-ratelimit-limit")).toBeNull();
      expect(await getRequestsToday(api)).toBe(1);
    });

    test(`${path} allows only reading`, async () => {
      const head = await anonymous.call("HEAD", path);
      expect([head.status, head.text]).toEqual([200, ""]);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await anonymous.call(method, path);
        expectError(answer, 405);
        expect(answer.headers.get("allow")).toBe("GET, HEAD");
      }
    });
  }

  test("/api/webhooks/resend refuses unsigned calls, and returns 404 while no email service is set", async ({
    api,
  }) => {
    for (const client of [api, anonymous])
      expectError(await client.post("/api/webhooks/resend", {}), isOnStandIns ? 401 : 404);
    expect(await getRequestsToday(api)).toBe(1);
  });

  test("/api/inngest refuses unsigned calls, with or without a key", async ({ api }) => {
    for (const client of [api, anonymous])
      for (const method of ["GET", "POST", "PUT"]) {
        const { status, text } = await client.call(method, "/api/inngest", {
          body: method === "GET" ? undefined : {},
        });
        expect(status, method).toBe(401);
        expect(text).not.toContain("creator-growth");
      }
    const forged = { "X-Inngest-Signature": "t=1&s=0000000000000000" };
    expect((await anonymous.post("/api/inngest?fnId=x&stepId=step", {}, { headers: forged })).status).toBe(401);
    expect(await getRequestsToday(api)).toBe(1);
  });
});
