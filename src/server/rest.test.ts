import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { POST as postTrack } from "@/app/api/track/route";
import { connect } from "@/core/db/client";
import { deleteKey, setTier } from "@/features/keys/service";
import { PlatformError } from "@/platform/port";
import { type Answer, send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { type AppContext, installContext } from "./context";

const UNAUTHORIZED = { error: "Invalid API key" };
const RATE_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Tier",
  "RateLimit",
  "RateLimit-Policy",
];
const TEXT = { "Content-Type": "text/plain" };
const LARGE = `{"channel_id":"${"x".repeat(16 * 1024)}"}`;

type Sent = [path: string, options: Parameters<typeof send>[1]];

/** One request for each way of being wrong, with the status that a let-in one is answered. */
const WRONG: [string, number, Sent][] = [
  ["an unknown path", 404, ["/api/nothing/here", {}]],
  ["a resource that is not there", 404, ["/api/track/nothing", { method: "DELETE" }]],
  [
    "a method the path has not, whatever its body",
    405,
    ["/api/usage", { method: "POST", body: LARGE, headers: TEXT }],
  ],
  [
    "a body that is not JSON by its type, whatever its size",
    415,
    ["/api/track", { method: "POST", body: LARGE, headers: TEXT }],
  ],
  [
    "a body that is too large, whatever is in it",
    413,
    ["/api/track", { method: "POST", body: `${LARGE}nonsense` }],
  ],
  ["a body that is not JSON", 400, ["/api/track", { method: "POST", body: "{" }]],
  ["a wrong query parameter", 400, ["/api/alerts?limit=0", {}]],
];

describe("REST", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
  });
  afterEach(() => installContext(service));

  const serveWith = (parts: Partial<AppContext>) => installContext({ ...service, ...parts });

  /** Lets the platform answer a search for one channel by what `find` does. */
  const platformThat = (find: () => Promise<null>) => ({ platform: { ...service.platform, find } });

  const track = (body: unknown = { channel_id: "@juniperfivecrits" }) =>
    send("/api/track", { key: key.secret, method: "POST", body });

  const usedToday = async () => (await send("/api/usage", { key: key.secret })).body.requests_today - 1;

  async function exhaust(): Promise<void> {
    for (let request = 0; request < 50; request++) await service.quota.take(key.id, 50);
  }

  const rateHeaders = ({ headers }: Answer) => RATE_HEADERS.map((name) => headers.get(name));

  describe("the order of checks", () => {
    it.each(WRONG)("puts 401 before everything: %s", async (_, __, [path, options]) => {
      const answer = await send(path, options);
      expect(answer).toMatchObject({ status: 401, body: UNAUTHORIZED });
      expect(rateHeaders(answer)).toEqual([null, null, null, null, null]);
    });

    it.each(WRONG)("puts 429 next: %s", async (_, __, [path, options]) => {
      await exhaust();
      expect((await send(path, { ...options, key: key.secret })).status).toBe(429);
    });

    it.each(WRONG)(
      "then comes the request itself: %s is %i, counted and with rate headers",
      async (_, status, [path, options]) => {
        const answer = await send(path, { ...options, key: key.secret });
        expect(answer.status).toBe(status);
        expect(rateHeaders(answer)).toEqual([
          "50",
          "49",
          "free",
          '"daily";r=49;t=43200',
          '"daily";q=50;w=86400',
        ]);
        expect(await usedToday()).toBe(1);
      },
    );
  });

  describe("the body of", () => {
    it("401 is the same for every cause", async () => {
      const other = await createKey(service);
      await deleteKey(service, other.id);
      for (const given of [
        undefined,
        "",
        "nonsense",
        `${key.secret}x`,
        other.secret,
        `${key.secret}, ${key.secret}`,
      ])
        expect(await send("/api/usage", { key: given })).toMatchObject({ status: 401, body: UNAUTHORIZED });
    });

    it("429 is the specification's, with the seconds to midnight in Retry-After", async () => {
      await exhaust();
      service.clock.set("2026-03-10T23:59:58.500Z");
      const answer = await send("/api/usage", { key: key.secret });
      expect(answer.status).toBe(429);
      expect(answer.body).toEqual({
        error: "Daily rate limit reached",
        tier: "free",
        limit: 50,
        used: 50,
        resets_at: "midnight UTC",
      });
      expect(answer.headers.get("Retry-After")).toBe("2");
      expect(rateHeaders(answer)).toEqual(["50", "0", "free", '"daily";r=0;t=2', '"daily";q=50;w=86400']);
      service.clock.set("2026-03-11T00:00:00.000Z");
      expect((await send("/api/usage", { key: key.secret })).body.requests_today).toBe(1);
    });

    it("429 does not count, and a larger tier lets the next request in", async () => {
      await exhaust();
      for (let refused = 0; refused < 3; refused++) await send("/api/usage", { key: key.secret });
      await setTier(service, key.id, "starter");
      expect((await send("/api/usage", { key: key.secret })).body).toMatchObject({
        requests_today: 51,
        tier: "starter",
      });
    });

    it("400 names each wrong field and what it may be", async () => {
      const { body } = await send("/api/discover?niche=a&limit=x&min_subscribers=-1", { key: key.secret });
      expect(body.issues).toEqual([
        { field: "limit", message: "must be a whole number from 1 to 50" },
        { field: "min_subscribers", message: "must be a whole number from 0 to 1000000000" },
      ]);
      expect(Object.keys(body)).toEqual(["error", "issues"]);
      expect(body.error).toBe(
        body.issues.map(({ field, message }: Record<string, string>) => `${field} ${message}`).join("; "),
      );
      const repeated = await send("/api/alerts?limit=1&limit=1", { key: key.secret });
      expect(repeated.body.issues).toEqual([{ field: "limit", message: "must be given only once" }]);
    });

    it.each(WRONG.slice(0, 5))("%s is one sentence in `error`", async (_, __, [path, options]) => {
      const { body } = await send(path, { ...options, key: key.secret });
      expect(body).toEqual({ error: expect.stringMatching(/^(There is|The) /) });
    });

    it("405 comes with the methods that are allowed", async () => {
      const { headers } = await send("/api/alerts/email", { key: key.secret, method: "PUT" });
      expect(headers.get("Allow")).toBe("GET, HEAD, POST, DELETE");
      const health = await send("/api/health", { method: "DELETE" });
      expect([health.status, health.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    });

    it("500 holds nothing of the inside, and the log holds the cause under the same request id", async () => {
      const lines: string[] = [];
      const log = pino({}, { write: (line: string) => lines.push(line) });
      const find = async () => {
        throw new Error("password hunter2 at /srv/app.ts:7");
      };
      serveWith({ log, ...platformThat(find) });
      const { status, body, headers } = await track();
      expect(status).toBe(500);
      expect(body).toEqual({ error: "The service failed to answer; please report the X-Request-Id" });
      const failure = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 50);
      expect(failure).toMatchObject({
        requestId: headers.get("X-Request-Id"),
        err: { message: /hunter2/.source && expect.stringContaining("hunter2") },
      });
      expect(await usedToday()).toBe(1);
    });

    it("503 says when to try again: the platform", async () => {
      const find = async () => {
        throw new PlatformError("rate_limited", "403 for project 1234", 120);
      };
      serveWith(platformThat(find));
      const { status, body, headers } = await track();
      expect(status).toBe(503);
      expect(body).toEqual({ error: "The video platform cannot answer right now; please try again later" });
      expect(headers.get("Retry-After")).toBe("120");
      expect(await usedToday()).toBe(1);
    });

    it("503 says when to try again: the database, though a mistyped key is still 401", async () => {
      const unreachable = connect("postgres://nobody:secret@127.0.0.1:1/nothing");
      serveWith({ db: unreachable.db });
      for (const path of ["/api/usage", "/api/nothing", "/api/health"]) {
        const { status, body, headers } = await send(path, { key: key.secret });
        expect(status).toBe(503);
        expect(body).toEqual({ error: "The service cannot answer right now; please try again" });
        expect(headers.get("Retry-After")).toBe("5");
      }
      expect((await send("/api/usage", { key: `${key.secret}x` })).status).toBe(401);
      await unreachable.close();
    });

    it("401 also meets a key that is deleted while its request is under way", async () => {
      const find = async () => {
        await deleteKey(service, key.id);
        return service.platform.find({ kind: "handle", handle: "@juniperfivecrits" }) as Promise<null>;
      };
      serveWith(platformThat(find));
      expect(await track()).toMatchObject({ status: 401, body: UNAUTHORIZED });
    });
  });

  describe("a request body", () => {
    const padded = (bytes: number) => `{"channel_id":"@juniperfivecrits"}`.padEnd(bytes, " ");

    it("may have 16 KiB and not a byte more, counted in bytes", async () => {
      expect((await track(padded(16 * 1024))).status).toBe(200);
      expect((await track(padded(16 * 1024 + 1))).status).toBe(413);
      expect((await track(JSON.stringify({ channel_id: "ü".repeat(8 * 1024) }))).status).toBe(413);
    });

    it("is refused as text that is not UTF-8", async () => {
      const request = new Request("http://growth.test/api/track", {
        method: "POST",
        headers: { "X-API-Key": key.secret, "Content-Type": "application/json" },
        body: new Uint8Array([...Buffer.from('{"channel_id":"@'), 0xff, 0xfe, ...Buffer.from('"}')]),
      });
      const response = await postTrack(request, { params: Promise.resolve({}) });
      expect(response.status).toBe(400);
      expect((await response.json()).issues).toEqual([{ field: "body", message: "must be UTF-8 text" }]);
    });

    it.each(["[]", "null", "7", '"@juniperfivecrits"', "true"])(
      "is refused as JSON that is no object: %s",
      async (body) => {
        const answer = await track(body);
        expect(answer.status).toBe(400);
        expect(answer.body.issues).toEqual([{ field: "body", message: "must be a JSON object" }]);
      },
    );

    it("gains nothing by the names of prototypes", async () => {
      for (const body of [
        '{"__proto__":{"channel_id":"@juniperfivecrits"}}',
        '{"constructor":{"prototype":{"channel_id":"@a"}}}',
      ])
        expect((await track(body)).body.issues).toMatchObject([{ field: "channel_id" }]);
      for (const path of ["/api/track/__proto__/history", "/api/track/constructor/history", "/api/toString"])
        expect((await send(path, { key: key.secret })).status).toBe(404);
      const { status } = await send("/api/alerts?__proto__=1&constructor=2&toString=3", { key: key.secret });
      expect(status).toBe(200);
      expect((await send("/api/usage", { key: "__proto__" })).status).toBe(401);
    });

    it("has its type told in any case, with parameters, and its unknown fields ignored", async () => {
      const headers = { "Content-Type": "Application/JSON; charset=utf-8" };
      const body = { channel_id: "@juniperfivecrits", tier: "pro", "": null };
      const options = { key: key.secret, method: "POST" as const, body, headers };
      expect((await send("/api/track", options)).status).toBe(200);
    });
  });

  it("answers a success as JSON that is not stored, with every rate header", async () => {
    const answer = await send("/api/usage", { key: key.secret });
    expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect(rateHeaders(answer)).toEqual(["50", "49", "free", '"daily";r=49;t=43200', '"daily";q=50;w=86400']);
  });

  it("answers HEAD as GET without the body, and counts it", async () => {
    const head = await send("/api/usage", { key: key.secret, method: "HEAD" });
    expect(head).toMatchObject({ status: 200, body: null });
    expect(head.headers.get("X-RateLimit-Remaining")).toBe("49");
    expect(head.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await send("/api/nothing", { key: key.secret, method: "HEAD" })).toMatchObject({
      status: 404,
      body: null,
    });
    expect(await usedToday()).toBe(2);
  });

  it("gives a caller's plain request id back, and every other request one of its own", async () => {
    const idFor = async (given: string) =>
      (await send("/api/usage", { headers: { "X-Request-Id": given } })).headers.get("X-Request-Id");
    expect(await idFor("trace_0123-ABCD")).toBe("trace_0123-ABCD");
    const own = await Promise.all(
      ["short", "a".repeat(65), "with space 123", "<script>123</script>", ""].map(idFor),
    );
    for (const id of own) expect(id).toMatch(/^req_[0-9a-f]{24}$/);
    expect(new Set(own).size).toBe(own.length);
  });

  it("asks no key for description and health, and counts nothing there", async () => {
    for (const path of ["/api/openapi.json", "/api/health"]) {
      const answer = await send(path, { key: key.secret });
      expect(answer.status).toBe(200);
      expect(rateHeaders(answer)).toEqual([null, null, null, null, null]);
    }
    expect(await usedToday()).toBe(0);
  });

  it("keeps a key that was put into a path out of the log", async () => {
    const lines: string[] = [];
    serveWith({ log: pino({}, { write: (line: string) => lines.push(line) }) });
    for (const path of [
      `/api/track/${key.secret}`,
      `/api/${key.secret}/history`,
      `/api/usage/${key.secret}x`,
    ])
      await send(path, { key: key.secret });
    expect(lines).toHaveLength(3);
    expect(lines.join()).toContain("cg_…");
    expect(lines.join()).not.toContain(key.secret.slice(3, 20));
  });
});
