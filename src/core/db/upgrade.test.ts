import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { systemClock } from "@/core/time";
import { listAlerts } from "@/features/alerts/service";
import { listTracked } from "@/features/creators/service";
import { listKeys, standingKey } from "@/features/keys/service";
import { alertEmail } from "@/features/notifications/addresses.service";
import { runSummary } from "@/features/snapshots/service";
import { connect, type DatabaseConnection } from "./client";
import { migrateDatabase, missingMigrations } from "./migrate";

/** Brings a database to the schema of the first release alone. */
async function migrateToFirst(url: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-first-"));
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await cp("drizzle", folder, { recursive: true });
    const journal = path.join(folder, "meta", "_journal.json");
    const whole = JSON.parse(await readFile(journal, "utf8"));
    await writeFile(journal, JSON.stringify({ ...whole, entries: whole.entries.slice(0, 1) }));
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
}

describe("a database of the first release", () => {
  const admin = postgres(inject("databaseUrl"), { onnotice: () => {} });
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${name}` }).href;
  let connection: DatabaseConnection;

  beforeAll(async () => {
    await admin.unsafe(`create database ${name}`);
    await migrateToFirst(url);
    const client = postgres(url, { max: 1, onnotice: () => {} });
    await client.unsafe(await readFile("src/test/fixtures/first-release.sql", "utf8"));
    await client.end();
    await migrateDatabase(url);
    connection = connect(url);
  });
  afterAll(async () => {
    await connection.close();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  });

  it("is brought to the newest schema with everything that keys and their owners have in it", async () => {
    const { db } = connection;
    expect(await missingMigrations(db)).toEqual([]);
    const ctx = {
      db,
      clock: systemClock,
      log: (await import("@/core/log/log")).createLog({ level: "silent" }),
    };
    const { id } = await standingKey(ctx, "key_first");
    expect((await listKeys(ctx)).map((key) => [key.label, key.tier, key.revokedAt !== null])).toEqual([
      ["Left", "free", true],
      ["Acme", "pro", false],
    ]);
    expect(await alertEmail(ctx, id)).toBe("scout@example.com");
    const alerts = await listAlerts(ctx, id, { offset: 0, limit: 20 });
    expect(alerts.alerts).toMatchObject([
      { message: "Juniper grew 12.5% in one day (1,000 → 1,125)", subscribers_after: 1125 },
    ]);
    const tracked = await listTracked(ctx, id, { offset: 0, limit: 20 });
    expect(tracked.creators).toMatchObject([
      { name: "Juniper", counts: "known", score: 77, subscribers: 1125 },
      { name: "Secret", counts: "hidden", score: null, subscribers: null },
      { channel_id: "UCcccccccccccccccccccccc", counts: "unread", score: null },
    ]);
    expect(await runSummary(ctx)).toMatchObject({ day: "2026-03-10", read: 1, alerts: 1 });
  });
});
