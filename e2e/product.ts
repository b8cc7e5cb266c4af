import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";

/** Below the ports that systems hand out by themselves, so that nothing takes them by chance. */
export const PORT = Number(process.env.E2E_PORT || 17_321);
const OWN_PORTS = PORT + 9;
export const HOST = "127.0.0.1";

/** What would make the product use something of the developer's. Set and empty, so that no .env file fills it in. */
const FOREIGN = `NODE_ENV VERCEL DATABASE_URL EMBEDDED_DATABASE_URL SESSION_SECRET UPSTASH_REDIS_REST_URL
  UPSTASH_REDIS_REST_TOKEN INNGEST_EVENT_KEY INNGEST_SIGNING_KEY INNGEST_BASE_URL INNGEST_DEV YOUTUBE_API_KEY
  YOUTUBE_API_URL YOUTUBE_DAILY_UNITS YOUTUBE_DAILY_SEARCHES YOUTUBE_AMENDMENT RESEND_API_KEY RESEND_BASE_URL
  RESEND_WEBHOOK_SECRET ALERT_EMAIL_FROM MONITORING_WEBHOOK_URL DIRECT_DATABASE_URL VERCEL_ENV VERCEL_URL
  VERCEL_PROJECT_PRODUCTION_URL TRUSTED_PROXIES METRICS_TOKEN SANDBOX
  OPERATOR_CONTACT SNAPSHOT_RETENTION_DAYS ALERT_RETENTION_DAYS CREATORS_PER_STEP`;

/** The variables of the stand-ins that the suite runs on; none where it runs on embedded parts. */
const STAND_INS = (process.env.E2E_STAND_INS ?? "").split(" ").filter(Boolean);
export const isOnStandIns = STAND_INS.length > 0;
const standInVariables = Object.fromEntries(STAND_INS.map((name) => [name, process.env[name] ?? ""]));

/** A folder for a product's data that does not exist yet. */
export function newDataDir(): string {
  return path.join(tmpdir(), `creator-growth-e2e-${randomBytes(12).toString("hex")}`);
}

/** The data folder of the product that all specs share: chosen by the runner, handed down to its workers. */
if (process.env.TEST_WORKER_INDEX === undefined) process.env.E2E_DATA_DIR = newDataDir();
export const DATA_DIR = process.env.E2E_DATA_DIR ?? newDataDir();

/** Ports for the products that one worker starts itself. */
export function ownPort(worker: number, number = 0): number {
  return OWN_PORTS + worker * 10 + number;
}

export function baseUrl(port: number): string {
  return `http://${HOST}:${port}`;
}

/** The variables that the shared product runs with, and, with a data folder and services of its own, another one. */
export function productEnv(dataDir: string, port = PORT): Record<string, string> {
  return {
    ...Object.fromEntries(FOREIGN.split(/\s+/).map((name) => [name, ""])),
    ...standInVariables,
    DATA_DIR: dataDir,
    PORT: String(port),
    APP_URL: baseUrl(port),
    LOG_LEVEL: "warn",
  };
}

/** How a process ended, and what it said. */
export interface Exit {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Running {
  child: ChildProcess;
  /** What it has said until now. */
  said(): string;
  exit: Promise<Exit>;
}

function run(program: string, words: readonly string[], env: Record<string, string>): Running {
  const { FORCE_COLOR, NO_COLOR, ...inherited } = process.env;
  const child = spawn(program, words, { env: { ...inherited, ...env }, stdio: ["ignore", "pipe", "pipe"] });
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

/** Runs a command of the operator as the operator does, with no terminal. */
export function runNpm(
  script: string,
  words: readonly string[],
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Exit> {
  return run("npm", ["run", "--silent", script, "--", ...words], { ...productEnv(dataDir), ...env }).exit;
}

/** `npm run keys` without npm, which takes as long as the command itself. */
export function runKeys(words: readonly string[], dataDir = DATA_DIR): Promise<Exit> {
  const command = ["dist/cli/keys.js", ...words];
  return run(process.execPath, command, productEnv(dataDir)).exit;
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
export async function runKeysJson<T>(words: readonly string[], dataDir = DATA_DIR): Promise<T> {
  const { code, stdout, stderr } = await runKeys([...words, "--json"], dataDir);
  if (code !== 0) throw new Error(`keys ${words.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export type Tier = "free" | "starter" | "pro";

export function issueKey(tier: Tier, dataDir = DATA_DIR): Promise<IssuedKey> {
  return runKeysJson(["issue", "--tier", tier, "--label", `e2e ${tier}`], dataDir);
}

/** A product of its own, in a process whose id is known. */
export interface Product {
  pid: number;
  port: number;
  dataDir: string;
  /** Asks it to stop, as a process manager does. */
  stop(): Promise<Exit>;
  /** Ends it as a crash does. */
  kill(): Promise<Exit>;
}

interface Start {
  dataDir: string;
  port: number;
  env?: Record<string, string>;
}

function launch({ dataDir, port, env }: Start): Running {
  return run(process.execPath, ["--max-semi-space-size=8", "dist/cli/serve.js", "start"], {
    ...productEnv(dataDir, port),
    ...env,
  });
}

/** Starts the product where it is not to come up, and waits for its end. */
export function startInVain(start: Start): Promise<Exit> {
  return launch(start).exit;
}

/** The same where Next itself is the server, as on a serverless host. */
export function startServerlessInVain({ dataDir, port }: Start): Promise<Exit> {
  const words = ["node_modules/next/dist/bin/next", "start", "--port", String(port)];
  return run(process.execPath, words, { ...productEnv(dataDir, port), VERCEL: "1" }).exit;
}

/** Starts a product and waits until it can serve. */
export async function startProduct(start: Start): Promise<Product> {
  const { dataDir, port } = start;
  const { child, said, exit } = launch(start);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exit;
  };
  const ended = exit.then(({ code }) => `ended with ${code}: ${said()}`);
  const healthy = expect
    .poll(() => health(port), { timeout: 90_000, intervals: [50] })
    .toBe(200)
    .then(() => null);
  const failure = await Promise.race([healthy, ended]).catch(() => `does not come up: ${said()}`);
  if (failure !== null || !child.pid) {
    await end("SIGKILL");
    throw new Error(`The product ${failure}`);
  }
  return { pid: child.pid, port, dataDir, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

function health(port: number): Promise<number> {
  return fetch(`${baseUrl(port)}/api/health`).then(
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

/** Process id of the PostgreSQL that a data folder names; null when it names none that lives. */
export function postgresPid(dataDir: string): number | null {
  try {
    const pid = Number(postmasterFile(dataDir).split("\n")[0]);
    return isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Connection string of the database of a data folder whose PostgreSQL runs. */
export function databaseUrl(dataDir: string): string {
  const password = readFileSync(path.join(dataDir, "postgres", "password"), "utf8").trim();
  const port = postmasterFile(dataDir).split("\n")[3];
  return `postgres://creator_growth:${password}@127.0.0.1:${port}/creator_growth`;
}

function postmasterFile(dataDir: string): string {
  return readFileSync(path.join(dataDir, "postgres", "data", "postmaster.pid"), "utf8");
}

/** Ends the PostgreSQL of a data folder as a crash does. */
export async function killPostgres(dataDir: string): Promise<void> {
  const pid = postgresPid(dataDir);
  if (pid === null) throw new Error(`No PostgreSQL runs on ${dataDir}`);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid), { intervals: [10] }).toBe(false);
}

/** Removes a data folder and the PostgreSQL that a killed product left on it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const pid = postgresPid(dataDir);
  if (pid !== null && worksIn(pid, dataDir)) await killPostgres(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

/** Process ids are reused: only processes that work in the folder are ended. */
function worksIn(pid: number, dataDir: string): boolean {
  if (process.platform !== "linux") return true;
  return readlinkSync(`/proc/${pid}/cwd`).startsWith(realpathSync(dataDir));
}
