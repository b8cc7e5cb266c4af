import { deepEqual } from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { createLog } from "@/core/log/log";
import { fill, type Size } from "./dataset";
import { applyLoad, medianOf, type Seen } from "./load";
import { type Goal, goal, median, type Report, round, spread } from "./report";
import { openScratchDatabase, type ScratchDatabase } from "./scratch";
import { NEXT, PINNING, pinSelf, type Server, START, startServer } from "./servers";

const CONNECTIONS = 32;
const SPREAD_KEYS = 1000;
/** Before its first round each case is asked so often: the compiler takes thousands of requests to learn what is hot. */
const WARM_UP_REQUESTS = 4000;
const BIG_KEYS = 50;
const ALERTS_OF_BIG = 10_000;
const FULL: Size = {
  keys: 10_000,
  channels: 100_000,
  days: 30,
  bigKeys: BIG_KEYS,
  alertsOfBig: ALERTS_OF_BIG,
  alertsOfOther: 50,
};
/** What the one asked key sees is the same as in the full database. */
const ALONE: Size = { ...FULL, keys: 1, channels: 1000, days: 1, bigKeys: 0 };

export interface ApiOptions {
  rounds: number;
  seconds: number;
  port: number;
}

interface Case {
  name: string;
  server: Server;
  path: string;
  keys: readonly string[];
  connections: number;
}

/** Measures the API beside its rivals, in interleaved rounds. */
export async function benchApi(options: ApiOptions): Promise<Report> {
  pinSelf(true);
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await measureApi(folder, options, closers);
  } finally {
    for (const close of closers.reverse()) await close();
    pinSelf(false);
  }
}

async function measureApi(
  folder: string,
  { rounds, seconds, port }: ApiOptions,
  closers: (() => Promise<unknown>)[],
): Promise<Report> {
  const log = createLog({ level: "silent" });
  const full = await openScratchDatabase(folder, log);
  closers.push(full.close);
  const alone = await openScratchDatabase(folder, log);
  closers.push(alone.close);
  const { secrets } = await fill(full.db, FULL, SPREAD_KEYS + BIG_KEYS);
  const own = await fill(alone.db, ALONE, 1);
  const servers = await startServers({ folder, port, full, alone, closers });
  const keys = {
    big: secrets.slice(0, BIG_KEYS),
    spread: secrets.slice(BIG_KEYS),
    alone: own.secrets,
  };
  const cases = casesOf(servers, keys);
  await requireSameAnswers(servers, keys.big[0] ?? "", full);

  const seen = new Map<Case, Seen[]>(cases.map((one) => [one, []]));
  for (const one of cases) await run(one, { amount: WARM_UP_REQUESTS }, [full, alone]);
  for (let round = 0; round < rounds; round++)
    for (const one of cases) seen.get(one)?.push(await run(one, { seconds }, [full, alone]));
  return report(seen);
}

type Servers = Record<"bare" | "next" | "lane" | "pagesLane" | "aloneLane" | "fastify", Server>;

async function startServers(given: {
  folder: string;
  port: number;
  full: ScratchDatabase;
  alone: ScratchDatabase;
  closers: (() => Promise<unknown>)[];
}): Promise<Servers> {
  const { folder, port, full, alone, closers } = given;
  const log = path.join(folder, "servers.log");
  const next = NEXT;
  const lane = START;
  const product = ({ url }: ScratchDatabase) => ({
    DATABASE_URL: url,
    SESSION_SECRET: "a secret for measuring only, never for use",
    DATA_DIR: path.join(folder, "data"),
  });
  const start = async (words: readonly string[], at: number, probe: string, env = {}) => {
    const server = await startServer(words, { port: port + at, probe, log, env });
    closers.push(server.stop);
    return server;
  };
  // From its first page on, Next follows every promise of the process.
  const visited = async (server: Server) => {
    const { ok, status } = await fetch(`${server.base}/accuracy`);
    if (!ok) throw new Error(`A page was answered ${status}`);
    return server;
  };
  const rival = ["--import", "tsx", "bench/rivals/fastify.ts", String(port + 4), full.url];
  return {
    bare: await start([next, "start", "bench/rivals/next", "-p", String(port)], 0, "/api/constant"),
    // With a database of its own Next alone is the whole service, as it is on a serverless host.
    next: await start([next, "start", "-p", String(port + 1)], 1, "/api/health", product(full)),
    lane: await start(lane, 2, "/api/health", product(full)),
    aloneLane: await start(lane, 3, "/api/health", product(alone)),
    fastify: await start(rival, 4, "/api/usage"),
    pagesLane: await visited(await start(lane, 5, "/api/health", product(full))),
  };
}

const LAST_PAGE = `/api/alerts?offset=${ALERTS_OF_BIG - 20}&limit=20`;

function casesOf(servers: Servers, keys: Record<"big" | "spread" | "alone", readonly string[]>): Case[] {
  const { bare, next, lane, pagesLane, aloneLane, fastify } = servers;
  const hot = keys.big.slice(0, 1);
  const one = keys.spread.slice(0, 1);
  const of = (
    name: string,
    server: Server,
    path: string,
    asked: readonly string[],
    connections = CONNECTIONS,
  ) => ({
    name,
    server,
    path,
    keys: asked,
    connections,
  });
  return [
    of("bare Next", bare, "/api/constant", keys.spread),
    of("usage, Next", next, "/api/usage", keys.spread),
    of("usage, npm start", lane, "/api/usage", keys.spread),
    of("usage, npm start with pages", pagesLane, "/api/usage", keys.spread),
    of("usage, Fastify", fastify, "/api/usage", keys.spread),
    of("alerts, npm start", lane, "/api/alerts", keys.spread),
    of("alerts, npm start with pages", pagesLane, "/api/alerts", keys.spread),
    of("alerts, Fastify", fastify, "/api/alerts", keys.spread),
    of("20 of 10,000 alerts, Next", next, "/api/alerts", keys.big),
    of("20 of 10,000 alerts, npm start", lane, "/api/alerts", keys.big),
    of("20 of 10,000 alerts, Fastify", fastify, "/api/alerts", keys.big),
    of("hot key: usage, npm start", lane, "/api/usage", hot),
    of("hot key: usage, Fastify", fastify, "/api/usage", hot),
    of("hot key: alerts, npm start", lane, "/api/alerts", hot),
    of("hot key: alerts, Fastify", fastify, "/api/alerts", hot),
    of("first page of 10,000", lane, "/api/alerts", hot, 1),
    of("last page of 10,000", lane, LAST_PAGE, hot, 1),
    of("usage, full database", lane, "/api/usage", one, 1),
    of("usage, key alone", aloneLane, "/api/usage", keys.alone, 1),
    of("alerts, full database", lane, "/api/alerts", one, 1),
    of("alerts, key alone", aloneLane, "/api/alerts", keys.alone, 1),
  ];
}

/** Loads one case. Counters are set back all the while, so that no key runs out of requests. */
async function run(
  { server, path, keys, connections }: Case,
  until: { seconds: number } | { amount: number },
  databases: readonly ScratchDatabase[],
): Promise<Seen> {
  const reset = () =>
    Promise.all(databases.map(({ db }) => db.execute(sql`update daily_usage set requests = 1`)));
  await reset();
  let resetting: Promise<unknown> | null = null;
  // One after another, as two at once may wait for each other's rows.
  const resetNext = () => {
    resetting ??= reset().finally(() => {
      resetting = null;
    });
  };
  // A tenth of the day's 2000 requests is gone before the next time.
  const timer = keys.length < 10 ? setInterval(resetNext, 100) : undefined;
  const { base, pid } = server;
  const senders = keys.map((key) => ({ "x-api-key": key }));
  const seen = await applyLoad({ url: base + path, senders, connections, ...until, pid }).finally(() =>
    clearInterval(timer),
  );
  await resetting;
  return seen;
}

/** Rivals are rivals only when they answer the same. */
async function requireSameAnswers(
  { next, lane, fastify }: Servers,
  key: string,
  { db }: ScratchDatabase,
): Promise<void> {
  for (const asked of ["/api/usage", "/api/alerts", LAST_PAGE]) {
    const answers = [];
    for (const { base } of [lane, next, fastify]) {
      await db.execute(sql`delete from daily_usage`);
      const answer = await fetch(base + asked, { headers: { "x-api-key": key } });
      const headers = [...answer.headers.keys()].filter((name) => /^(x-|rate|cache)/.test(name)).sort();
      answers.push({ status: answer.status, headers, body: await answer.text() });
    }
    for (const other of answers.slice(1)) deepEqual(other, answers[0], asked);
  }
}

function report(seen: Map<Case, Seen[]>): Report {
  const rows = [...seen].map(([{ name }, runs]) => {
    const { perSecond, p50, p99, cpuMicros } = medianOf(runs);
    const cpu = cpuMicros === null ? "–" : round(cpuMicros);
    return [name, round(perSecond), spread(runs.map((run) => run.perSecond)), round(p50), round(p99), cpu];
  });
  return {
    title: `API: ${CONNECTIONS} connections, ${PINNING}`,
    head: ["", "requests/s", "spread", "p50 ms", "p99 ms", "server CPU µs"],
    rows,
    goals: goalsOf(seen),
  };
}

function goalsOf(seen: Map<Case, Seen[]>): Goal[] {
  const runsOf = (name: string): Seen[] => {
    const found = [...seen].find(([one]) => one.name === name)?.[1];
    if (!found) throw new Error(`There is no case "${name}"`);
    return found;
  };
  /** The median over rounds of two cases held against each other within the same round. */
  const ratio = (name: string, other: string, figure: (one: Seen) => number) => {
    const others = runsOf(other).map(figure);
    return median(runsOf(name).map((one, round) => figure(one) / (others[round] ?? Number.NaN)));
  };
  const throughput = (name: string, other: string, atLeast: number) => {
    const percent = 100 * ratio(name, other, ({ perSecond }) => perSecond);
    return goal(`${name}: throughput, of ${other}`, percent, { atLeast }, " %");
  };
  const cpu = (name: string, other: string) => {
    const times = ratio(name, other, ({ cpuMicros }) => cpuMicros ?? Number.NaN);
    return goal(`${name}: server CPU a request, times ${other}`, times, { atMost: 1.3 });
  };
  const tail = (name: string) => {
    const times = ratio(name, "bare Next", ({ p50, p99 }) => p99 / p50);
    return goal(`${name}: p99/p50, of bare Next's`, 100 * times, { atMost: 100 }, " %");
  };
  const unmoved = (what: string) => {
    const times = ratio(`${what}, full database`, `${what}, key alone`, ({ p50 }) => p50);
    return goal(`${what}: p50 in the full database, of that alone`, 100 * times, { atMost: 115 }, " %");
  };
  const ofFastify = ["usage", "alerts", "20 of 10,000 alerts", "hot key: usage", "hot key: alerts"];
  const lastPage = ratio("last page of 10,000", "first page of 10,000", ({ p50 }) => p50);
  return [
    throughput("usage, Next", "bare Next", 70),
    throughput("20 of 10,000 alerts, Next", "bare Next", 80),
    ...["usage", "alerts"].flatMap((what) => [
      cpu(`${what}, npm start`, `${what}, Fastify`),
      cpu(`${what}, npm start with pages`, `${what}, Fastify`),
    ]),
    cpu("20 of 10,000 alerts, npm start", "20 of 10,000 alerts, Fastify"),
    ...ofFastify.map((what) => throughput(`${what}, npm start`, `${what}, Fastify`, 80)),
    throughput("usage, npm start with pages", "usage, Fastify", 80),
    throughput("alerts, npm start with pages", "alerts, Fastify", 80),
    ...["usage, Next", "usage, npm start", "alerts, npm start"].map(tail),
    ...["usage", "alerts"].map(unmoved),
    goal("last page of 10,000 alerts, times the first", lastPage, { atMost: 2 }),
  ];
}
