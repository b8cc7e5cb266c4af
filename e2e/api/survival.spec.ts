import { once } from "node:events";
import { existsSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { openFront } from "@/test/front";
import type { Answer } from "../client";
import { anonymous, expect, getRequestsToday, type KeyClient, requireValue, type Site, test } from "../fixtures";
import {
  createDataDirPath,
  DATA_DIR,
  type Exit,
  expectServerlessStartFailure,
  expectStartFailure,
  findPostgresPid,
  getBaseUrl,
  getDatabaseUrl,
  getOwnPort,
  HOST,
  isAlive,
  isOnStandIns,
  killPostgres,
  PORT,
  type Product,
  startServerless,
} from "../product";

const HANDLES = ["@juniperfivecrits", "@bramblewickarcade", "@unlistedraccoon"];

/** Creates a key with data. The last write waits for the disk. */
async function fill(site: Site): Promise<KeyClient> {
  const client = await site.newClient("free");
  for (let time = 0; time < 5; time++) expect((await client.get("/api/usage")).status).toBe(200);
  for (const channel_id of HANDLES) expect((await client.post("/api/track", { channel_id })).status).toBe(200);
  expect((await client.post("/api/alerts/email", { email: "scout@example.com" })).status).toBe(200);
  return client;
}

/** Expects everything that `fill` wrote. */
async function expectFilled(client: KeyClient, requestsBefore = 9): Promise<void> {
  const usage = await client.get("/api/usage");
  expect(usage.status, usage.text).toBe(200);
  const requests_today = requestsBefore + 1;
  expect(usage.body).toMatchObject({ tier: "free", requests_today, creators_tracked: HANDLES.length });
  const { body } = await client.get("/api/track");
  expect(body.creators?.map(({ handle }) => handle)).toEqual(HANDLES.toReversed());
  expect((await client.get("/api/alerts/email")).body.email).toBe("scout@example.com");
}

/** Sends bursts until a whole burst succeeds. Returns the other responses. */
async function collectAnswersUntilRecovered(client: KeyClient): Promise<Answer[]> {
  const others: Answer[] = [];
  const isRecovered = async () => {
    const burst = await Promise.all(Array.from({ length: 5 }, () => client.get("/api/nope")));
    others.push(...burst.filter(({ status }) => status !== 404));
    return burst.every(({ status }) => status === 404);
  };
  await expect.poll(isRecovered, { intervals: [100] }).toBe(true);
  return others;
}

/** Expects one clear line for the operator and nothing else. */
function expectOneLine({ code, stderr, stdout }: Exit, saying: RegExp): void {
  expect(code, stderr).toBe(1);
  expect(stderr.trim()).toMatch(saying);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stdout).not.toMatch(/error/i);
}

/** Sends SIGINT and SIGTERM, as npm in a terminal does, during a request, then completes the request. */
async function stopDuringRequest(site: Site, product: Product, client: KeyClient): Promise<Exit> {
  const headers = {
    "X-API-Key": client.key,
    "Content-Type": "application/json",
    // The service responds once it has the headers.
    Expect: "100-continue",
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${getBaseUrl(site.port)}/api/alerts/email`;
  const inFlight = httpRequest(url, { agent, method: "POST", headers });
  inFlight.flushHeaders();
  await once(inFlight, "continue");
  process.kill(product.pid, "SIGINT");
  const stopped = product.stop();
  const isRefused = () =>
    client.get("/api/health").then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused, { intervals: [20] }).toBe(true);
  inFlight.end('{"email":"scout@example.com"}');
  const [answer] = await once(inFlight, "response");
  expect([answer.statusCode, answer.headers.connection, await text(answer)]).toEqual([
    200,
    "close",
    expect.stringContaining("scout@example.com"),
  ]);
  return stopped;
}

/** Tracks creators, then kills the service after some responses. @returns the confirmed ids */
async function killDuringWrites(product: Product, client: KeyClient): Promise<string[]> {
  const { body } = await client.get("/api/discover?niche=e&limit=50");
  const ids = requireValue(body.creators).map(({ channel_id }) => channel_id);
  const confirmed: string[] = [];
  const writes = ids.map(async (channel_id) => {
    const answer = await client.post("/api/track", { channel_id }).catch(() => null);
    if (answer?.status === 200) confirmed.push(channel_id);
  });
  await expect.poll(() => confirmed.length, { intervals: [1] }).toBeGreaterThan(3);
  await product.kill();
  await Promise.all(writes);
  return confirmed;
}

test("data survives SIGTERM, kill -9 of the service, and kill -9 of service and database", async ({ site }) => {
  const first = await site.start();
  const client = await fill(site);
  let counted = 9;

  await test.step("SIGTERM finishes the request in flight, exits with 0 and stops PostgreSQL", async () => {
    const database = requireValue(findPostgresPid(site.dataDir));
    const { code, stderr } = await stopDuringRequest(site, first, client);
    counted += 1;
    expect([code, stderr]).toEqual([0, ""]);
    expect([isAlive(first.pid), isAlive(database)]).toEqual([false, false]);
  });
  const second = await site.start();
  await expectFilled(client, counted);
  counted += 3;

  const busy = await site.newClient("pro");
  await test.step("kill -9 during writes loses nothing confirmed, and the next start takes over the database", async () => {
    const orphan = requireValue(findPostgresPid(site.dataDir));
    const confirmed = await killDuringWrites(second, busy);
    expect(findPostgresPid(site.dataDir)).toBe(orphan);
    const third = await site.start();
    expect(findPostgresPid(site.dataDir)).toBe(orphan);
    const tracked = (await busy.get("/api/track?limit=100")).body.creators ?? [];
    expect(tracked.map(({ channel_id }) => channel_id)).toEqual(expect.arrayContaining(confirmed));
    expect(await getRequestsToday(busy)).toBeGreaterThan(confirmed.length + 2);
    await expectFilled(client, counted);
    counted += 3;
    // A database crash may lose the last second of counts.
    const sql = postgres(getDatabaseUrl(site.dataDir), { max: 1 });
    await sql`checkpoint`;
    await sql.end();
    await Promise.all([third.kill(), killPostgres(site.dataDir)]);
  });

  await test.step("the start after kill -9 of both has all data", async () => {
    await site.start();
    await expectFilled(client, counted);
  });
});

test("the service recovers from a failing database", async ({ site }) => {
  await site.start();
  const client = await fill(site);

  await test.step("kill -9 of PostgreSQL, twice: the service recovers by itself", async () => {
    for (const _time of [1, 2]) {
      const before = findPostgresPid(site.dataDir);
      await killPostgres(site.dataDir);
      for (const { status, headers, body, text } of await collectAnswersUntilRecovered(client)) {
        expect(status, text).toBe(503);
        expect(body).toEqual({ error: expect.stringMatching(/\S/), code: "unavailable" });
        expect(headers.get("retry-after")).toMatch(/^\d+$/);
      }
      expect(findPostgresPid(site.dataDir)).not.toBe(before);
    }
    const counted = await getRequestsToday(client);
    expect(counted).toBeGreaterThanOrEqual(9 + 5 + 1);
    await expectFilled(client, counted);
  });

  await test.step("connections or writes refused: API and pages answer 503 until it recovers", async () => {
    const sql = postgres(getDatabaseUrl(site.dataDir), { database: "postgres", max: 1, onnotice: () => {} });
    const endOthers = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'creator_growth'`;
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`${getBaseUrl(site.port)}${path}`);
      return [status, headers.get("retry-after")];
    };
    // With YouTube, /accuracy does not read the database.
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
    await expectFilled(client, await getRequestsToday(client));
  });

  await test.step("a command that loses its connection prints one line, without its query", async () => {
    const sql = postgres(getDatabaseUrl(site.dataDir), { max: 2 });
    const exit = await sql.begin(async (tx) => {
      await tx`lock table api_keys`;
      let exit: Exit | null = null;
      void site.runNpm("keys", ["list"]).then((ended) => {
        exit = ended;
      });
      const endWaiting = () => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%api_keys%' and pid <> pg_backend_pid()`;
      await expect.poll(() => endWaiting().then(() => exit)).not.toBeNull();
      return requireValue<Exit>(exit);
    });
    expectOneLine(exit, /^Error: lost the database/);
    await sql.end();
  });
});

test("work left by an earlier process delays no page, however long it takes or if it fails", async ({ site }) => {
  test.skip(isOnStandIns, "Inngest takes up what was left");
  const product = await site.start();
  const sql = postgres(getDatabaseUrl(site.dataDir), { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    create sequence refused;
    create function refuse() returns trigger language plpgsql
      as $$ begin perform nextval('refused'); raise 'there is no purging'; end $$;
    create trigger refuse before delete on snapshots for each statement execute function refuse();`);
  await product.kill();
  const fetchPageStatus = async () => (await fetch(`${getBaseUrl(site.port)}/accuracy`)).status;
  const next = await sql.begin(async (purgeWaits) => {
    await purgeWaits`lock snapshots in share mode`;
    const started = await site.start();
    expect(await fetchPageStatus()).toBe(200);
    return started;
  });
  const isRefused = async () => (await sql`select is_called from refused`)[0]?.is_called;
  await expect.poll(isRefused, { intervals: [20] }).toBe(true);
  expect(await fetchPageStatus()).toBe(200);
  await sql.end();
  const { code, stdout } = await next.stop();
  expect([code, stdout]).toEqual([0, expect.stringContaining("the catch-up of jobs failed; trying again")]);
});

test("a serverless instance that starts while the database is away answers 503, then serves with the next request", async ({
  site,
}) => {
  const database = await site.start();
  const front = await openFront(getDatabaseUrl(site.dataDir));
  await front.fail("refused");
  const port = getOwnPort(test.info().parallelIndex, 1);
  const stop = startServerless({
    dataDir: createDataDirPath(),
    port,
    env: {
      DATABASE_URL: front.url,
      SESSION_SECRET: "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL",
      APP_URL: getBaseUrl(port),
      INNGEST_EVENT_KEY: "an-event-key",
      INNGEST_SIGNING_KEY: `signkey-test-${"0a".repeat(32)}`,
      RESEND_API_KEY: "re_key",
      ALERT_EMAIL_FROM: "growth@example.com",
    },
  });
  const ask = (path: string) => fetch(`${getBaseUrl(port)}${path}`).catch(() => null);
  await expect.poll(async () => (await ask("/api/live"))?.status, { intervals: [50] }).toBe(200);
  for (const path of ["/api/health", "/api/status"]) {
    const answer = await ask(path);
    expect([answer?.status, answer?.headers.get("Retry-After")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  }
  await front.recover();
  await expect.poll(async () => (await ask("/api/health"))?.status, { intervals: [50] }).toBe(200);
  expect((await ask("/accuracy"))?.status).toBe(200);
  await stop();
  await front.close();
  await database.stop();
});

test("a start logs what it runs on before it logs that it is ready", async ({ site }) => {
  const product = await site.start({ LOG_LEVEL: "info" });
  const { stdout } = await product.stop();
  const messages = stdout.split("\n").flatMap((line) => (line ? JSON.parse(line).msg : []));
  expect(messages.filter((message) => ["services", "ready"].includes(message))).toEqual(["services", "ready"]);
});

test.describe("start that cannot succeed", () => {
  test("ends with one clear line for a second instance on the same data folder, with another port", async ({ pro }, {
    parallelIndex,
  }) => {
    const exit = await expectStartFailure({ dataDir: DATA_DIR, port: getOwnPort(parallelIndex, 1) });
    expectOneLine(exit, /another instance.*data folder/i);
    expect((await pro.get("/api/usage")).status).toBe(200);
  });

  test("ends with one clear line when the service itself has the port", async () => {
    const dataDir = createDataDirPath();
    expectOneLine(await expectStartFailure({ dataDir, port: PORT }), new RegExp(`port ${PORT} .*PORT`, "i"));
    expect(existsSync(dataDir)).toBe(false);
    expect((await anonymous.get("/api/health")).status).toBe(200);
  });

  test("ends with one clear line when another program has the port on one address", async ({ site }) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(site.port, HOST, resolve));
    const exit = await expectStartFailure(site);
    await new Promise((resolve) => other.close(resolve));
    expectOneLine(exit, new RegExp(`port ${site.port} .*PORT`, "i"));
    expect(existsSync(site.dataDir)).toBe(false);
  });

  test("ends with one clear line on a serverless host that lacks a required service", async ({ site }) => {
    const exit = await expectServerlessStartFailure(site);
    expectOneLine(exit, /^Error: DATABASE_URL must be set on a serverless host/);
  });

  test("ends with one clear line for an invalid setting, and for one that requires another", async ({ site }) => {
    for (const [env, says] of [
      [{ LOG_LEVEL: "loud" }, /LOG_LEVEL.*debug, info, warn, error, silent/],
      [{ DATABASE_URL: "postgres://x/y" }, /SESSION_SECRET/],
    ] as const) {
      expectOneLine(await expectStartFailure({ ...site, env }), says);
      expect(existsSync(site.dataDir)).toBe(false);
    }
  });
});
