import { deepEqual } from "node:assert/strict";
import path from "node:path";
import { sql } from "drizzle-orm";
import { fillDatabase, type Size } from "./dataset";
import { computeMedians, type Measured, runLoad } from "./load";
import { checkGoal, formatSpread, type Goal, median, type Report, round } from "./report";
import { openScratchDatabase, type ScratchDatabase, withFolder } from "./scratch";
import { PINNING, pinSelf, type Server, startProduct, startServer } from "./servers";

const CONNECTIONS = 32;
const OTHER_KEYS = 1000;
/** Requests of each case before its first round: V8 needs thousands before it has optimised the code. */
const WARM_UP_REQUESTS = 4000;
const RESET_MS = 100;
const BIG_KEYS = 50;
const ALERTS_OF_BIG = 10_000;
const PER_KEY = { bigKeys: BIG_KEYS, alertsOfBig: ALERTS_OF_BIG, alertsOfOther: 50 };
const FULL: Size = { keys: 10_000, channels: 100_000, days: 30, ...PER_KEY };
/** The one key has as much as its like in the full database. */
const SINGLE: Size = { ...FULL, keys: 1, channels: 1000, days: 1, bigKeys: 0 };
const LAST_PAGE = `/api/alerts?offset=${ALERTS_OF_BIG - 20}&limit=20`;

interface ApiOptions {
  rounds: number;
  seconds: number;
  port: number;
}

interface Databases {
  full: ScratchDatabase;
  single: ScratchDatabase;
}

interface Keys {
  big: string[];
  other: string[];
  single: string[];
}

/** `visited` has served a page: from then on Next follows every promise of the process. */
type Servers = Record<"started" | "visited" | "single" | "fastify", Server>;

interface Case {
  name: string;
  server: Server;
  path: string;
  keys: readonly string[];
  connections: number;
}

type Runs = Map<string, Measured[]>;

/** Measures the API beside the same endpoints written by hand, in interleaved rounds. */
export function benchApi(options: ApiOptions): Promise<Report> {
  return withFolder(async (folder) => {
    pinSelf(true);
    const closers: (() => Promise<unknown>)[] = [];
    const openDatabase = async () => {
      const database = await openScratchDatabase(folder);
      closers.push(database.close);
      return database;
    };
    try {
      const databases = { full: await openDatabase(), single: await openDatabase() };
      const secrets = await fillDatabase(databases.full.db, FULL, BIG_KEYS + OTHER_KEYS);
      const keys = {
        big: secrets.slice(0, BIG_KEYS),
        other: secrets.slice(BIG_KEYS),
        single: await fillDatabase(databases.single.db, SINGLE, 1),
      };
      const servers = await startServers(folder, options.port, databases, closers);
      await requireSameResponses(servers, keys, databases.full);
      return createReport(await runCases(listCases(servers, keys), options, Object.values(databases)));
    } finally {
      for (const close of closers.reverse()) await close();
      pinSelf(false);
    }
  });
}

async function startServers(
  folder: string,
  port: number,
  { full, single }: Databases,
  closers: (() => Promise<unknown>)[],
): Promise<Servers> {
  const keep = async (starting: Promise<Server>) => {
    const server = await starting;
    closers.push(server.stop);
    return server;
  };
  const rival = [process.execPath, "--import", "tsx", "bench/rivals/fastify.ts", String(port + 3), full.url];
  const log = path.join(folder, "servers.log");
  const rivalOptions = { port: port + 3, path: "/api/usage", log, env: { NODE_ENV: "production" }, pinned: true };
  const servers = {
    started: await keep(startProduct(folder, port, full.url)),
    visited: await keep(startProduct(folder, port + 1, full.url)),
    single: await keep(startProduct(folder, port + 2, single.url)),
    fastify: await keep(startServer(rival, rivalOptions)),
  };
  const { ok, status } = await fetch(`${servers.visited.base}/accuracy`);
  if (!ok) throw new Error(`A page was answered ${status}`);
  return servers;
}

function listCases({ started, visited, single, fastify }: Servers, keys: Keys): Case[] {
  const rivals = { "npm start": started, "npm start with pages": visited, Fastify: fastify };
  const compare = (what: string, path: string, own: readonly string[]): Case[] =>
    Object.entries(rivals).map(([rival, server]) => {
      const name = `${what}, ${rival}`;
      return { name, server, path, keys: own, connections: CONNECTIONS };
    });
  const alone = (name: string, server: Server, path: string, key?: string): Case => {
    const keys = key === undefined ? [] : [key];
    return { name, server, path, keys, connections: 1 };
  };
  const hot = keys.big.slice(0, 1);
  return [
    ...compare("usage", "/api/usage", keys.other),
    ...compare("alerts", "/api/alerts", keys.other),
    ...compare("20 of 10,000 alerts", "/api/alerts", keys.big),
    ...compare("one key: usage", "/api/usage", hot),
    ...compare("one key: alerts", "/api/alerts", hot),
    alone("first page of 10,000", started, "/api/alerts", hot[0]),
    alone("last page of 10,000", started, LAST_PAGE, hot[0]),
    alone("usage, full database", started, "/api/usage", keys.other[0]),
    alone("usage, single key", single, "/api/usage", keys.single[0]),
    alone("alerts, full database", started, "/api/alerts", keys.other[0]),
    alone("alerts, single key", single, "/api/alerts", keys.single[0]),
  ];
}

async function runCases(
  cases: readonly Case[],
  { rounds, seconds }: ApiOptions,
  databases: readonly ScratchDatabase[],
): Promise<Runs> {
  const runs: Runs = new Map(cases.map(({ name }) => [name, []]));
  for (const one of cases) await runCase(one, { amount: WARM_UP_REQUESTS }, databases);
  for (let round = 0; round < rounds; round++)
    for (const one of cases) runs.get(one.name)?.push(await runCase(one, { seconds }, databases));
  return runs;
}

/** Runs one case, and resets the counters meanwhile so that no key uses up its requests of the day. */
async function runCase(
  { server, path, keys, connections }: Case,
  until: { seconds: number } | { amount: number },
  databases: readonly ScratchDatabase[],
): Promise<Measured> {
  const reset = () => Promise.all(databases.map(({ db }) => db.execute(sql`update daily_usage set requests = 1`)));
  await reset();
  // One after another, as two at once could wait for each other's rows.
  let resetting: Promise<unknown> | null = null;
  const resetAgain = () => {
    resetting ??= reset().finally(() => {
      resetting = null;
    });
  };
  const timer = keys.length < BIG_KEYS ? setInterval(resetAgain, RESET_MS) : undefined;
  const load = { url: server.base + path, keys, connections, pid: server.pid, ...until };
  const measured = await runLoad(load).finally(() => clearInterval(timer));
  await resetting;
  return measured;
}

/** The comparison is fair only if the rival answers the same. */
async function requireSameResponses({ started, fastify }: Servers, { big: [key = ""] }: Keys, { db }: ScratchDatabase) {
  const request = async ({ base }: Server, path: string) => {
    await db.execute(sql`delete from daily_usage`);
    const response = await fetch(base + path, { headers: { "x-api-key": key } });
    const headers = [...response.headers.keys()].filter((name) => /^(x-|rate|cache)/.test(name)).sort();
    return { status: response.status, headers, body: await response.text() };
  };
  for (const path of ["/api/usage", "/api/alerts", LAST_PAGE])
    deepEqual(await request(fastify, path), await request(started, path), path);
}

function createReport(runs: Runs): Report {
  return {
    title: `API: ${CONNECTIONS} connections, ${PINNING}`,
    head: ["", "requests/s", "spread", "p50 ms", "p99 ms", "server CPU µs"],
    rows: [...runs].map(([name, measured]) => {
      const { perSecond, p50, p99, cpuMicros } = computeMedians(measured);
      const spread = formatSpread(measured.map((run) => run.perSecond));
      return [name, round(perSecond), spread, round(p50), round(p99), round(cpuMicros)];
    }),
    goals: checkGoals(runs),
  };
}

function checkGoals(runs: Runs): Goal[] {
  /** The median over rounds of one case by another of the same round. */
  const compare = (name: string, other: string, field: keyof Measured) => {
    const others = runs.get(other) ?? [];
    const values = (runs.get(name) ?? []).map((run, round) => run[field] / (others[round]?.[field] ?? 0));
    return median(values);
  };
  const products = ["npm start", "npm start with pages"];
  const lists = ["usage", "alerts", "20 of 10,000 alerts"];
  const cpu = lists.flatMap((what) =>
    products.map((product) => {
      const times = compare(`${what}, ${product}`, `${what}, Fastify`, "cpuMicros");
      return checkGoal(`${what}, ${product}: server CPU a request, times Fastify`, times, { atMost: 1.3 });
    }),
  );
  const throughput = [...lists, "one key: usage", "one key: alerts"].flatMap((what) =>
    products.map((product) => {
      const percent = 100 * compare(`${what}, ${product}`, `${what}, Fastify`, "perSecond");
      return checkGoal(`${what}, ${product}: throughput, of Fastify`, percent, { atLeast: 80 }, " %");
    }),
  );
  const size = ["usage", "alerts"].map((what) => {
    const percent = 100 * compare(`${what}, full database`, `${what}, single key`, "p50");
    return checkGoal(`${what}: p50 in a full database, of a single key's`, percent, { atMost: 115 }, " %");
  });
  const lastPage = compare("last page of 10,000", "first page of 10,000", "p50");
  const depth = checkGoal("last page of 10,000 alerts, times the first", lastPage, { atMost: 2 });
  return [...cpu, ...throughput, ...size, depth];
}
