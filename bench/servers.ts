import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { cpus } from "node:os";
import { sleep } from "@/core/time";

/** What `npm start` runs. */
export const YOUNG_HEAP = "--max-semi-space-size=8";
export const START = [YOUNG_HEAP, "dist/cli/serve.js", "start"];
export const NEXT = "node_modules/next/dist/bin/next";
/** Load generator and database run on the first core, the measured server on the second. */
const LOAD_CORE = "0";
const SERVER_CORE = "1";
const START_TURNS = 300;
const canPin = cpus().length > 1 && spawnSync("taskset", ["--version"]).status === 0;

export const PINNING = canPin
  ? "load generator and PostgreSQL on one core, the measured server on another"
  : "nothing is bound to a core";

export interface Server {
  base: string;
  pid: number;
  stop(): Promise<void>;
}

/** Binds this process, and whatever it starts from now on, to the load generator's core, or frees it. */
export function pinSelf(pinned: boolean): void {
  const cores = pinned ? LOAD_CORE : `0-${cpus().length - 1}`;
  if (canPin) spawnSync("taskset", ["--all-tasks", "-cp", cores, String(process.pid)]);
}

const started = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

/** Whatever ends this process ends what it started. */
export function endWithUs(child: ChildProcess): void {
  started.add(child);
  child.once("exit", () => started.delete(child));
}

/** Starts a server on the server's core and waits until it answers. Its output goes to a file, as a log would. */
export async function startServer(
  words: readonly string[],
  { port, probe, log, env = {} }: { port: number; probe: string; log: string; env?: Record<string, string> },
): Promise<Server> {
  const output = openSync(log, "a");
  const [program, args] = canPin
    ? ["taskset", ["-c", SERVER_CORE, process.execPath, ...words]]
    : [process.execPath, [...words]];
  const child = spawn(program, args, {
    stdio: ["ignore", output, output],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", PORT: String(port), ...env },
  });
  endWithUs(child);
  const base = `http://127.0.0.1:${port}`;
  await answers(`${base}${probe}`, child, log);
  return { base, pid: child.pid ?? 0, stop: () => end(child) };
}

async function answers(url: string, child: ChildProcess, log: string): Promise<void> {
  for (let turn = 0; turn < START_TURNS && child.exitCode === null; turn++) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status > 0 && status !== 503) return;
    await sleep(100);
  }
  child.kill("SIGKILL");
  throw new Error(`${url} does not come up; see ${log}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Builds the product and the bare Next application. @throws when one does not build, after showing why */
export async function buildAll(): Promise<void> {
  for (const [program, ...words] of [
    ["npm", "run", "build"],
    [process.execPath, NEXT, "build", "bench/rivals/next"],
  ] as const) {
    const child = spawn(program, words, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`${[program, ...words].join(" ")} ended with ${code}`);
  }
}
