import { connect, type Socket } from "node:net";
import { createLog } from "@/core/log/log";
import { SECOND, sleep, systemClock } from "@/core/time";
import { issueKey } from "@/features/keys/service";
import { checkGoal, type Report, round } from "./report";
import { openScratchDatabase, withFolder } from "./scratch";
import { PINNING, pinSelf, readResidentMb, type Server, startProduct } from "./servers";

const DURATION_MS = 20_000;
const PIPELINED = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500);
/** After this the rude client closes its connection of pipelined pages. */
const CLOSE_AFTER_MS = 50;
const UNFINISHED = "POST /api/track HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{";
const UNFINISHED_COUNT = 520;
const PROBE_MS = 50;
const IN_TIME_MS = 2000;
const WARM_UP_REQUESTS = 300;
const SETTLED_MS = 15_000;
/** V8 gives memory back once a process has been idle for a while. */
const IDLE_MS = 120_000;
/** Of the memory before. */
const MAX_MEMORY_SHARE = 1.2;

interface Memory {
  mbBefore: number;
  mbPeak: number;
  mbAfter: number;
  /** How long the server was idle then. */
  idleSeconds: number;
}

interface Probe {
  ms: number;
  isOk: boolean;
}

/** Measures what a valid key and the operator notice while one client floods the service. */
export function benchOverload({ port }: { port: number }): Promise<Report> {
  return withFolder(async (folder) => {
    pinSelf(true);
    const database = await openScratchDatabase(folder);
    const ctx = { db: database.db, clock: systemClock, log: createLog({ level: "silent" }) };
    const { secret } = await issueKey(ctx, { tier: "pro", label: "Bench" });
    const server = await startProduct(folder, port, database.url);
    try {
      return await measure(server, port, secret);
    } finally {
      await server.stop();
      await database.close();
      pinSelf(false);
    }
  });
}

async function measure(server: Server, port: number, secret: string): Promise<Report> {
  const usage = () => probe(`${server.base}/api/usage`, { "x-api-key": secret });
  const live = () => probe(`${server.base}/api/live`, {});
  for (let at = 0; at < WARM_UP_REQUESTS; at++) await Promise.all([probe(`${server.base}/`, {}), usage()]);
  await sleep(SETTLED_MS);
  const mbBefore = readResidentMb(server.pid);
  const until = performance.now() + DURATION_MS;
  const [usages, lives] = await Promise.all([
    repeatProbe(usage, until),
    repeatProbe(live, until),
    floodPages(port, until),
    holdBodies(port, until),
  ]);
  const mbPeak = readResidentMb(server.pid);
  const idleSince = performance.now();
  const isOver = () => performance.now() - idleSince > IDLE_MS;
  while (readResidentMb(server.pid) > mbBefore * MAX_MEMORY_SHARE && !isOver()) await sleep(SECOND);
  const mbAfter = readResidentMb(server.pid);
  const idleSeconds = Math.round((performance.now() - idleSince) / SECOND);
  return createReport(usages, lives, { mbBefore, mbPeak, mbAfter, idleSeconds });
}

async function probe(url: string, headers: Record<string, string>): Promise<Probe> {
  const startedAt = performance.now();
  const isOk = await fetch(url, { headers, signal: AbortSignal.timeout(DURATION_MS) }).then(
    async (answer) => (await answer.text()) !== "" && answer.ok,
    () => false,
  );
  return { ms: performance.now() - startedAt, isOk };
}

/** Probes at a steady pace, also while earlier answers are late. */
async function repeatProbe(one: () => Promise<Probe>, until: number): Promise<Probe[]> {
  const probes: Promise<Probe>[] = [];
  while (performance.now() < until) {
    probes.push(one());
    await sleep(PROBE_MS);
  }
  return Promise.all(probes);
}

/** Pipelines pages on one connection after the other, and leaves before their answers. */
async function floodPages(port: number, until: number): Promise<void> {
  while (performance.now() < until) {
    const socket = open(port, PIPELINED);
    await sleep(CLOSE_AFTER_MS);
    socket.destroy();
  }
}

/** Holds connections whose bodies never end, and replaces those that the server closes. */
async function holdBodies(port: number, until: number): Promise<void> {
  let sockets: Socket[] = [];
  while (performance.now() < until) {
    sockets = sockets.filter(({ destroyed }) => !destroyed);
    while (sockets.length < UNFINISHED_COUNT) sockets.push(open(port, UNFINISHED));
    await sleep(CLOSE_AFTER_MS);
  }
  for (const socket of sockets) socket.destroy();
}

function open(port: number, bytes: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => socket.destroy()).resume();
  socket.write(bytes);
  return socket;
}

function createReport(usages: Probe[], lives: Probe[], { mbBefore, mbPeak, mbAfter, idleSeconds }: Memory): Report {
  const countInTime = (probes: Probe[]) => probes.filter(({ isOk, ms }) => isOk && ms <= IN_TIME_MS).length;
  const getSlowest = (probes: Probe[]) =>
    Math.max(...probes.map(({ isOk, ms }) => (isOk ? ms : Number.POSITIVE_INFINITY)));
  const describeProbes = (name: string, probes: Probe[]) => [
    name,
    probes.length,
    round((100 * countInTime(probes)) / probes.length),
    round(getSlowest(probes)),
  ];
  const share = (100 * countInTime(usages)) / usages.length;
  return {
    title: `${DURATION_MS / 1000} s of pipelined pages and ${UNFINISHED_COUNT} unfinished bodies: ${PINNING}`,
    head: ["", "requests", "% 200 within 2 s", "slowest ms"],
    rows: [
      describeProbes("GET /api/usage with a valid key", usages),
      describeProbes("GET /api/live", lives),
      [
        `resident MB before, at the end, ${idleSeconds} s later`,
        [mbBefore, mbPeak, mbAfter].map(round).join(", "),
        "–",
        "–",
      ],
    ],
    goals: [
      checkGoal("a valid key's answers that are 200 within 2 s", share, { atLeast: 95 }, " %"),
      checkGoal("slowest GET /api/live", getSlowest(lives), { atMost: 1000 }, " ms"),
      checkGoal("memory afterwards, of before", (100 * mbAfter) / mbBefore, { atMost: 100 * MAX_MEMORY_SHARE }, " %"),
    ],
  };
}
