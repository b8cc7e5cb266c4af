import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { GET, POST } from "@/app/api/trpc/[trpc]/route";
import { consoleSessions } from "@/core/db/schema";
import { DAY, HOUR, MINUTE } from "@/core/time";
import { deleteKey, revokeKey, rotateKey } from "@/features/keys/service";
import { MOST_SESSIONS } from "@/features/sessions/rules";
import { beginSession, purgeSessions } from "@/features/sessions/service";
import { sampleChannelId } from "@/platform/sample";
import { createKey, type TestKey, useService } from "@/test/service";

const OWN_PAGE = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
const SPROCKET = sampleChannelId("@sprocketowl");

const Reply = z.object({
  result: z.object({ data: z.unknown() }).optional(),
  error: z
    .object({
      message: z.string(),
      // Strict: neither a stack nor a path of the source is among it.
      data: z.strictObject({
        code: z.string(),
        httpStatus: z.int(),
        requestId: z.string(),
        issues: z.array(z.object({ field: z.string(), message: z.string() })),
        retryAfter: z.int().nullable(),
      }),
    })
    .optional(),
});

describe("the console's procedures", () => {
  const service = useService();
  let key: TestKey;
  let cookie: string;

  async function call(method: "GET" | "POST", procedure: string, input?: unknown, headers = {}) {
    const text = JSON.stringify(input);
    const query = method === "GET" && input !== undefined ? `?${new URLSearchParams({ input: text })}` : "";
    const request = new Request(`http://growth.test/api/trpc/${procedure}${query}`, {
      method,
      headers: {
        Cookie: cookie,
        "X-Client-Address": "192.0.2.1",
        ...(method === "POST" && OWN_PAGE),
        ...headers,
      },
      ...(method === "POST" && { body: text ?? "" }),
    });
    const response = await (method === "GET" ? GET : POST)(request);
    const body: unknown = await response.json();
    const reply = response.headers.has("x-request-id") && Reply.safeParse(body).data;
    return { status: response.status, response, body, ...(reply || {}) };
  }
  const query = (procedure: string, input?: unknown) => call("GET", procedure, input);
  const change = (procedure: string, input: unknown = {}) => call("POST", procedure, input);

  async function signIn(secret = key.secret) {
    const answer = await change("sessions.signIn", { key: secret });
    const [set = ""] = answer.response.headers.getSetCookie();
    if (set) cookie = set.split(";")[0] ?? "";
    return { ...answer, set };
  }
  const usedToday = async () =>
    z.object({ requests_today: z.int() }).parse((await query("usage.today")).result?.data);

  beforeEach(async () => {
    cookie = "";
    service.clock.advance(DAY);
    key = await createKey(service, "free");
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["alerts.list", "channel_id", { channel_id: "\u0000" }],
    ["alerts.inbox", "channel_id", { channel_id: "UC\ud800" }],
    ["alerts.list", "day", { day: "0000-01-01" }],
    ["alerts.inbox", "day", { day: "1999-12-31" }],
    ["creators.tracked", "search", { search: "a\u0000b" }],
    ["creators.tracked", "search", { search: "a\ud800b" }],
    ["creators.get", "channel_id", { channel_id: "\u0000" }],
    ["creators.history", "channel_id", { channel_id: "UC\u0000" }],
    ["requests.list", "path", { path: "/api/\u0000" }],
    ["requests.list", "path", { path: "\udfff" }],
    ["requests.list", "before", { before: "999999999999999-1" }],
    ["requests.list", "before", { before: "1-9999999999999999" }],
    ["discovery.discover", "niche", { niche: "chess \ud83d" }],
  ])("%s names the %s that is wrong in %j", async (procedure, field, input) => {
    await signIn();
    const ask = procedure === "discovery.discover" ? change : query;
    const { status, error } = await ask(procedure, input);
    expect([status, error?.data.issues.map((issue) => issue.field)]).toEqual([400, [field]]);
  });

  it("take the furthest values that are allowed", async () => {
    await signIn();
    const channel_id = SPROCKET;
    for (const [procedure, input] of [
      ["alerts.list", { channel_id, day: "2000-01-01" }],
      ["alerts.inbox", { channel_id, day: "9999-12-31" }],
      ["creators.tracked", { search: "𝕳💥é" }],
      ["requests.list", { path: "💥", before: "99999999999999-99999" }],
    ] as const)
      expect((await query(procedure, input)).status, procedure).toBe(200);
  });

  it("let nobody see anything without a session", async () => {
    const procedures = `keys.mine usage.today usage.byDay addresses.get snapshots.status alerts.list alerts.inbox
      alerts.creators creators.tracked`;
    for (const procedure of procedures.split(/\s+/))
      expect(await query(procedure)).toMatchObject({
        status: 401,
        error: { data: { code: "UNAUTHORIZED" } },
      });
    cookie = "session=Fe26.2*1*forged";
    expect((await query("keys.mine")).status).toBe(401);
  });

  it("seal the session in a cookie that scripts cannot read and other sites cannot send", async () => {
    const { status, set } = await signIn();
    expect(status).toBe(200);
    expect(set).toMatch(/^session=Fe26\.2\S+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
    expect(set).not.toContain(key.secret);
    expect((await query("keys.mine")).result?.data).toMatchObject({
      label: "Test",
      tier: "free",
      last_used_at: null,
    });
  });

  it("end a session with its key: revoked, rotated or deleted", async () => {
    for (const end of [revokeKey, rotateKey, deleteKey]) {
      key = await createKey(service, "free");
      await signIn();
      expect((await query("keys.mine")).status).toBe(200);
      await end(service, key.id);
      expect((await query("keys.mine")).status).toBe(401);
    }
  });

  it("let a session that was signed out of never be used again, also by a copy of its cookie", async () => {
    await signIn();
    const copy = cookie;
    await signIn();
    const other = cookie;
    // Signing in anew ends the session that the browser had.
    cookie = copy;
    expect((await query("keys.mine")).status).toBe(401);
    cookie = other;
    expect((await query("keys.mine")).status).toBe(200);
    const { response } = await change("sessions.signOut");
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; .*Max-Age=0/)]);
    expect((await query("keys.mine")).status).toBe(401);
    expect((await change("sessions.signOut")).status).toBe(200);
  });

  it("end no other session of the key by signing out of one", async () => {
    await signIn();
    const elsewhere = cookie;
    cookie = "";
    await signIn();
    await change("sessions.signOut");
    cookie = elsewhere;
    expect((await query("keys.mine")).status).toBe(200);
  });

  it("give each sign-in a session of its own, whatever cookie was there before", async () => {
    cookie = "session=chosen-by-somebody-else";
    const { set } = await signIn();
    const first = cookie;
    cookie = "session=chosen-by-somebody-else";
    await signIn();
    expect(set).not.toContain("chosen-by-somebody-else");
    expect(cookie).not.toBe(first);
  });

  it("show and change nothing for a page of another key than the session's, count nothing, and let it sign out", async () => {
    await signIn();
    const pageOf = ({ id }: TestKey) => ({ "X-Page-Key": id });
    const other = pageOf(await createKey(service, "free"));
    for (const [method, procedure, input] of [
      ["GET", "keys.mine", undefined],
      ["GET", "usage.today,keys.mine?batch=1", undefined],
      ["POST", "addresses.set", { email: "scout@example.com" }],
      ["POST", "discovery.discover", { niche: "gaming" }],
    ] as const) {
      const answer = await call(method, procedure, input, other);
      expect(answer.status, procedure).toBe(401);
      expect([answer.body].flat()).toContainEqual({
        error: expect.objectContaining({
          message: "Please sign in with your API key",
          data: expect.objectContaining({ code: "UNAUTHORIZED" }),
        }),
      });
    }
    expect(await usedToday()).toEqual({ requests_today: 0 });
    expect((await query("addresses.get")).result?.data).toMatchObject({ email: null });
    expect((await call("GET", "keys.mine", undefined, pageOf(key))).status).toBe(200);
    expect((await call("POST", "sessions.signOut", {}, other)).status).toBe(200);
    expect((await query("keys.mine")).status).toBe(401);
  });

  it("keep the newest hundred sessions of a key, for a month at most", async () => {
    await signIn();
    service.clock.advance(1);
    for (let more = 0; more < MOST_SESSIONS; more++) await beginSession(service, key.id);
    expect((await query("keys.mine")).status).toBe(401);
    const count = () => service.db.$count(consoleSessions, eq(consoleSessions.keyId, key.id));
    expect(await count()).toBe(MOST_SESSIONS);
    service.clock.advance(30 * DAY);
    await purgeSessions(service);
    expect(await count()).toBe(0);
  });

  it("end a session a week after its last use, and any after a month", async () => {
    await signIn();
    service.clock.advance(7 * DAY);
    expect((await query("keys.mine")).status).toBe(401);
    await signIn();
    for (let day = 0; day < 29; day++) {
      service.clock.advance(DAY);
      const { status, response } = await query("keys.mine");
      expect(status).toBe(200);
      cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    }
    service.clock.advance(DAY);
    expect((await query("keys.mine")).status).toBe(401);
  });

  it("renew the cookie of a session in use, at most hourly", async () => {
    await signIn();
    service.clock.advance(HOUR - 1);
    expect((await query("keys.mine")).response.headers.getSetCookie()).toEqual([]);
    service.clock.advance(1);
    expect((await query("keys.mine")).response.headers.getSetCookie()).toHaveLength(1);
  });

  it("begin sessions one after another, of which no more than a hundred stand", async () => {
    const begun = await Promise.all(Array.from({ length: 130 }, () => beginSession(service, key.id)));
    expect(new Set(begun).size).toBe(130);
    const rows = await service.db
      .select({ id: consoleSessions.id })
      .from(consoleSessions)
      .where(eq(consoleSessions.keyId, key.id));
    expect(rows).toHaveLength(MOST_SESSIONS);
  });

  it("sign in once a request, and are answered at once and whole, whatever is asked for", async () => {
    for (const path of ["", "/", "//"].map((end) => `sessions.signIn,sessions.signIn${end}?batch=1`)) {
      const twice = await call("POST", path, { 0: { key: key.secret }, 1: { key: key.secret } });
      expect(twice).toMatchObject({ status: 400, body: { error: "One request signs in once" } });
    }
    const streamed = { "trpc-accept": "application/jsonl", Accept: "application/jsonl" };
    const { response } = await call("POST", "sessions.signIn", { key: key.secret }, streamed);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.getSetCookie()).toHaveLength(1);
  });

  it("know a session by one name only", async () => {
    await signIn();
    for (const more of ["x", "~2", "~"]) {
      const answer = await call("GET", "keys.mine", undefined, { Cookie: cookie + more });
      expect(answer.status).toBe(401);
    }
    expect((await query("keys.mine")).status).toBe(200);
  });

  it("know nobody by two cookies, and end the sessions of both by signing out", async () => {
    await signIn();
    const one = cookie;
    await signIn();
    const both = { Cookie: `${one}; ${cookie}` };
    expect((await call("GET", "keys.mine", undefined, both)).status).toBe(401);
    expect((await call("POST", "sessions.signOut", undefined, both)).status).toBe(200);
    for (const Cookie of [one, cookie])
      expect((await call("GET", "keys.mine", undefined, { Cookie })).status).toBe(401);
  });

  it("count wrong keys per address for a quarter of an hour, and always let a right one in", async () => {
    const wrong = (address: string) =>
      call("POST", "sessions.signIn", { key: "cg_wrong" }, { "X-Client-Address": address });
    for (let tried = 0; tried < 10; tried++) expect((await wrong("198.51.100.1")).status).toBe(400);
    expect(await wrong("198.51.100.1")).toMatchObject({
      status: 429,
      error: { data: { issues: [{ field: "key", message: "was wrong too often; try again in 15 min" }] } },
    });
    expect((await wrong("198.51.100.2")).status).toBe(400);
    const right = await call(
      "POST",
      "sessions.signIn",
      { key: key.secret },
      { "X-Client-Address": "198.51.100.1" },
    );
    expect(right.status).toBe(200);
    service.clock.advance(15 * MINUTE);
    expect((await wrong("198.51.100.1")).status).toBe(400);
  });

  it("count searches and tracking as the API does, and nothing else", async () => {
    await signIn();
    for (const procedure of ["keys.mine", "usage.byDay", "creators.tracked", "alerts.list"])
      expect((await query(procedure, {})).status).toBe(200);
    expect(await usedToday()).toEqual({ requests_today: 0 });
    expect((await change("discovery.discover", { niche: "gaming" })).status).toBe(200);
    expect((await change("creators.track", { channel_id: "@sprocketowl" })).status).toBe(200);
    expect((await change("creators.track", { channel_id: "not a channel" })).status).toBe(400);
    expect((await change("creators.untrack", { channel_id: SPROCKET })).status).toBe(200);
    expect(await usedToday()).toEqual({ requests_today: 3 });
  });

  it("send test mails to the key's own address, count none of them as a request, and refuse the fourth", async () => {
    await signIn();
    expect((await change("addresses.test")).status).toBe(400);
    const email = "scout@example.com";
    await change("addresses.set", { email });
    for (const left of [2, 1, 0]) {
      expect(await change("addresses.test", { email: "victim@example.com" })).toMatchObject({
        status: 200,
        result: { data: { message: `A test mail was sent to ${email}` } },
      });
      expect((await query("addresses.get")).result?.data).toEqual({
        email,
        awaits_confirmation: false,
        test_mails_left: left,
      });
    }
    const refused = await change("addresses.test");
    expect(refused).toMatchObject({ status: 429, error: { data: { retryAfter: expect.any(Number) } } });
    expect(Number(refused.response.headers.get("Retry-After"))).toBe(refused.error?.data.retryAfter);
    expect(service.mails.filter(({ tags }) => tags.kind === "test").map(({ to }) => to)).toEqual([
      email,
      email,
      email,
    ]);
    expect(await usedToday()).toEqual({ requests_today: 0 });
  });

  it("refuse what counts once the day's limit is reached, and still show everything", async () => {
    await signIn();
    while ((await service.quota.take(key.id, 50)).granted);
    const refused = await change("discovery.discover", { niche: "gaming" });
    expect(refused).toMatchObject({ status: 429, error: { message: "Daily rate limit reached" } });
    expect((await query("creators.tracked", {})).status).toBe(200);
    expect(await usedToday()).toEqual({ requests_today: 50 });
  });

  it("refuse changes that other sites ask for, and bodies that are no JSON or too large", async () => {
    await signIn();
    for (const claim of [{ "Sec-Fetch-Site": "cross-site" }, { "Sec-Fetch-Site": "none" }])
      expect((await call("POST", "addresses.clear", {}, claim)).status).toBe(403);
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await call("POST", "addresses.clear", {}, form)).status).toBe(415);
    expect((await change("addresses.set", { email: "x".repeat(20_000) })).status).toBe(413);
    expect((await query("addresses.clear")).status).toBe(405);
  });

  it("name each wrong field, and tell nothing of the inside", async () => {
    await signIn();
    const wrong = await change("addresses.set", { email: "nowhere" });
    expect(wrong).toMatchObject({
      status: 400,
      error: {
        data: {
          code: "BAD_REQUEST",
          issues: [{ field: "email", message: expect.stringMatching(/^must be/) }],
        },
      },
    });
    expect((await query("keys.nothing")).status).toBe(404);
    const { quota } = service;
    service.quota = { ...quota, used: () => Promise.reject(new Error("password=hunter2")) };
    const failed = await query("usage.today");
    service.quota = quota;
    expect(failed.status).toBe(500);
    expect(JSON.stringify(failed.body)).not.toContain("hunter2");
    expect(failed.error?.data.requestId).toBe(failed.response.headers.get("x-request-id"));
  });
});
