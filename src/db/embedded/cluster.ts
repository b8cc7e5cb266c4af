import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile, readlink, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { getErrorMessage, isOperatorError, OperatorError } from "@/core/errors";
import { isRoot, spawnProgram, UNPRIVILEGED } from "./programs";

export const DATABASE_USER = "creator_growth";

/** One embedded PostgreSQL. Its folder `home` holds `data`, `password` and `server.log`. */
export interface Cluster {
  home: string;
  password: string;
}

/** Opens the cluster of a data folder, and creates it on first use; a disposable one without waiting for the disk. */
export async function openCluster(dataDir: string, isDisposable: boolean): Promise<Cluster> {
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
