import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbedded } from "@/core/db/embedded/server";
import { migrateDatabase } from "@/core/db/migrate";
import { createLog } from "@/core/log";

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of the migrated database that each test file copies. */
    templateUrl: string;
    /** A Redis to test with; null where each file has one of its own. */
    redisUrl: string | null;
    /** Runs of each property of hostile input. */
    fuzzRuns: number;
  }
}

/** One embedded PostgreSQL for the whole run, in a folder of its own that goes away with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-test-"));
  const server = await openEmbedded(folder, "command", createLog({ level: "silent" }));
  await migrateDatabase(server.url);
  project.provide("templateUrl", server.url);
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
