import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { sleep } from "@/core/time";

/** What `npm start` runs. */
export const HEAP_FLAGS = ["--max-semi-space-size=8", "--heap-growing-percent=150"];
export const START = [process.execPath, ...HEAP_FLAGS, "dist/cli/serve.js", "start"];
/** Load generator and database run on the first core, the measured server on the second. */
const LOAD_CORE = "0";
const SERVER_CORE = "1";
const START_TIMEOUT_MS = 120_000;
const POLL_MS = 5;
const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

export const PINNING = canPin
  ? "load generator and PostgreSQL on one core, the measured server on another"
  : "nothing is bound to a core";

export type Server = Awaited<ReturnType<typeof startServer>>;

interface ServerOptions {
  port: number;
  /** What is requested until the server answers. */
  path: string;
  /** The file that takes its output. */
  log: string;
  env?: Record<string, string>;
  pinned?: boolean;
}

/** Binds this process, and whatever it starts from now on, to the load generator's core, or frees it. */
export function pinSelf(pinned: boolean): void {
  const cores = pinned ? LOAD_CORE : `0-${availableParallelism() - 1}`;
  if (canPin) spawnSync("taskset", ["--all-tasks", "-cp", cores, String(process.pid)]);
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Kills a child when this process exits. */
export function killOnExit(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
}

/** Resident memory of a process; NaN where the system does not report it. */
export function readResidentMb(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
}

/** Starts a server and waits until it answers. @param words the command */
export async function startServer(words: readonly string[], { port, path, log, env, pinned }: ServerOptions) {
  const output = openSync(log, "a");
  const startedAt = performance.now();
  const pin = pinned && canPin ? ["taskset", "-c", SERVER_CORE] : [];
  const [program = "", ...args] = [...pin, ...words];
  const child = spawn(program, args, {
    stdio: ["ignore", output, output],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", PORT: String(port), ...env },
  });
  killOnExit(child);
  const base = `http://127.0.0.1:${port}`;
  while (!(await isUp(base + path))) {
    const isLate = performance.now() - startedAt > START_TIMEOUT_MS;
    if (isLate || child.exitCode !== null)
      throw new Error(`${base}${path} does not come up:\n${readFileSync(log, "utf8").slice(-2000)}`);
    await sleep(POLL_MS);
  }
  /** From the command to the first answer. */
  const startMs = performance.now() - startedAt;
  return { base, pid: child.pid ?? 0, startMs, stop: () => stop(child) };
}

/** Starts the built product on a database, bound to the server's core. @param folder for its data and output */
export function startProduct(folder: string, port: number, url: string) {
  const env = {
    NODE_ENV: "production",
    DATABASE_URL: url,
    SESSION_SECRET: "a secret for measuring only, never for use",
    DATA_DIR: path.join(folder, "data"),
  };
  return startServer(START, { port, path: "/api/health", log: path.join(folder, "servers.log"), env, pinned: true });
}

function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    // Reads the whole page. The rival has no path that is open without a key.
    async (answer) => (await answer.text()) !== "" && (answer.ok || answer.status === 401),
    () => false,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** @throws when the product does not build, after showing why */
export async function buildProduct(): Promise<void> {
  const child = spawn("npm", ["run", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  killOnExit(child);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`npm run build ended with ${code}`);
}
