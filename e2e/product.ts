import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type APIRequestContext, expect } from "@playwright/test";
import { Variables } from "../src/core/variables";

/** Below the ephemeral ports, so that no other process gets them by chance. */
export const PORT = Number(process.env.E2E_PORT || 17_321);
const OWN_PORTS = PORT + 9;
export const HOST = "127.0.0.1";

/** Every variable of the product, empty, so that no .env file of the developer fills it in. */
const UNSET = Object.fromEntries(Object.keys(Variables.shape).map((name) => [name, ""]));

/** Variables of the suite's stand-ins; empty with embedded services. */
const STAND_INS = (process.env.E2E_STAND_INS ?? "").split(" ").filter(Boolean);
export const isOnStandIns = STAND_INS.length > 0;
const standInVariables = Object.fromEntries(STAND_INS.map((name) => [name, process.env[name] ?? ""]));

/** The path of a new data folder. */
export function createDataDirPath(): string {
  return path.join(tmpdir(), `creator-growth-e2e-${randomBytes(12).toString("hex")}`);
}

/** The shared product's data folder: chosen by the runner, inherited by its workers. */
if (process.env.TEST_WORKER_INDEX === undefined) process.env.E2E_DATA_DIR = createDataDirPath();
export const DATA_DIR = process.env.E2E_DATA_DIR ?? createDataDirPath();

/** Ports for products started by one worker. */
export function getOwnPort(worker: number, number = 0): number {
  return OWN_PORTS + worker * 10 + number;
}

export function getBaseUrl(port: number): string {
  return `http://${HOST}:${port}`;
}

/** The variables of a product. */
export function buildProductEnv(dataDir: string, port = PORT): Record<string, string> {
  return {
    ...UNSET,
    ...standInVariables,
    DATA_DIR: dataDir,
    PORT: String(port),
    APP_URL: getBaseUrl(port),
    LOG_LEVEL: "warn",
  };
}

/** Exit code and output of a process. */
export interface Exit {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Running {
  child: ChildProcess;
  /** The output so far. */
  said(): string;
  exit: Promise<Exit>;
}

function run(program: string, args: readonly string[], env: Record<string, string>): Running {
  const { FORCE_COLOR, NO_COLOR, ...inherited } = process.env;
  const child = spawn(program, args, { env: { ...inherited, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exit = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, said: () => stdout + stderr, exit };
}

/** Runs an npm script without a terminal. */
export function runNpm(
  script: string,
  args: readonly string[],
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Exit> {
  return run("npm", ["run", "--silent", script, "--", ...args], { ...buildProductEnv(dataDir), ...env }).exit;
}

/** Runs `keys` without npm, which would double the time. */
export function runKeys(args: readonly string[], dataDir = DATA_DIR): Promise<Exit> {
  const command = ["dist/cli/keys.js", ...args];
  return run(process.execPath, command, buildProductEnv(dataDir)).exit;
}

/** A key as the operator's command prints it. */
export interface KeyRecord {
  id: string;
  tier: string;
  label: string;
  hint: string;
  requests_per_day: number;
  created_at: string;
  rotated_at: string | null;
  previous_key_works_until: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}
export type IssuedKey = KeyRecord & { key: string };

/** Runs `keys` with `--json` and reads what it prints. */
export async function runKeysJson<T>(args: readonly string[], dataDir = DATA_DIR): Promise<T> {
  const { code, stdout, stderr } = await runKeys([...args, "--json"], dataDir);
  if (code !== 0) throw new Error(`keys ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export type Tier = "free" | "starter" | "pro";

export function issueKey(tier: Tier, dataDir = DATA_DIR): Promise<IssuedKey> {
  return runKeysJson(["issue", "--tier", tier, "--label", `e2e ${tier}`], dataDir);
}

/** A running product. */
export type Product = Awaited<ReturnType<typeof startProduct>>;

interface Start {
  dataDir: string;
  port: number;
  env?: Record<string, string>;
}

function launch({ dataDir, port, env }: Start): Running {
  const heap = ["--max-semi-space-size=8", "--heap-growing-percent=150"];
  return run(process.execPath, [...heap, "dist/cli/serve.js", "start"], { ...buildProductEnv(dataDir, port), ...env });
}

/** Starts a product that should not come up and waits for its exit. */
export function expectStartFailure(start: Start): Promise<Exit> {
  return launch(start).exit;
}

/** The same with Next as the server, as on a serverless host. */
export function expectServerlessStartFailure(start: Start): Promise<Exit> {
  return launchServerless(start).exit;
}

/** Starts Next as the server, as on a serverless host. Resolves to what stops it, without waiting until it can serve. */
export function startServerless(start: Start): () => Promise<Exit> {
  const { child, exit } = launchServerless(start);
  return () => {
    child.kill("SIGTERM");
    return exit;
  };
}

function launchServerless({ dataDir, port, env }: Start): Running {
  const args = ["node_modules/next/dist/bin/next", "start", "--port", String(port)];
  return run(process.execPath, args, { ...buildProductEnv(dataDir, port), ...env, VERCEL: "1" });
}

/** Starts a product and waits until it can serve. */
export async function startProduct(start: Start) {
  const { dataDir, port } = start;
  const { child, said, exit } = launch(start);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exit;
  };
  const ended = exit.then(({ code }) => `ended with ${code}: ${said()}`);
  const healthy = expect
    .poll(() => fetchHealthStatus(port), { timeout: 90_000, intervals: [50] })
    .toBe(200)
    .then(() => null);
  const failure = await Promise.race([healthy, ended]).catch(() => `does not come up: ${said()}`);
  if (failure !== null || !child.pid) {
    await end("SIGKILL");
    throw new Error(`The product ${failure}`);
  }
  return {
    pid: child.pid,
    port,
    dataDir,
    /** Stops it with SIGTERM. */
    stop: () => end("SIGTERM"),
    /** Ends it with SIGKILL. */
    kill: () => end("SIGKILL"),
  };
}

function fetchHealthStatus(port: number): Promise<number> {
  return fetch(`${getBaseUrl(port)}/api/health`).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Whether a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Process id of a data folder's PostgreSQL; null when it does not run. */
export function findPostgresPid(dataDir: string): number | null {
  try {
    const pid = Number(readPostmasterFile(dataDir).split("\n")[0]);
    return isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Connection string of a data folder's running PostgreSQL. */
export function getDatabaseUrl(dataDir: string): string {
  const password = readFileSync(path.join(dataDir, "postgres", "password"), "utf8").trim();
  const port = readPostmasterFile(dataDir).split("\n")[3];
  return `postgres://creator_growth:${password}@127.0.0.1:${port}/creator_growth`;
}

function readPostmasterFile(dataDir: string): string {
  return readFileSync(path.join(dataDir, "postgres", "data", "postmaster.pid"), "utf8");
}

/** Kills a data folder's PostgreSQL. @param signal SIGQUIT lets it free its shared memory */
export async function killPostgres(dataDir: string, signal: "SIGKILL" | "SIGQUIT" = "SIGKILL"): Promise<void> {
  const pid = findPostgresPid(dataDir);
  if (pid === null) throw new Error(`No PostgreSQL runs on ${dataDir}`);
  process.kill(pid, signal);
  await expect.poll(() => isAlive(pid), { intervals: [10] }).toBe(false);
}

/** Removes a data folder and the PostgreSQL that a killed product left on it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const pid = findPostgresPid(dataDir);
  if (pid !== null && isRunningIn(pid, dataDir)) await killPostgres(dataDir, "SIGQUIT");
  rmSync(dataDir, { recursive: true, force: true });
}

/** Process ids are reused, so check that the process belongs to the folder. */
function isRunningIn(pid: number, dataDir: string): boolean {
  if (process.platform !== "linux") return true;
  return readlinkSync(`/proc/${pid}/cwd`).startsWith(realpathSync(dataDir));
}

/** Signs in without the form. */
export async function signIn({ request }: { request: APIRequestContext }, key: string): Promise<void> {
  const answer = await request.post("/api/trpc/sessions.signIn", {
    headers: { "Sec-Fetch-Site": "same-origin" },
    data: { key },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}
