import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { openEmbedded } from "@/core/db/embedded/server";
import { migrateDatabase } from "@/core/db/migrate";
import { createLog } from "@/core/log/log";

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of a migrated database that nobody writes to. */
    databaseUrl: string;
    /** Name of its copy that each test file copies, to which nobody connects: one in use could not be copied. */
    template: string;
    /** A Redis to test with; null where each file has one of its own. */
    redisUrl: string | null;
    /** Runs of each property of hostile input. */
    fuzzRuns: number;
  }
}

const TEMPLATE = "template_of_tests";

/** As far from the product's own database as one of somebody else's may be: it speaks Turkish, and tells days in German. */
const ODDITIES = [
  `create database ${TEMPLATE} template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'tr-TR'`,
  "alter role current_user set DateStyle = 'German, DMY'",
  "alter role current_user set default_transaction_isolation = 'serializable'",
  // But for the one to which nobody writes, so that there is one where a pooler need hand on nothing.
  "alter role current_user in database creator_growth set default_transaction_isolation = 'read committed'",
];

/** One embedded PostgreSQL for the whole run, in a folder of its own that goes away with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-test-"));
  const server = await openEmbedded(folder, "command", createLog({ level: "silent" }));
  await migrateDatabase(server.url);
  const at = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  const admin = postgres(at("postgres"), { max: 1 });
  for (const oddity of ODDITIES) await admin.unsafe(oddity);
  await admin.end();
  await migrateDatabase(at(TEMPLATE));
  project.provide("databaseUrl", server.url);
  project.provide("template", TEMPLATE);
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
