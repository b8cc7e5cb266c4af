import { describe, expect, it } from "vitest";
import { getSampleChannelId } from "@/platform/sample";
import { useProcedures } from "@/test/console";

const SPROCKET = getSampleChannelId("@sprocketowl");

describe("console procedures", () => {
  const { service, reader, call, query, change, signIn, usedToday } = useProcedures();

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
  ])("%s names the wrong %s in %j", async (procedure, field, input) => {
    await signIn();
    const callProcedure = procedure === "discovery.discover" ? change : query;
    const { status, error } = await callProcedure(procedure, input);
    expect([status, error?.data.issues.map((issue) => issue.field)]).toEqual([400, [field]]);
  });

  it("accept the extreme values that are allowed", async () => {
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

  it("show nothing without a session", async () => {
    const procedures = `keys.mine usage.today usage.byDay addresses.get snapshots.status alerts.list alerts.inbox
      alerts.creators creators.tracked lists.all views.all creators.chart`;
    for (const procedure of procedures.split(/\s+/))
      expect(await query(procedure)).toMatchObject({
        status: 401,
        error: { data: { code: "UNAUTHORIZED" } },
      });
    reader.cookie = "session=Fe26.2*1*forged";
    expect((await query("keys.mine")).status).toBe(401);
  });

  it("sign in once per request, and never stream", async () => {
    for (const path of ["", "/", "//"].map((end) => `sessions.signIn,sessions.signIn${end}?batch=1`)) {
      const twice = await call("POST", path, {
        0: { key: reader.key.secret },
        1: { key: reader.key.secret },
      });
      expect(twice).toMatchObject({ status: 400, body: { error: "Sign in once per request" } });
    }
    const streamed = { "trpc-accept": "application/jsonl", Accept: "application/jsonl" };
    const { response } = await call("POST", "sessions.signIn", { key: reader.key.secret }, streamed);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.getSetCookie()).toHaveLength(1);
  });

  it("count searches and tracking like the API, and nothing else", async () => {
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

  it("send three test emails a day to the key's address, without counting a request", async () => {
    await signIn();
    expect((await change("addresses.test")).status).toBe(400);
    const email = "scout@example.com";
    await change("addresses.set", { email });
    for (const left of [2, 1, 0]) {
      expect(await change("addresses.test", { email: "victim@example.com" })).toMatchObject({
        status: 200,
        result: { data: { message: `A test email was sent to ${email}` } },
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
    expect(service.mails.filter(({ tags }) => tags.kind === "test").map(({ to }) => to)).toEqual([email, email, email]);
    expect(await usedToday()).toEqual({ requests_today: 0 });
  });

  it("refuse counted calls over the daily limit, and still show everything", async () => {
    await signIn();
    while ((await service.quota.take(reader.key.id, 50)).granted);
    const refused = await change("discovery.discover", { niche: "gaming" });
    expect(refused).toMatchObject({ status: 429, error: { message: "Daily rate limit reached" } });
    expect((await query("creators.tracked", {})).status).toBe(200);
    expect(await usedToday()).toEqual({ requests_today: 50 });
  });

  it("refuse changes from other sites, and bodies that are not JSON or too large", async () => {
    await signIn();
    for (const forgedHeaders of [{ "Sec-Fetch-Site": "cross-site" }, { "Sec-Fetch-Site": "none" }])
      expect((await call("POST", "addresses.clear", {}, forgedHeaders)).status).toBe(403);
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await call("POST", "addresses.clear", {}, form)).status).toBe(415);
    expect((await change("addresses.set", { email: "x".repeat(20_000) })).status).toBe(413);
    expect((await query("addresses.clear")).status).toBe(405);
  });

  it("name each wrong field, without internals", async () => {
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
    service.quota = { ...quota, getUsed: () => Promise.reject(new Error("password=hunter2")) };
    const failed = await query("usage.today");
    service.quota = quota;
    expect(failed.status).toBe(500);
    expect(JSON.stringify(failed.body)).not.toContain("hunter2");
    expect(failed.error?.data.requestId).toBe(failed.response.headers.get("x-request-id"));
  });
});
