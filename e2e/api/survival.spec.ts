import { once } from "node:events";
import { existsSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import type { Answer } from "../client";
import { expect, type KeyClient, required, type Site, stranger, test } from "../fixtures";
import {
  baseUrl,
  DATA_DIR,
  databaseUrl,
  type Exit,
  HOST,
  isAlive,
  isOnStandIns,
  killPostgres,
  newDataDir,
  ownPort,
  PORT,
  postgresPid,
  startInVain,
  startServerlessInVain,
} from "../product";

const HANDLES = ["@juniperfivecrits", "@bramblewickarcade", "@unlistedraccoon"];

/** Gives a new key something to lose. The last write of all is one that waits for the disk. */
async function fill(site: Site): Promise<KeyClient> {
  const client = await site.newClient("free");
  for (let time = 0; time < 5; time++) expect((await client.get("/api/usage")).status).toBe(200);
  for (const channel_id of HANDLES)
    expect((await client.post("/api/track", { channel_id })).status).toBe(200);
  expect((await client.post("/api/alerts/email", { email: "scout@example.com" })).status).toBe(200);
  return client;
}

/** Everything that `fill` wrote is there. */
async function expectFilled(client: KeyClient, requestsBefore = 9): Promise<void> {
  const usage = await client.get("/api/usage");
  expect(usage.status, usage.text).toBe(200);
  const requests_today = requestsBefore + 1;
  expect(usage.body).toMatchObject({ tier: "free", requests_today, creators_tracked: HANDLES.length });
  const { body } = await client.get("/api/track");
  expect(body.creators?.map(({ handle }) => handle)).toEqual(HANDLES.toReversed());
  expect((await client.get("/api/alerts/email")).body.email).toBe("scout@example.com");
}

/** Asks in bursts until a whole burst is answered as ever, and returns the other answers. */
async function answersUntilRecovered(client: KeyClient): Promise<Answer[]> {
  const others: Answer[] = [];
  const isRecovered = async () => {
    const burst = await Promise.all(Array.from({ length: 5 }, () => client.get("/api/nope")));
    others.push(...burst.filter(({ status }) => status !== 404));
    return burst.every(({ status }) => status === 404);
  };
  await expect.poll(isRecovered, { intervals: [100], timeout: 30_000 }).toBe(true);
  return others;
}

/** One clear line for the operator, and nothing else. */
function expectOneLine({ code, stderr, stdout }: Exit, saying: RegExp): void {
  expect(code, stderr).toBe(1);
  expect(stderr.trim()).toMatch(saying);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stdout).not.toMatch(/error/i);
}

test.describe("survival: key, tracked creators, counter and email setting outlive", () => {
  test("kill -9 of the service, whose orphaned database is taken over by the next start", async ({
    site,
  }) => {
    const product = await site.start();
    const client = await fill(site);
    const orphan = postgresPid(site.dataDir);
    await product.kill();
    expect(postgresPid(site.dataDir)).toBe(orphan);

    const next = await site.start();
    expect(postgresPid(site.dataDir)).toBe(orphan);
    await expectFilled(client);
    expect((await next.stop()).code).toBe(0);
    expect(isAlive(required(orphan))).toBe(false);
  });

  test("kill -9 of the service in the midst of writes: what was acknowledged is there", async ({ site }) => {
    const product = await site.start();
    const client = await site.newClient("pro");
    const { body } = await client.get("/api/discover?niche=e&limit=50");
    const ids = required(body.creators).map(({ channel_id }) => channel_id);
    const acknowledged: string[] = [];
    const writes = ids.map(async (channel_id) => {
      const answer = await client.post("/api/track", { channel_id }).catch(() => null);
      if (answer?.status === 200) acknowledged.push(channel_id);
    });
    await expect.poll(() => acknowledged.length, { intervals: [1] }).toBeGreaterThan(3);
    await product.kill();
    await Promise.all(writes);

    await site.start();
    const tracked = (await client.get("/api/track?limit=100")).body.creators?.map(
      ({ channel_id }) => channel_id,
    );
    expect(tracked).toEqual(expect.arrayContaining(acknowledged));
    expect((await client.get("/api/usage")).body.requests_today).toBeGreaterThan(acknowledged.length + 2);
  });

  test("kill -9 of PostgreSQL while the service runs, twice: it recovers by itself", async ({ site }) => {
    await site.start();
    const client = await fill(site);
    for (const _time of [1, 2]) {
      const before = postgresPid(site.dataDir);
      await killPostgres(site.dataDir);
      for (const { status, headers, body, text } of await answersUntilRecovered(client)) {
        expect(status, text).toBe(503);
        expect(body).toEqual({ error: expect.stringMatching(/\S/) });
        expect(headers.get("retry-after")).toMatch(/^\d+$/);
      }
      expect(postgresPid(site.dataDir)).not.toBe(before);
    }
    const counted = Number((await client.get("/api/usage")).body.requests_today);
    expect(counted).toBeGreaterThanOrEqual(9 + 5 + 1);
    await expectFilled(client, counted);
  });

  test("a database that refuses connections or writes: API and pages answer 503 until it recovers", async ({
    site,
  }) => {
    await site.start();
    const client = await fill(site);
    const sql = postgres(databaseUrl(site.dataDir), { database: "postgres", max: 1, onnotice: () => {} });
    const endOthers = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'creator_growth'`;
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`${baseUrl(site.port)}${path}`);
      return [status, headers.get("retry-after")];
    };
    // With YouTube it shows nothing of the database.
    const pages = isOnStandIns ? [] : ["/accuracy"];
    const states = [
      [sql`alter database creator_growth allow_connections false`, ["/api/health", ...pages]],
      [sql`alter database creator_growth allow_connections true`, []],
      [sql`alter database creator_growth set default_transaction_read_only = on`, ["/api/health"]],
    ] as const;
    for (const [change, paths] of states) {
      await change;
      await endOthers();
      for (const path of paths) expect(await ask(path), path).toEqual([503, "5"]);
      if (paths.length > 0) expect((await client.delete("/api/alerts/email")).status).toBe(503);
    }
    await sql`alter database creator_growth set default_transaction_read_only = off`;
    await endOthers();
    await sql.end();
    await expect.poll(() => ask("/api/health")).toEqual([200, null]);
    const counted = Number((await client.get("/api/usage")).body.requests_today);
    await expectFilled(client, counted);
  });

  test("kill -9 of both", async ({ site }) => {
    const product = await site.start();
    const client = await fill(site);
    await Promise.all([product.kill(), killPostgres(site.dataDir)]);
    await site.start();
    await expectFilled(client);
  });
});

test("what an earlier process left keeps no page from being served, however long it takes, and if it fails", async ({
  site,
}) => {
  test.skip(isOnStandIns, "Inngest takes up what was left");
  const product = await site.start();
  const sql = postgres(databaseUrl(site.dataDir), { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    create sequence refused;
    create function refuse() returns trigger language plpgsql
      as $$ begin perform nextval('refused'); raise 'there is no purging'; end $$;
    create trigger refuse before delete on snapshots for each statement execute function refuse();`);
  await product.kill();
  const page = async () => (await fetch(`${baseUrl(site.port)}/accuracy`)).status;
  const next = await sql.begin(async (purgeWaits) => {
    await purgeWaits`lock snapshots in share mode`;
    const started = await site.start();
    expect(await page()).toBe(200);
    return started;
  });
  const isRefused = async () => (await sql`select is_called from refused`)[0]?.is_called;
  await expect.poll(isRefused, { intervals: [20] }).toBe(true);
  expect(await page()).toBe(200);
  await sql.end();
  const { code, stdout } = await next.stop();
  expect([code, stdout]).toEqual([0, expect.stringContaining("the catch-up of jobs failed; trying again")]);
});

test.describe("survival: SIGTERM", () => {
  test("ends the service with 0 and leaves no PostgreSQL running; the next start has all data", async ({
    site,
  }) => {
    const product = await site.start();
    const client = await fill(site);
    const database = required(postgresPid(site.dataDir));
    // As from a terminal, which signals npm too, which hands its own on.
    process.kill(product.pid, "SIGINT");
    const { code, stderr } = await product.stop();
    expect([code, stderr]).toEqual([0, ""]);
    expect(isAlive(product.pid)).toBe(false);
    expect(isAlive(database)).toBe(false);
    await site.start();
    await expectFilled(client);
  });

  test("waits for a request under way, which is answered as ever and ends its connection", async ({
    site,
  }) => {
    const product = await site.start();
    const client = await site.newClient("free");
    const headers = {
      "X-API-Key": client.key,
      "Content-Type": "application/json",
      // The service says so when it has the request and waits for its body.
      Expect: "100-continue",
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const underWay = httpRequest(`${baseUrl(site.port)}/api/alerts/email`, {
      agent,
      method: "POST",
      headers,
    });
    underWay.flushHeaders();
    await once(underWay, "continue");
    const stopped = product.stop();
    const isRefused = () =>
      client.get("/api/health").then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused, { intervals: [20] }).toBe(true);
    underWay.end('{"email":"scout@example.com"}');
    const [answer] = await once(underWay, "response");
    expect([answer.statusCode, answer.headers.connection, await text(answer)]).toEqual([
      200,
      "close",
      expect.stringContaining("scout@example.com"),
    ]);
    expect((await stopped).code).toBe(0);
  });
});

test("a command whose database ends its connection says so in one line, and not what it asked", async ({
  site,
}) => {
  await site.start();
  const sql = postgres(databaseUrl(site.dataDir), { max: 2 });
  const exit = await sql.begin(async (tx) => {
    await tx`lock table api_keys`;
    let exit: Exit | null = null;
    void site.runNpm("keys", ["list"]).then((ended) => {
      exit = ended;
    });
    const endWaiting = () => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%api_keys%' and pid <> pg_backend_pid()`;
    await expect.poll(() => endWaiting().then(() => exit), { timeout: 60_000 }).not.toBeNull();
    return required<Exit>(exit);
  });
  expectOneLine(exit, /^Error: lost the database/);
  await sql.end();
});

test.describe("survival: a start that cannot be is refused with one clear line", () => {
  test("a second instance on the same data folder, with another port", async ({ pro }, { parallelIndex }) => {
    const exit = await startInVain({ dataDir: DATA_DIR, port: ownPort(parallelIndex, 1) });
    expectOneLine(exit, /another instance.*data folder/i);
    expect((await pro.get("/api/usage")).status).toBe(200);
  });

  test("a port that is taken by the service itself", async () => {
    const dataDir = newDataDir();
    expectOneLine(await startInVain({ dataDir, port: PORT }), new RegExp(`port ${PORT} .*PORT`, "i"));
    expect(existsSync(dataDir)).toBe(false);
    expect((await stranger.get("/api/health")).status).toBe(200);
  });

  test("a port that is taken by somebody else, on one address alone", async ({ site }) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(site.port, HOST, resolve));
    const exit = await startInVain(site);
    await new Promise((resolve) => other.close(resolve));
    expectOneLine(exit, new RegExp(`port ${site.port} .*PORT`, "i"));
    expect(existsSync(site.dataDir)).toBe(false);
  });

  test("a serverless host without what must be real there", async ({ site }) => {
    const exit = await startServerlessInVain(site);
    expectOneLine(exit, /^Error: DATABASE_URL must be set on a serverless host/);
  });

  for (const [name, value, says, others] of [
    ["PORT", "abc", /PORT.*1 to 65535/],
    ["PORT", "65536", /PORT.*1 to 65535/],
    ["LOG_LEVEL", "loud", /LOG_LEVEL.*debug, info, warn, error, silent/],
    ["APP_URL", "growth.example", /APP_URL.*https?/],
    ["DATABASE_URL", "mysql://x/y", /DATABASE_URL.*postgres/],
    ["DATABASE_URL", "postgres://x/y", /SESSION_SECRET/],
    ["INNGEST_EVENT_KEY", "key", /INNGEST_SIGNING_KEY must be set together/, { INNGEST_SIGNING_KEY: "" }],
    ["SNAPSHOT_RETENTION_DAYS", "1", /SNAPSHOT_RETENTION_DAYS.*2 to 1096/],
    ["SNAPSHOT_RETENTION_DAYS", "31", /YOUTUBE_AMENDMENT.*SNAPSHOT_RETENTION_DAYS.*more than 30/],
  ] satisfies [string, string, RegExp, Record<string, string>?][])
    test(`${name}=${value}`, async ({ site }) => {
      expectOneLine(await startInVain({ ...site, env: { [name]: value, ...others } }), says);
      expect(existsSync(site.dataDir)).toBe(false);
    });
});
