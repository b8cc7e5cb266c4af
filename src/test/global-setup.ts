import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { bundle, listEntries } from "@/cli/bundle";
import { createLog } from "@/core/log/log";
import { openEmbedded } from "@/db/embedded/server";
import { migrateDatabase } from "@/db/migrate";

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of a migrated database that no test writes to. */
    databaseUrl: string;
    /** Name of the template that test files copy. PostgreSQL cannot copy a database with connections. */
    template: string;
    /** Folder of the compiled commands and programs of tests, laid out like \`src\`. */
    programs: string;
    /** Runs of each property test of hostile input. */
    fuzzRuns: number;
  }
}

const TEMPLATE = "template_of_tests";

/** Unusual settings that a hosted database may have: Turkish messages and German dates. */
const ODDITIES = [
  `create database ${TEMPLATE} template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'tr-TR'`,
  "alter role current_user set DateStyle = 'German, DMY'",
  "alter role current_user set default_transaction_isolation = 'serializable'",
  // The database that no test writes to keeps the defaults, as behind a pooler.
  "alter role current_user in database creator_growth set default_transaction_isolation = 'read committed'",
];

/** What a cluster needs that must outlive no crash of the machine. Autovacuum would change plans while a test runs. */
const DISPOSABLE = ["fsync = off", "full_page_writes = off", "synchronous_commit = off", "autovacuum = off"];

/** Starts one embedded PostgreSQL for the whole run, in a temporary folder, and compiles what tests run as processes. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = await compilePrograms();
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-test-"));
  const server = await openEmbedded(folder, "command", createLog({ level: "silent" }), true);
  const buildUrl = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  const admin = postgres(buildUrl("postgres"), { max: 1 });
  for (const setting of DISPOSABLE) await admin.unsafe(`alter system set ${setting}`);
  await admin`select pg_reload_conf()`;
  await migrateDatabase(server.url);
  for (const oddity of ODDITIES) await admin.unsafe(oddity);
  await admin.end();
  await migrateDatabase(buildUrl(TEMPLATE));
  project.provide("databaseUrl", server.url);
  project.provide("template", TEMPLATE);
  project.provide("programs", programs);
  return async () => {
    await server.close();
    for (const made of [folder, programs]) await rm(made, { recursive: true, force: true });
  };
}

/** A process starts several times faster from plain JavaScript. @returns the folder, from which packages are found */
async function compilePrograms(): Promise<string> {
  const cache = path.resolve("node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, "programs-of-tests-"));
  const programs = (await readdir("src/test")).filter((name) => /-(process|user)\.ts$/.test(name));
  await bundle([...listEntries(), ...programs.map((name) => `src/test/${name}`)], folder, "src");
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  return folder;
}
