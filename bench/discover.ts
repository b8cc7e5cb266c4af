import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sum } from "drizzle-orm";
import { createLog } from "@/core/log/log";
import { systemClock } from "@/core/time";
import { nicheSearches } from "@/db/schema";
import { issueKey } from "@/features/keys/service";
import { applyLoad, medianOf, type Seen } from "./load";
import { goal, type Report, round, spread } from "./report";
import { openScratchDatabase, type ScratchDatabase } from "./scratch";
import { PINNING, pinSelf, type Server, START, startServer } from "./servers";

const KEYS = 20;
const TOPICS = ["gaming", "cooking", "fitness", "music", "travel"];
const NICHES = Array.from({ length: 50 }, (_, number) => `${TOPICS[number % TOPICS.length]} ${number}`);
const SEARCHES = 50;
const P95_MS = 50;

/** Twenty pro keys ask for fifty niches on a fresh day: what it costs in searches, and how fast the index answers. */
export async function benchDiscover(options: { rounds: number; port: number }): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  const logs = path.join(folder, "servers.log");
  const database = await openScratchDatabase(folder, createLog({ level: "silent" }));
  try {
    const server = await startServer(START, {
      port: options.port,
      probe: "/api/health",
      log: logs,
      env: {
        DATABASE_URL: database.url,
        SESSION_SECRET: "a secret for measuring only, never for use",
        DATA_DIR: path.join(folder, "data"),
      },
    });
    pinSelf(true);
    return await measure(server, database, options.rounds).finally(server.stop);
  } finally {
    pinSelf(false);
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(server: Server, database: ScratchDatabase, rounds: number): Promise<Report> {
  const ctx = { db: database.db, clock: systemClock, log: createLog({ level: "silent" }) };
  const issued = Array.from({ length: KEYS }, () => issueKey(ctx, { tier: "pro", label: "Bench" }));
  const keys = (await Promise.all(issued)).map(({ secret }) => secret);
  const paths = NICHES.map((niche) => `/api/discover?niche=${encodeURIComponent(niche)}`);
  await lookUpAll(server, keys, paths);
  const seen = new Map<string, Seen[]>();
  for (const connections of [1, KEYS]) {
    const runs: Seen[] = [];
    const senders = keys.map((key) => ({ "x-api-key": key }));
    const amount = KEYS * NICHES.length;
    const load = { url: server.base, paths, senders, connections, amount, pid: server.pid };
    for (let turn = 0; turn < rounds; turn++) runs.push(await applyLoad(load));
    seen.set(connections === 1 ? "one at a time" : `${connections} at once`, runs);
  }
  const [spent] = await database.db.select({ searches: sum(nicheSearches.searches) }).from(nicheSearches);
  return report(seen, Number(spent?.searches));
}

/** Each niche is asked for once, by the keys in turn, so that no key runs out of look-ups. */
async function lookUpAll({ base }: Server, keys: readonly string[], paths: readonly string[]): Promise<void> {
  for (const [turn, asked] of paths.entries()) {
    const answer = await fetch(base + asked, { headers: { "x-api-key": keys[turn % KEYS] ?? "" } });
    if (answer.status !== 200) throw new Error(`${asked} was answered ${answer.status}`);
  }
}

function report(seen: Map<string, Seen[]>, searches: number): Report {
  const figures = [...seen].map(([name, runs]) => ({ name, runs, ...medianOf(runs) }));
  return {
    title: `Discovery: ${KEYS} keys, ${NICHES.length} niches, ${KEYS * NICHES.length} requests a round, ${PINNING}`,
    head: ["", "requests/s", "spread", "p50 ms", "p95 ms", "p99 ms"],
    rows: figures.map(({ name, runs, perSecond, p50, p95, p99 }) => [
      name,
      round(perSecond),
      spread(runs.map((run) => run.perSecond)),
      round(p50),
      round(p95),
      round(p99),
    ]),
    goals: [
      goal("searches spent on the day", searches, { atMost: SEARCHES }),
      ...figures.map(({ name, p95 }) => goal(`discover, ${name}: p95`, p95, { atMost: P95_MS }, " ms")),
    ],
  };
}
