import { hash } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "@/core/time";
import { connect, type DatabaseConnection } from "@/db/client";
import { SEVERITIES } from "@/db/values";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { MAX_SESSIONS, REQUESTS_PER_ADDRESS, SESSIONS_PER_ADDRESS } from "@/features/sandbox/service";
import { signIn } from "@/features/sessions/service";
import { SANDBOX_CREATORS } from "@/platform/sandbox";
import { installContext } from "@/server/context";
import { buildExampleUrl } from "@/server/docs/snippets";
import { type Answer, send } from "@/test/request";
import { createKey, TEST_START, useService } from "@/test/service";
import { CONTRACTS } from "./endpoints";

type Options = Parameters<typeof send>[1];
type Alert = { message: string; id: string; channel_id: string; channel_url: string };
type Case = [name: string, path: string, options: Options];

const UNAUTHORIZED = { status: 401, body: { error: "Invalid API key" } };
const LATER = "2026-03-14T12:00:00.000Z";

/** A request for each endpoint, about a creator. */
function createRequests(creator: string): Case[] {
  // A creator that was untracked cannot be muted.
  const inOrder = CONTRACTS.toSorted(
    (one, other) => Number(one.id === "untrackCreator") - Number(other.id === "untrackCreator"),
  );
  return inOrder.map((contract) => {
    const { method, id, example } = contract;
    const given = { ...example, params: example.params && { channel_id: creator } };
    const body = example.body && "channel_id" in example.body ? { channel_id: creator } : example.body;
    const path = buildExampleUrl({ ...contract, example: given }, { appUrl: "", sample: true, hasSandbox: true });
    return [id, path, { method: method as "GET" | "POST" | "DELETE", body }];
  });
}

describe("sandbox", () => {
  const service = useService();
  const connections: DatabaseConnection[] = [];
  let named = 0;
  let session: string;

  beforeEach(() => {
    service.clock.set(TEST_START);
    installContext(service);
    session = `session-${named++}`;
  });
  afterAll(() => Promise.all(connections.map(({ close }) => close())));

  /** Serves the next requests as another instance on the same database. */
  function serveElsewhere(url = service.databaseUrl): void {
    const other = connect(url, { max: 2 });
    connections.push(other);
    installContext({ ...service, sandbox: other.db });
  }

  function sendSandboxed(path: string, options: Options = {}, at?: string): Promise<Answer> {
    const headers = { "X-Sandbox-Session": session, ...(at && { "X-Test-Clock": at }), ...options.headers };
    return send(path, { key: SANDBOX_KEY, ...options, headers });
  }

  const listSeverities = ({ body }: Answer) =>
    new Set(body.alerts.map(({ severity }: { severity: string }) => severity));

  /** Everything in a schema, table by table. */
  async function readContent(schema: string): Promise<Record<string, string>> {
    const tables = await service.db.execute<{ name: string }>(
      sql`select relname as name from pg_class where relnamespace = ${schema}::regnamespace and relkind = 'r'`,
    );
    const content: Record<string, string> = {};
    for (const { name } of tables) {
      const table = sql`${sql.identifier(schema)}.${sql.identifier(name)}`;
      const [row] = await service.db.execute<{ text: string }>(
        sql`select coalesce(string_agg(t::text, e'\n' order by t::text), '') as text from ${table} t`,
      );
      content[name] = row?.text ?? "";
    }
    return content;
  }

  it("shows every severity within days of its clock, with two instances on one database", async () => {
    const first = await sendSandboxed("/api/track");
    expect(first.body.creators.map(({ handle }: { handle: string }) => handle).sort()).toEqual(
      SANDBOX_CREATORS.map((name) => `@${name}`).sort(),
    );
    expect((await sendSandboxed("/api/alerts")).body.alerts).toEqual([]);
    // As behind a pooler.
    serveElsewhere(`${service.databaseUrl}?pgbouncer=true`);
    const moved = await sendSandboxed("/api/alerts", {}, LATER);
    expect(listSeverities(moved)).toEqual(new Set(SEVERITIES));
    installContext(service);
    const read = await sendSandboxed("/api/alerts");
    expect(read.body.alerts).toEqual(moved.body.alerts);
    expect(read.headers.get("x-sandbox")).toBe(`clock=${LATER}; ends=2026-03-10T13:00:00.000Z`);
    expect(read.body.sandbox).toMatchObject({ clock: LATER, ends_at: "2026-03-10T13:00:00.000Z" });
  });

  it("shows every severity for a first request that sets the clock ahead", async () => {
    const first = await sendSandboxed("/api/alerts", {}, "2030-01-01T12:00:00.000Z");
    expect(listSeverities(first)).toEqual(new Set(SEVERITIES));
  });

  it("answers 503 above 32 concurrent requests, without affecting requests of keys", async () => {
    await sendSandboxed("/api/usage");
    const { secret } = await createKey(service);
    const crowd = Array.from({ length: 60 }, () => sendSandboxed("/api/usage"));
    expect((await send("/api/usage", { key: secret })).status).toBe(200);
    const answers = await Promise.all(crowd);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(60 - 32);
    expect(refused[0]?.body).toEqual({ error: "The sandbox is busy. Try again.", code: "sandbox_busy" });
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    expect((await sendSandboxed("/api/usage")).body.requests_today).toBe(34);
  });

  it("shows a hidden count, a deleted creator and rounded steps, with a history from the first request", async () => {
    const hidden = await sendSandboxed("/api/track/@hidden");
    expect(hidden.body.creator).toMatchObject({ counts: "hidden", subscribers: null, score: null });
    const { history } = (await sendSandboxed("/api/track/@rounded_steps/history")).body;
    expect(history.length).toBe(31);
    const counts = history.map(({ subscribers }: { subscribers: number }) => subscribers);
    expect(new Set(counts).size).toBeLessThan(20);
    for (const count of counts) expect(count % 1000).toBe(0);
    expect((await sendSandboxed("/api/track/@deleted")).body.creator.status).toBe("active");
    expect((await sendSandboxed("/api/track/@deleted", {}, LATER)).body.creator.status).toBe("unavailable");
    const { changes } = (await sendSandboxed("/api/changes?limit=100")).body;
    expect(changes.map(({ type }: { type: string }) => type)).toContain("unavailable");
  });

  it("grades its alerts as the clock moves", async () => {
    await sendSandboxed("/api/usage");
    const { alerts } = (await sendSandboxed("/api/alerts", {}, "2026-04-20T12:00:00.000Z")).body;
    for (const { outcome } of alerts.slice(-5)) expect(["held", "faded"]).toContain(outcome);
  });

  it("starts the same for every session of a day", async () => {
    const readFacts = async () => {
      const { alerts } = (await sendSandboxed("/api/alerts", {}, LATER)).body;
      const facts = alerts.map(({ id: _, channel_id: __, channel_url: ___, ...facts }: Alert) => facts);
      return facts.sort((one: Alert, other: Alert) => one.message.localeCompare(other.message));
    };
    const read = async () => {
      await sendSandboxed("/api/usage");
      return readFacts();
    };
    const mine = await read();
    session = `${session}-again`;
    expect(await read()).toEqual(mine);
  });

  it.each(createRequests("@steady"))("answers %s as for any other key, marked as sandbox", async (_, path, options) => {
    session = "endpoints";
    const answer = await sendSandboxed(path, options);
    expect(answer.status).toBe(200);
    expect(answer.body.sandbox.clock).toBe(TEST_START);
    expect(answer.headers.get("x-sandbox")).toBe(`clock=${TEST_START}; ends=2026-03-10T13:00:00.000Z`);
    expect(answer.headers.get("x-ratelimit-tier")).toBe("pro");
    expect(answer.text).not.toContain("UC_");
    expect(answer.text.match(/UC[\w-]{22}/g)?.every((id) => id.startsWith("UCsandbox_"))).not.toBe(false);
  });

  it("reads a creator of its own session, also one that it untracked, and no other session's", async () => {
    const read = async (name: string) => sendSandboxed(`/api/creators/${name}`);
    const mine = (await read("@ramp")).body.creator.channel_id;
    session = `${session}-other`;
    const theirs = (await read("@ramp")).body.creator.channel_id;
    expect(theirs).not.toBe(mine);
    await sendSandboxed("/api/track/@ramp", { method: "DELETE" });
    expect((await read("@ramp")).body).toMatchObject({ creator: { channel_id: theirs }, is_tracked: false });
    expect((await read(mine)).status).toBe(404);
  });

  it("accepts the ids that it shows, and marks CSV and failures", async () => {
    const id = (await sendSandboxed("/api/track/@ramp")).body.creator.channel_id;
    for (const name of [id, `https://www.youtube.com/channel/${id}`, "@RAMP"])
      expect((await sendSandboxed("/api/track", { method: "POST", body: { channel_id: name } })).body).toMatchObject({
        creator: { channel_id: id },
      });
    const csv = await sendSandboxed("/api/alerts?format=csv", {}, LATER);
    expect(csv.text).toContain(`,${id},https://www.youtube.com/channel/${id},`);
    const filtered = await sendSandboxed(`/api/alerts?channel_id=${id}&severity=SURGING`);
    expect(filtered.body.alerts).toMatchObject([{ channel_id: id }]);
    const failures = [
      sendSandboxed("/api/nothing"),
      sendSandboxed("/api/alerts?limit=0"),
      sendSandboxed("/api/usage", { method: "POST" }),
    ];
    for (const answer of [csv, ...(await Promise.all(failures))])
      expect(answer.headers.get("x-sandbox")).toContain(LATER);
  });

  it("counts every request against its own quota, failed ones too", async () => {
    await sendSandboxed("/api/usage");
    await sendSandboxed("/api/track/@nobody");
    await sendSandboxed("/api/alerts?limit=0");
    await sendSandboxed("/api/usage", {}, "2026-03-10T11:00:00Z");
    expect((await sendSandboxed("/api/usage")).body.requests_today).toBe(5);
  });

  it("returns its creators for every niche, however often it is requested", async () => {
    for (let request = 0; request < 11; request++) {
      const { body } = await sendSandboxed(`/api/discover?niche=niche%20${request}`);
      expect(body).toMatchObject({ niche_status: "indexed", pagination: { total: 7 } });
    }
    const others = Array.from({ length: 6 }, (_, number) =>
      sendSandboxed("/api/discover?niche=gaming", {
        headers: { "X-Sandbox-Session": `discovers-${number % 3}` },
      }),
    );
    for (const { body } of await Promise.all(others)) expect(body.pagination.total).toBe(7);
    expect((await readContent("sandbox")).niches).toBe("");
  });

  it("sends no email, and lists those it would send", async () => {
    await sendSandboxed("/api/alerts/email", { method: "POST", body: { email: "scout@example.com" } });
    const { alerts, sandbox } = (await sendSandboxed("/api/alerts", {}, LATER)).body;
    expect(sandbox.mails).toHaveLength(alerts.length);
    expect(sandbox.mails).toContainEqual({
      alert_id: alerts.find(({ severity }: { severity: string }) => severity === "EXPLOSIVE").id,
      to: "scout@example.com",
      subject: "EXPLOSIVE: Viral spike grew 85.0% in one day",
    });
    await service.catchUp();
    await service.drain();
    expect(service.mails).toEqual([]);
  });

  describe("sandbox isolation", () => {
    it("needs no right to any real table for its statements", async () => {
      const { db, databaseUrl } = service;
      await db.execute(sql`create role sandbox_only login password 'x'`);
      await db.execute(sql`grant usage on schema sandbox to sandbox_only`);
      await db.execute(sql`grant all on all tables in schema sandbox to sandbox_only`);
      serveElsewhere(Object.assign(new URL(databaseUrl), { username: "sandbox_only", password: "x" }).href);
      for (const [, path, options] of createRequests("@steady"))
        expect((await sendSandboxed(path, options, LATER)).status).toBe(200);
      await db.execute(sql`drop owned by sandbox_only`);
      await Promise.all(connections.splice(0).map(({ close }) => close()));
      await db.execute(sql`drop role sandbox_only`);
    });

    it("changes no row of real keys, and real keys change none of the sandbox", async () => {
      const key = await createKey(service, "pro");
      for (const [, path, options] of createRequests("@juniperfivecrits"))
        await send(path, { key: key.secret, ...options });
      await service.requests.flush();
      const real = await readContent("public");
      for (const [, path, options] of createRequests("@steady")) await sendSandboxed(path, options, LATER);
      await service.requests.flush();
      expect(await readContent("public")).toEqual(real);
      expect(real.sandbox_sessions).toBe("");
      const sandbox = await readContent("sandbox");
      for (const [, path, options] of createRequests("@juniperfivecrits"))
        await send(path, { key: key.secret, ...options });
      expect(await readContent("sandbox")).toEqual(sandbox);
    });

    it("refuses references between sandbox and real data, and between sessions", async () => {
      const key = await createKey(service, "pro");
      const sendKeyed = (path: string, options: Options = {}) => send(path, { key: key.secret, ...options });
      const sendOther = (path: string, options: Options = {}) =>
        sendSandboxed(path, { ...options, headers: { "X-Sandbox-Session": `${session}-other` } });
      const track = (channel_id: string): Options => ({ method: "POST", body: { channel_id } });
      await sendKeyed("/api/track", track("@juniperfivecrits"));
      await sendSandboxed("/api/usage");
      await sendSandboxed("/api/usage", {}, LATER);
      const { alerts } = (await sendSandboxed("/api/alerts")).body;
      const mine = (await sendSandboxed("/api/changes")).body.next_after;
      const theirs = (await sendKeyed("/api/changes")).body.next_after;
      const channel = (await sendSandboxed("/api/track/@steady")).body.creator.channel_id;
      for (const [answer, status] of [
        [sendSandboxed("/api/track", track("@juniperfivecrits")), 404],
        [sendSandboxed("/api/track/@juniperfivecrits"), 404],
        [sendSandboxed("/api/track/@juniperfivecrits/history"), 404],
        [sendSandboxed("/api/track/@juniperfivecrits", { method: "DELETE" }), 404],
        [sendSandboxed(`/api/changes?after=${theirs}`), 404],
        [sendKeyed("/api/track", track("@steady")), 404],
        [sendKeyed("/api/track", track(channel)), 404],
        [sendKeyed(`/api/track/${channel}`), 404],
        [sendKeyed(`/api/alerts?after=${alerts[0].id}`), 404],
        [sendKeyed(`/api/changes?after=${mine}`), 404],
        [sendOther("/api/track", track(channel)), 404],
        [sendOther(`/api/track/${channel}`), 404],
        [sendOther(`/api/alerts?after=${alerts[0].id}`), 404],
        [sendOther(`/api/changes?after=${mine}`), 404],
      ] as const)
        expect((await answer).status).toBe(status);
      expect((await sendOther("/api/alerts")).body.alerts).toEqual([]);
      expect((await sendKeyed("/api/discover?niche=steady")).body.creators).toEqual([]);
    });
  });

  describe("sandbox clock", () => {
    it("moves forward only, and stays without the header", async () => {
      await sendSandboxed("/api/usage", {}, LATER);
      expect((await sendSandboxed("/api/usage")).body.sandbox.clock).toBe(LATER);
      expect((await sendSandboxed("/api/usage", {}, LATER)).status).toBe(200);
      const refused = await sendSandboxed("/api/usage", {}, "2026-03-14T11:59:59Z");
      expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(LATER) } });
      expect(refused.body.error).toContain("X-Sandbox-Session");
    });

    it.each(["2025-12-31T23:59:59Z", "2036-01-01T00:00:00Z", "2026-03-14", "tomorrow", ""])(
      "refuses to be set to %s",
      async (at) => {
        session = "wrong-times";
        const answer = await sendSandboxed("/api/usage", { headers: { "X-Test-Clock": at } });
        expect(answer).toMatchObject({ status: 400, body: { issues: [{ field: "X-Test-Clock" }] } });
      },
    );

    it("makes the last 60 daily runs of a longer jump", async () => {
      await sendSandboxed("/api/usage", {}, "2026-01-01T00:00:00Z");
      await sendSandboxed("/api/usage", {}, "2035-12-31T23:59:59.999Z");
      const { history } = (await sendSandboxed("/api/track/@steady/history")).body;
      expect(history).toHaveLength(30 + 60);
      expect(listSeverities(await sendSandboxed("/api/alerts?limit=100"))).toEqual(new Set(SEVERITIES));
    });

    it.each(CONTRACTS)("is refused with an ordinary key: $id", async (contract) => {
      const key = await createKey(service);
      const { method, example } = contract;
      const answer = await send(buildExampleUrl(contract, { appUrl: "", sample: true, hasSandbox: true }), {
        key: key.secret,
        method: method as "GET",
        body: example.body,
        headers: { "X-Test-Clock": LATER },
      });
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ field: "X-Test-Clock" }] } });
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("49");
    });
  });

  describe("sandbox session", () => {
    const from = (address: string): Options => ({ headers: { "X-Client-Address": address } });

    it("belongs to an address and a name", async () => {
      await sendSandboxed("/api/usage", from("192.0.2.1"), LATER);
      expect((await sendSandboxed("/api/usage", from("192.0.2.1"))).body.sandbox.clock).toBe(LATER);
      expect((await sendSandboxed("/api/usage", from("192.0.2.2"))).body.sandbox.clock).toBe(TEST_START);
      const wrong = await sendSandboxed("/api/usage", { headers: { "X-Sandbox-Session": "a b" } });
      expect(wrong).toMatchObject({ status: 400, body: { issues: [{ field: "X-Sandbox-Session" }] } });
    });

    it("is created once by concurrent requests on two instances", async () => {
      const both = [sendSandboxed("/api/usage"), sendSandboxed("/api/usage")];
      serveElsewhere();
      both.push(sendSandboxed("/api/usage"), sendSandboxed("/api/usage"));
      const counts = (await Promise.all(both)).map(({ body }) => body.requests_today);
      expect(counts.sort()).toEqual([1, 2, 3, 4]);
    });

    /** Ends all sessions of this file, and makes an hourly purge. */
    async function purgeAfter(days: number): Promise<void> {
      service.clock.advance(days * DAY);
      service.engine.fireCron("creator-growth-purge-sandbox", service.clock.now());
      await service.drain();
    }

    it("ends after an hour, and the next one of its name begins without its data", async () => {
      await purgeAfter(1);
      service.clock.set(TEST_START);
      await sendSandboxed("/api/usage");
      await sendSandboxed("/api/alerts/email", { method: "POST", body: { email: "scout@example.com" } }, LATER);
      await sendSandboxed("/api/alerts", {}, "2026-03-30T12:00:00Z");
      service.clock.advance(HOUR);
      const again = await sendSandboxed("/api/usage");
      expect(again.body).toMatchObject({ requests_today: 1, alerts_count: 0 });
      const { api_keys, sandbox_sessions, channels, snapshots, alerts, alert_emails, deliveries, changes } =
        await readContent("sandbox");
      expect([api_keys, sandbox_sessions].map((text) => text?.split("\n").length)).toEqual([1, 1]);
      expect([alerts, alert_emails, deliveries]).toEqual(["", "", ""]);
      expect([channels, changes].map((text) => text?.split("\n").length)).toEqual([7, 7]);
      expect(snapshots?.split("\n")).toHaveLength(7 * 31);
    });

    it("leaves nothing behind after the first hourly purge that follows its end", async () => {
      await sendSandboxed("/api/alerts/email", { method: "POST", body: { email: "scout@example.com" } });
      await sendSandboxed("/api/alerts", {}, LATER);
      await purgeAfter(2);
      const { __drizzle_migrations: _, ...content } = await readContent("sandbox");
      expect(Object.values(content).join("")).toBe("");
    });

    /** Stores sessions that have nothing else. */
    async function fill(count: number, address: string, requests = 1): Promise<void> {
      const ends = new Date(service.clock.now().getTime() + MINUTE).toISOString();
      await service.db.execute(sql`
        insert into sandbox.api_keys (id, secret_hash, hint, label, tier, created_at)
        select ${address} || n, encode(sha256((${address}::text || n)::bytea), 'hex'), '', 'x', 'pro', ${ends}
        from generate_series(1, ${count}::int) n`);
      await service.db.execute(sql`
        insert into sandbox.sandbox_sessions (id, key_id, address, start_day, clock, requests, ends_at)
        select ${address} || n, ${address} || n, ${address}, '2026-03-10', ${ends}, ${requests}::int, ${ends}
        from generate_series(1, ${count}::int) n`);
    }

    it("is refused to an address that has 50, and to everyone while there are 1,000", async () => {
      service.clock.advance(DAY);
      await fill(SESSIONS_PER_ADDRESS, hash("sha256", "192.0.2.7", "base64url"));
      const full = await sendSandboxed("/api/usage", from("192.0.2.7"));
      expect(full).toMatchObject({ status: 429, body: { error: expect.stringContaining("50 sandbox") } });
      expect(full.headers.get("retry-after")).toBe("60");
      const begun = await sendSandboxed("/api/usage", from("192.0.2.8"));
      expect(begun.status).toBe(200);
      await fill(MAX_SESSIONS - SESSIONS_PER_ADDRESS - 1, "others");
      session += "-more";
      expect((await sendSandboxed("/api/usage", from("192.0.2.8"))).status).toBe(503);
      service.clock.advance(MINUTE);
      expect((await sendSandboxed("/api/usage", from("192.0.2.8"))).status).toBe(200);
    });

    it("refuses requests over the hourly limit of an address", async () => {
      service.clock.advance(2 * DAY);
      await fill(1, hash("sha256", "192.0.2.9", "base64url"), REQUESTS_PER_ADDRESS - 1);
      expect((await sendSandboxed("/api/usage", from("192.0.2.9"))).status).toBe(200);
      const spent = await sendSandboxed("/api/usage", from("192.0.2.9"));
      expect(spent).toMatchObject({
        status: 429,
        body: { error: expect.stringContaining("from one address"), code: "sandbox_limit" },
      });
      expect(spent.headers.get("retry-after")).toBe("3600");
      expect((await sendSandboxed("/api/usage", from("192.0.2.10"))).status).toBe(200);
    });
  });

  it("is off without its connections, and accepts no other key of its form", async () => {
    expect(await sendSandboxed("/api/usage", { key: `${SANDBOX_KEY.slice(0, -1)}x` })).toMatchObject(UNAUTHORIZED);
    installContext({ ...service, sandbox: null });
    expect(await sendSandboxed("/api/usage")).toMatchObject(UNAUTHORIZED);
  });

  it("does not allow sign-in to the console", async () => {
    await expect(signIn(service, SANDBOX_KEY, "192.0.2.1")).rejects.toThrow(/works with the API only/);
  });
});
