import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { DELETE as deleteEmail } from "@/app/api/alerts/email/route";
import { POST as postTrack } from "@/app/api/track/route";
import { HOUR } from "@/core/time";
import { connect } from "@/db/client";
import { defineEndpoint } from "@/features/endpoint";
import { rotateKey } from "@/features/keys/rotation.service";
import { deleteKey, setTier } from "@/features/keys/service";
import { getAlertEmail, setAlertEmail } from "@/features/notifications/addresses.service";
import { createPostgresQuota } from "@/features/usage/quota.service";
import { PlatformError } from "@/platform/port";
import { type AppContext, installContext } from "@/server/context";
import { type Answer, send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { serveEndpoints } from "./rest";

const RATES = "X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Tier RateLimit RateLimit-Policy";
const FIRST_OF_DAY = ["50", "49", "free", '"daily";r=49;t=43200', '"daily";q=50;w=86400'];
const UNAUTHORIZED = { status: 401, body: { error: "Invalid API key" } };
const LARGE = `{"channel_id":"${"x".repeat(16 * 1024)}"}`;
const BODY = '{"channel_id":"@juniperfivecrits"}';
const POST = "POST" as const;
const text = { method: POST, body: LARGE, headers: { "Content-Type": "text/plain" } };

/** One request for each kind of error, and its status once it is admitted. */
const WRONG: [string, number, string, Parameters<typeof send>[1]][] = [
  ["an unknown path", 404, "/api/nothing/here", {}],
  ["an unknown resource", 404, "/api/track/nothing", { method: "DELETE" }],
  ["a method that the path does not support", 405, "/api/usage", text],
  ["a body of another type", 415, "/api/track", text],
  ["a body that is too large", 413, "/api/track", { method: POST, body: `${LARGE}{` }],
  ["a body that is not JSON", 400, "/api/track", { method: POST, body: "{" }],
  ["a wrong query parameter", 400, "/api/alerts?limit=0", {}],
];

describe("REST API", () => {
  const service = useService();
  let key: TestKey;
  let logged: string[];

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    logged = [];
    serveWith({});
  });

  function serveWith(parts: Partial<AppContext>): void {
    const log = pino({}, { write: (line: string) => logged.push(line) });
    installContext({ ...service, log, ...parts });
  }

  /** A platform that fails. */
  const failWith = (error: Error) =>
    serveWith({ platform: { ...service.platform, find: () => Promise.reject(error) } });

  const requestPath = (path: string, options: Parameters<typeof send>[1] = {}) =>
    send(path, { key: key.secret, ...options });
  const track = (body: unknown = BODY) => requestPath("/api/track", { method: POST, body });
  const getCountBefore = async () => (await requestPath("/api/usage")).body.requests_today - 1;
  const spendDay = () => Promise.all(Array.from({ length: 50 }, () => service.quota.take(key.id, 50)));
  const listRates = ({ headers }: Answer) => RATES.split(" ").map((name) => headers.get(name));

  describe("order of checks", () => {
    it.each(WRONG)("checks the key first: 401 for %s", async (_, __, path, options) => {
      const answer = await send(path, options);
      expect(answer).toMatchObject(UNAUTHORIZED);
      expect(listRates(answer).some(Boolean)).toBe(false);
    });

    it.each(WRONG)("checks the quota next: 429 for %s", async (_, __, path, options) => {
      await spendDay();
      expect((await requestPath(path, options)).status).toBe(429);
    });

    it.each(WRONG)("checks %s last: %i, counted, with rate headers", async (_, status, path, options) => {
      const answer = await requestPath(path, options);
      expect(answer.status).toBe(status);
      expect(listRates(answer)).toEqual(FIRST_OF_DAY);
      expect(await getCountBefore()).toBe(1);
    });
  });

  it("refuses a key that is rotated while the body arrives", async () => {
    const body = new ReadableStream({
      async pull(controller) {
        await rotateKey(service, key.id);
        controller.enqueue(new TextEncoder().encode(BODY));
        controller.close();
      },
    });
    const headers = { "X-API-Key": key.secret, "Content-Type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" };
    const request = new Request("http://growth.test/api/track", init);
    expect((await postTrack(request)).status).toBe(401);
  });

  it("keeps keys out of the log, whatever their encoding", async () => {
    for (const path of [`/api/${key.secret}`, `/api/%63%67%5f${key.secret.slice(3)}`])
      await requestPath(path, { headers: { "X-Request-Id": key.secret } });
    expect(logged).toHaveLength(2);
    expect(logged.join("")).not.toContain(key.secret.slice(3));
  });

  it("answers 401 with the same body for every cause", async () => {
    const { id, secret: gone } = await createKey(service);
    await deleteKey(service, id);
    const { secret } = key;
    for (const given of [undefined, "", "__proto__", `${secret}x`, gone, `${secret}, ${secret}`])
      expect(await send("/api/usage", { key: given })).toMatchObject(UNAUTHORIZED);
  });

  it("answers 401 to a key that is deleted during its request", async () => {
    const admit: AppContext["quota"]["admit"] = async (secretHash) => {
      const admission = await service.quota.admit(secretHash);
      await deleteKey(service, key.id);
      return admission;
    };
    serveWith({ quota: { ...service.quota, admit } });
    expect(await track()).toMatchObject(UNAUTHORIZED);
  });

  it("sends rate headers and logs the request for its key when the database fails after the count", async () => {
    const { db, close } = connect("postgres://user:secret@127.0.0.1:1/nothing");
    const recorded: unknown[] = [];
    serveWith({ db, requests: { ...service.requests, record: (one: object) => recorded.push(one) } });
    const answer = await requestPath("/api/usage");
    await close();
    expect(answer.status).toBe(503);
    expect(listRates(answer)).toEqual(FIRST_OF_DAY);
    expect(recorded).toMatchObject([{ keyId: key.id, status: 503 }]);
  });

  it("answers 429 as specified, does not count it, and resets at midnight UTC", async () => {
    await spendDay();
    service.clock.set("2026-03-10T23:59:58.500Z");
    const answer = await requestPath("/api/usage");
    const text = { error: "Daily rate limit reached", resets_at: "midnight UTC" };
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({ ...text, tier: "free", limit: 50, used: 50 });
    expect(answer.headers.get("Retry-After")).toBe("2");
    expect(listRates(answer)).toEqual(["50", "0", "free", '"daily";r=0;t=2', '"daily";q=50;w=86400']);
    await setTier(service, key.id, "starter");
    expect((await requestPath("/api/usage")).body).toMatchObject({ requests_today: 51, requests_limit: 500 });
    service.clock.set("2026-03-11T00:00:00.000Z");
    expect((await requestPath("/api/usage")).body.requests_today).toBe(1);
  });

  it("answers 400 with each wrong field and its allowed values", async () => {
    const { body } = await requestPath("/api/discover?niche=a&limit=x&min_subscribers=-1");
    const issues = [
      { field: "limit", message: "must be a whole number from 1 to 50" },
      { field: "min_subscribers", message: "must be a whole number from 0 to 1000000000" },
    ];
    const error =
      'limit is "x"; it must be a whole number from 1 to 50; min_subscribers is -1; it must be a whole number from 0 to 1000000000';
    expect(body).toEqual({ error, code: "invalid_request", issues });
    const repeated = await requestPath("/api/alerts?limit=1&limit=1");
    expect(repeated.body.issues).toEqual([{ field: "limit", message: "must be given only once" }]);
  });

  it.each(WRONG.slice(0, 5))("answers %s with a plain sentence and a code", async (_, __, path, options) => {
    const { body } = await requestPath(path, options);
    expect(body).toEqual({ error: expect.stringMatching(/^[A-Z]/), code: expect.stringMatching(/^[a-z_]+$/) });
  });

  it.each([
    ["GET /api/alerts?limit=500", "invalid_request", "limit is 500; it must be 1 to 100"],
    [
      "GET /api/discover?niche=%FF",
      "invalid_request",
      'niche is "\ufffd"; it must be plain text without control characters',
    ],
    ["GET /api/discover", "invalid_request", /^niche is required/],
    [
      "GET /api/alerts?from=2026-02-02&to=2026-02-01",
      "invalid_request",
      'from is "2026-02-02"; it must not be after to',
    ],
    ["GET /api/alerts?channel_id=maker", "not_a_channel", /^channel_id is "maker"; it must be a channel id/],
    ["GET /api/nothing", "path_not_found", "Path not found"],
    ["GET /api/track/maker", "not_found", "Not a channel id, @handle or channel URL"],
    ["GET /api/track/@juniperfivecrits", "not_tracked", "Your key does not track this creator"],
    ["DELETE /api/usage", "method_not_allowed", "Method not allowed. Use GET."],
    ["POST /api/track []", "invalid_body", "body must be a JSON object"],
    ["POST /api/track {}", "invalid_request", "Send channel_id or channel_ids"],
    ['POST /api/track {"channel_id":"@ab","channel_ids":["a"]}', "not_a_channel", /^channel_id is "@ab"; it must/],
    ['POST /api/track {"channel_id":"@unknown.channel"}', "not_found", "Channel not found on the platform"],
    ['POST /api/track {"channel_id":"youtube.com/maker"}', "guess", /^channel_id must be a channel, not a custom URL/],
    ['POST /api/alerts/email {"email":7}', "invalid_request", /^email is 7; it must be an email address/],
    ["POST /api/alerts/email {}", "invalid_request", "email is required"],
    ["GET /api/alerts?limit=cg_secret", "invalid_request", "limit must be a whole number from 1 to 100"],
  ])("answers %s with the code %s and says what was given", async (request, code, error) => {
    const [method, path = "", body] = request.split(" ");
    const answer = await requestPath(path, { method: method as "GET", body });
    expect(answer.body).toMatchObject({
      code,
      error: typeof error === "string" ? error : expect.stringMatching(error),
    });
    expect(answer.headers.get("Link")).toBe(`<http://growth.test/docs/errors#${code}>; rel="help"`);
  });

  it("names the header that takes the key with a 401", async () => {
    expect((await send("/api/usage")).headers.get("WWW-Authenticate")).toBe('ApiKey header="X-API-Key"');
  });

  it("says to a key that a rotation replaced when it stops working, and nothing to the new one", async () => {
    const { secret } = await rotateKey(service, key.id, HOUR);
    const fetchExpiry = async (options = {}) => (await requestPath("/api/usage", options)).headers.get("X-Key-Expires");
    expect(await fetchExpiry()).toBe("2026-03-10T13:00:00.000Z");
    expect(await fetchExpiry({ key: secret })).toBeNull();
  });

  it("says of a deprecated endpoint since when it is, and until when it works", async () => {
    const deprecated = { since: "2026-01-01", until: "2026-04-01" };
    const texts = { id: "getOld", tag: "Usage", summary: "Old", description: "Old" } as const;
    const example = { answer: {} };
    const contract = { method: "GET", path: "/api/old", ...texts, answer: z.object({}), deprecated, example } as const;
    const { GET } = serveEndpoints("/api/old", [defineEndpoint(contract, async () => ({}))]);
    const { status, headers } = await GET(
      new Request("http://growth.test/api/old", { headers: { "X-API-Key": key.secret } }),
    );
    expect([status, headers.get("Deprecation"), headers.get("Sunset")]).toEqual([
      200,
      "@1767225600",
      "Wed, 01 Apr 2026 00:00:00 GMT",
    ]);
  });

  it.each(["X-Test-Clock", "X-Sandbox-Session"])(
    "answers 400 to %s with a key that is not the sandbox's",
    async (name) => {
      const { status, body } = await requestPath("/api/usage", { headers: { [name]: "2030-01-01T12:00:00Z" } });
      expect([status, body.error]).toEqual([400, `${name} works with the sandbox key only`]);
    },
  );

  it("answers 405 with the allowed methods", async () => {
    const put = async (path: string) => (await requestPath(path, { method: "PUT" })).headers.get("Allow");
    expect(await put("/api/alerts/email")).toBe("GET, HEAD, POST, DELETE");
    expect(await put("/api/health")).toBe("GET, HEAD");
  });

  it("answers 500 without internals, and logs them with the same request id", async () => {
    failWith(new Error("password hunter2 at /srv/app.ts:7"));
    const { status, body, headers } = await track();
    expect(status).toBe(500);
    expect(body).toEqual({
      error: "Something went wrong. Report the X-Request-Id to the operator.",
      code: "internal",
    });
    const requestId = headers.get("X-Request-Id");
    const failure = logged.map((line) => JSON.parse(line)).find(({ level }) => level === 50);
    expect(failure).toMatchObject({ requestId, err: { message: expect.stringContaining("hunter2") } });
    expect(await getCountBefore()).toBe(1);
  });

  it("answers 503 with Retry-After when the platform fails, and counts the request", async () => {
    failWith(new PlatformError("rate_limited", "403 for project 1234", 120));
    const answer = await track();
    const error = "The video platform is unavailable. Try again later.";
    expect(answer).toMatchObject({ status: 503, body: { error } });
    expect(answer.headers.get("Retry-After")).toBe("120");
    expect(await getCountBefore()).toBe(1);
  });

  it("answers 503 with Retry-After without a database, and still 401 to a mistyped key", async () => {
    const unreachable = connect("postgres://user:secret@127.0.0.1:1/nothing");
    serveWith({ db: unreachable.db, quota: createPostgresQuota({ ...service, db: unreachable.db }) });
    for (const path of ["/api/usage", "/api/nothing", "/api/health"]) {
      const answer = await requestPath(path);
      const error = "The service is unavailable. Try again.";
      expect(answer).toMatchObject({ status: 503, body: { error } });
      expect(answer.headers.get("Retry-After")).toBe("5");
    }
    expect((await requestPath("/api/usage", { key: `${key.secret}x` })).status).toBe(401);
    await unreachable.close();
  });

  describe("request body", () => {
    it("may have exactly 16 KiB", async () => {
      expect((await track(BODY.padEnd(16 * 1024))).status).toBe(200);
      expect((await track(BODY.padEnd(16 * 1024 + 1))).status).toBe(413);
      expect((await track(`{"channel_id":"${"ü".repeat(8 * 1024)}"}`)).status).toBe(413);
    });

    it("is read partly when it is too large, so that its sender gets the response", async () => {
      const sendMegabytes = async (megabytes: number) => {
        let left = megabytes;
        const pull = (controller: ReadableStreamDefaultController) =>
          left-- > 0 ? controller.enqueue(new Uint8Array(1024 * 1024)) : controller.close();
        const init = { method: POST, headers, body: new ReadableStream({ pull }), duplex: "half" };
        const { status } = await postTrack(new Request("http://growth.test/api/track", init));
        return [status, Math.max(left, 0)];
      };
      const headers = { "X-API-Key": key.secret, "Content-Type": "application/json" };
      expect(await sendMegabytes(8)).toEqual([413, 0]);
      const [status, left] = await sendMegabytes(100);
      expect(status).toBe(413);
      expect(left).toBeGreaterThan(85);
    });

    it("changes nothing when it is incomplete, even where no body is expected", async () => {
      await setAlertEmail(service, key.id, "scout@agency.test");
      const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error("gone"));
      const init = { method: "DELETE", body: new ReadableStream({ pull }), duplex: "half" };
      const headers = { "X-API-Key": key.secret };
      const answer = await deleteEmail(new Request("http://growth.test/api/alerts/email", { ...init, headers }));
      expect(answer.status).toBe(400);
      expect(await getAlertEmail(service, key.id)).toBe("scout@agency.test");
      expect(await getCountBefore()).toBe(0);
    });

    it("must be UTF-8", async () => {
      const headers = { "X-API-Key": key.secret, "Content-Type": "application/json" };
      const body = Buffer.from('{"channel_id":"@\xff\xfe"}', "latin1");
      const request = new Request("http://growth.test/api/track", { method: POST, headers, body });
      const response = await postTrack(request, { params: Promise.resolve({}) });
      expect(response.status).toBe(400);
      expect((await response.json()).issues).toEqual([{ field: "body", message: "must be UTF-8 text" }]);
    });

    it.each(["[]", "null", "7", '"@juniperfivecrits"', "true"])("must be an object, not %s", async (body) => {
      const answer = await track(body);
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toEqual([{ field: "body", message: "must be a JSON object" }]);
    });

    it("may have a content type in any case and unknown fields", async () => {
      const headers = { "Content-Type": "Application/JSON; charset=utf-8" };
      const body = { ...JSON.parse(BODY), tier: "pro", "": null };
      expect((await requestPath("/api/track", { method: POST, body, headers })).status).toBe(200);
    });

    it.each(["latin1", "utf-16", '"ISO-8859-1"', ""])("must not be in the charset %s", async (charset) => {
      const headers = { "Content-Type": `application/json; a=b; charset=${charset}` };
      const answer = await requestPath("/api/track", { method: POST, body: BODY, headers });
      expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    });

    it("ignores prototype names, also in path and query", async () => {
      for (const body of [`{"__proto__":${BODY}}`, `{"constructor":{"prototype":${BODY}}}`])
        expect((await track(body)).body.issues).toMatchObject([{ field: "channel_id" }]);
      for (const path of ["/api/track/__proto__/history", "/api/track/constructor/history", "/api/toString"])
        expect((await requestPath(path)).status).toBe(404);
      expect((await requestPath("/api/alerts?__proto__=1&constructor=2&toString=3")).status).toBe(200);
    });
  });

  it("answers success as JSON with rate headers, to be asked for again", async () => {
    const answer = await requestPath("/api/usage");
    expect(answer).toMatchObject({ status: 200, body: { status: "ok", requests_today: 1 } });
    expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(listRates(answer)).toEqual(FIRST_OF_DAY);
  });

  it("answers HEAD like GET without the body, and counts it", async () => {
    const head = await requestPath("/api/usage", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, body: null });
    expect(head.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(listRates(head)).toEqual(FIRST_OF_DAY);
    expect(await requestPath("/api/nothing", { method: "HEAD" })).toMatchObject({ status: 404, body: null });
    expect(await getCountBefore()).toBe(2);
  });

  it("repeats a caller's plain request id, and generates one otherwise", async () => {
    const fetchRequestId = async (given: string) =>
      (await send("/api/usage", { headers: { "X-Request-Id": given } })).headers.get("X-Request-Id");
    expect(await fetchRequestId("trace_0123-ABCD")).toBe("trace_0123-ABCD");
    const own = await Promise.all(["short", "a".repeat(65), "a space 123", "<b>12345</b>", ""].map(fetchRequestId));
    for (const id of own) expect(id).toMatch(/^req_[0-9a-f]{24}$/);
    expect(new Set(own).size).toBe(own.length);
  });

  it.each(["/api/openapi.json", "/api/health"])("needs no key for %s and counts nothing", async (path) => {
    const answer = await requestPath(path);
    expect(answer.status).toBe(200);
    expect(listRates(answer).some(Boolean)).toBe(false);
    expect(await getCountBefore()).toBe(0);
  });

  it("lets caches keep the OpenAPI document, but no error", async () => {
    const fetchKept = async (method: "GET" | "HEAD" | "POST") =>
      (await requestPath("/api/openapi.json", { method })).headers.get("Cache-Control");
    expect(await Promise.all([fetchKept("GET"), fetchKept("HEAD"), fetchKept("POST")])).toEqual([
      "public, max-age=300",
      "public, max-age=300",
      "private, no-store",
    ]);
  });

  it("keeps a key in a path out of the log", async () => {
    const { secret } = key;
    for (const path of [`/api/track/${secret}`, `/api/${secret}/history`, `/api/x${secret}x`]) await requestPath(path);
    expect(logged).toHaveLength(3);
    expect(logged.join()).toContain("cg_…");
    expect(logged.join()).not.toContain(secret.slice(3, 20));
  });
});
