import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { sleep } from "@/core/time";
import { goal, median, type Report, round } from "./report";
import { endWithUs, START } from "./servers";

const SERVER = ".next/server";
const ROUNDS = 5;
const POLL_MS = 5;
/** What a start still loads after its first answer. */
const SETTLED_MS = 1500;
/** Loads a file in a process of its own and prints the milliseconds of CPU time that took. */
const LOAD = `const before = process.cpuUsage(); require(process.argv[1]);
  const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
const Trace = z.object({ files: z.array(z.string()) });

/** Measures what an instance that comes and goes must load before it answers: each API route of the build. */
export async function benchStart(): Promise<Report> {
  const ofStart = traced("instrumentation.js");
  const routes = readdirSync(`${SERVER}/app/api`, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.js")
    .map((file) => `app/api/${file.replaceAll("\\", "/")}`)
    .sort();
  return {
    title: "Cold start: what a deployed function of each API route carries, and what loading the route takes",
    head: ["route", "files MB", "with the start's MB", "CPU ms"],
    rows: ["instrumentation.js", ...routes].map((route) => {
      const own = traced(route);
      const times = Array.from({ length: ROUNDS }, () => loadingMs(route));
      return [route, megabytes(own), megabytes([...own, ...ofStart]), round(median(times))];
    }),
    goals: [],
  };
}

/** All files that the build says an entry needs. */
function traced(entry: string): string[] {
  const list = path.resolve(SERVER, `${entry}.nft.json`);
  const { files } = Trace.parse(JSON.parse(readFileSync(list, "utf8")));
  return [path.resolve(SERVER, entry), ...files.map((file) => path.resolve(path.dirname(list), file))].filter(
    (file) => statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}

function megabytes(files: readonly string[]): string {
  return round([...new Set(files)].reduce((sum, file) => sum + statSync(file).size, 0) / 1e6);
}

function loadingMs(entry: string): number {
  const file = path.resolve(SERVER, entry);
  return Number(spawnSync(process.execPath, ["-e", LOAD, file], { encoding: "utf8" }).stdout);
}

/** Measures the waits of an operator and a contributor: from the command to the first answer, the database being there. */
export async function benchFirstAnswer({ port }: { port: number }): Promise<Report> {
  const folder = mkdtempSync(path.join(tmpdir(), "creator-growth-bench-"));
  try {
    const start = () => firstAnswer(process.execPath, START, { port, path: "/api/health", dataDir: folder });
    await start();
    const started = [await start(), await start(), await start()];
    const dataDir = path.join(folder, "dev");
    const dev = () => firstAnswer("npm", ["run", "dev"], { port, path: "/", dataDir });
    const [fresh, again] = [await dev(), await dev()];
    const startMs = median(started.map(({ ms }) => ms));
    return {
      title: "From the command to the first answer",
      head: ["", "ms", "resident MB after it"],
      rows: [
        ["server of npm start", round(startMs), round(median(started.map(({ mb }) => mb)))],
        ["npm run dev without data, first page", round(fresh.ms), "-"],
        ["npm run dev, first page", round(again.ms), "-"],
      ],
      goals: [
        goal("npm start answers, at most 1500 ms", startMs, { atMost: 1500 }, " ms"),
        goal("npm run dev shows a page, at most 8000 ms", again.ms, { atMost: 8000 }, " ms"),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstAnswer(
  program: string,
  words: readonly string[],
  asked: { port: number; path: string; dataDir: string },
): Promise<{ ms: number; mb: number }> {
  const startedAt = performance.now();
  const child = spawn(program, words, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PORT: String(asked.port), DATA_DIR: asked.dataDir, LOG_LEVEL: "error" },
  });
  endWithUs(child);
  const url = `http://127.0.0.1:${asked.port}${asked.path}`;
  const isThere = () =>
    fetch(url).then(
      async (answer) => (await answer.text()) !== "" && answer.ok,
      () => false,
    );
  while (!(await isThere())) await sleep(POLL_MS);
  const ms = performance.now() - startedAt;
  await sleep(SETTLED_MS);
  const mb = residentMb(child);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { ms, mb };
}

/** Resident memory of a process; not a number where the system does not tell. */
function residentMb({ pid }: ChildProcess): number {
  if (process.platform !== "linux") return Number.NaN;
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
}
