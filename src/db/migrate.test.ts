import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { createCases } from "@/test/cases";
import { startProgram } from "@/test/programs";
import { connect } from "./client";
import { listMissingMigrations, migrateDatabase } from "./migrate";
import * as schema from "./schema";

/** SHA-256 of every migration file, in the order of their numbers. */
async function listMigrationHashes(): Promise<string[]> {
  const files = (await readdir("drizzle")).filter((name) => name.endsWith(".sql")).sort();
  const texts = await Promise.all(files.map((name) => readFile(`drizzle/${name}`)));
  return texts.map((text) => createHash("sha256").update(text).digest("hex"));
}

describe("migration", () => {
  const client = postgres(inject("databaseUrl"), { onnotice: () => {} });
  let name: string;
  let url: string;

  beforeEach(async () => {
    name = `test_${randomBytes(8).toString("hex")}`;
    await client.unsafe(`create database ${name}`);
    url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${name}` }).href;
  });

  afterEach(() => client.unsafe(`drop database ${name} with (force)`));
  afterAll(() => client.end());

  /** Replaces the empty database by a copy of the migrated one. */
  async function copyMigrated(): Promise<void> {
    await client.unsafe(`drop database ${name}`);
    await client.unsafe(`create database ${name} template ${inject("template")}`);
  }

  async function queryRows<Row>(statement: string): Promise<Row[]> {
    const database = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return await database.unsafe<Row[]>(statement);
    } finally {
      await database.end();
    }
  }

  const listApplied = async () => {
    const rows = await queryRows<{ hash: string }>("select hash from drizzle.__drizzle_migrations order by id");
    return rows.map(({ hash }) => hash);
  };

  const listTables = async () => {
    const rows = await queryRows<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
    );
    return rows.map((row) => row.name);
  };

  it("applies every file once, in order", async () => {
    await migrateDatabase(url);
    expect(await listApplied()).toEqual(await listMigrationHashes());
    expect(await listTables()).toEqual(expect.arrayContaining(["alerts", "api_keys", "channels", "snapshots"]));
  });

  it("succeeds for two and for ten concurrent runs, and applies every file once", async () => {
    await Promise.all([migrateDatabase(url), migrateDatabase(url)]);
    expect(await listApplied()).toEqual(await listMigrationHashes());
    await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(url)));
    expect(await listApplied()).toEqual(await listMigrationHashes());
  });

  it("does not wait when nothing is pending", async () => {
    await copyMigrated();
    const other = postgres(url, { max: 1 });
    await other`select pg_advisory_lock(7200)`;
    await migrateDatabase(url);
    await other.end();
  });

  /** Migrates in another process, which is killed after a time. @returns how long it ran, in milliseconds */
  async function migrateElsewhere(milliseconds: number): Promise<number> {
    const child = startProgram("migration-user", [url]);
    const ended = once(child, "exit");
    await once(child, "message");
    const begun = performance.now();
    const killing = setTimeout(() => child.kill("SIGKILL"), milliseconds);
    await ended;
    clearTimeout(killing);
    return performance.now() - begun;
  }

  /** Resolves when the server has noticed that the process was killed. */
  const waitUntilDeserted = () =>
    vi.waitFor(async () => {
      const sessions = await client`select from pg_stat_activity where datname = ${name}`;
      expect(sessions.length).toBe(0);
    }, 60_000);

  it("applies all or nothing when killed at a random moment, and the next run succeeds", async () => {
    const whole = await migrateElsewhere(60_000);
    const all = await listTables();
    const thousandths = fc.noBias(fc.integer({ min: 0, max: 1000 }));
    const property = fc.asyncProperty(thousandths, async (share) => {
      await client.unsafe(`drop database ${name} with (force)`);
      await client.unsafe(`create database ${name}`);
      await migrateElsewhere((share * whole) / 1000);
      await waitUntilDeserted();
      const left = await listTables();
      expect(left.length === 0 ? [] : all).toEqual(left);
      await migrateDatabase(url);
      expect(await listApplied()).toEqual(await listMigrationHashes());
      expect(await listTables()).toEqual(all);
    });
    await fc.assert(property, { ...createCases(2, 40), endOnFailure: true });
  });

  it("changes nothing when repeated, and keeps stored data", async () => {
    await copyMigrated();
    const before = await listTables();
    await queryRows(
      "insert into niches (niche, spelling, refreshed_at) values ('gaming', 'gaming', '2026-03-10T12:00:00Z')",
    );
    await migrateDatabase(url);
    expect(await listTables()).toEqual(before);
    expect(await queryRows("select niche from niches")).toEqual([{ niche: "gaming" }]);
    expect(await listApplied()).toEqual(await listMigrationHashes());
  });

  it("refuses a database that is not UTF8, and says how to create one", async () => {
    await client.unsafe(`drop database ${name}`);
    await client.unsafe(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
    await expect(migrateDatabase(url)).rejects.toThrow("must have the encoding UTF8, not LATIN1");
    expect(await listTables()).toEqual([]);
  });

  it("lists the migrations that a database lacks, all of them for an empty one", async () => {
    const names = (await readdir("drizzle")).filter((name) => name.endsWith(".sql")).sort();
    const { db, close } = connect(url);
    expect(await listMissingMigrations(db)).toEqual(names.map((name) => name.replace(".sql", "")));
    await migrateDatabase(url);
    expect(await listMissingMigrations(db)).toEqual([]);
    await close();
  });

  it("leaves no difference between the schema in the code and the last migration", async () => {
    const files = (await readdir("drizzle/meta")).filter((file) => /^\d/.test(file)).sort();
    const migrated = JSON.parse(await readFile(`drizzle/meta/${files.at(-1)}`, "utf8"));
    const declared = generateDrizzleJson({ ...schema }, migrated.id, undefined, "snake_case");
    expect(await generateMigration(migrated, declared)).toEqual([]);
  });

  it("refuses a database of another version with one line that says what to do, and changes nothing", async () => {
    await copyMigrated();
    await queryRows("update drizzle.__drizzle_migrations set created_at = created_at - 1");
    const before = await listTables();
    await expect(migrateDatabase(url)).rejects.toThrow(/^The database was made by another version .* delete \.data\)$/);
    expect(await listTables()).toEqual(before);
  });

  it("refuses a database newer than the code with one line that says what to do", async () => {
    await copyMigrated();
    await queryRows("update drizzle.__drizzle_migrations set created_at = created_at + 1");
    await expect(migrateDatabase(url)).rejects.toThrow(/^The database was migrated by a newer version .* the upgrade$/);
  });

  it("refuses a transaction pooler", async () => {
    await expect(migrateDatabase(`${url}?pgbouncer=true`)).rejects.toThrow(/set DIRECT_DATABASE_URL/);
    expect(await listTables()).toEqual([]);
  });

  it("waits for a concurrent migration, and leaves no lock behind", async () => {
    const countLocks = (granted: boolean) =>
      queryRows(`select count(*)::int as n from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and locktype = 'advisory' and granted = ${granted}`);
    const other = postgres(url, { max: 1 });
    await other`select pg_advisory_lock(7200)`;
    const migration = migrateDatabase(url);
    await expect.poll(() => countLocks(false), { timeout: 20_000 }).toEqual([{ n: 1 }]);
    expect(await listTables()).toEqual([]);
    await other.end();
    await migration;
    expect(await listApplied()).toEqual(await listMigrationHashes());
    await expect.poll(() => countLocks(true), { timeout: 20_000 }).toEqual([{ n: 0 }]);
  });
});
