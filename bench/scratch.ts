import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { createLog } from "@/core/log/log";
import { openEmbedded } from "@/db/embedded/server";
import { openMigrated } from "@/db/open";

export type ScratchDatabase = Awaited<ReturnType<typeof openScratchDatabase>>;

/** Runs work in a folder of its own and deletes the folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens an empty migrated database on the embedded server of a folder. Closing drops it. */
export async function openScratchDatabase(folder: string) {
  const server = await openEmbedded(folder, "command", createLog({ level: "silent" }));
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  const name = `scratch_${randomBytes(8).toString("hex")}`;
  await admin.unsafe(`create database ${name}`);
  const { href } = Object.assign(new URL(server.url), { pathname: `/${name}` });
  const database = await openMigrated(href, async () => {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
    await server.close();
  });
  /** Vacuums and analyzes all tables, without the service's time limit of statements. */
  const vacuum = async () => {
    const unlimited = postgres(href, { max: 1 });
    await unlimited`vacuum analyze`;
    await unlimited.end();
  };
  return { ...database, vacuum };
}
