import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createLog } from "@/core/log/log";
import { systemClock, toDate } from "@/core/time";
import { listAlerts } from "@/features/alerts/service";
import { listTracked } from "@/features/creators/service";
import { listKeys, requireActiveKey } from "@/features/keys/service";
import { getAlertEmail } from "@/features/notifications/addresses.service";
import { getRunSummary } from "@/features/snapshots/service";
import { connect, type Database, type DatabaseConnection } from "./client";
import { listMissingMigrations, migrateDatabase } from "./migrate";
import { alerts, deliveries } from "./schema";

/** Applies only the first migrations. */
async function applyMigrations(url: string, count: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-migrations-"));
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await cp("drizzle", folder, { recursive: true });
    const journal = path.join(folder, "meta", "_journal.json");
    const whole = JSON.parse(await readFile(journal, "utf8"));
    await writeFile(journal, JSON.stringify({ ...whole, entries: whole.entries.slice(0, count) }));
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
}

/** A database with rows of an earlier schema, upgraded to the newest. */
function useUpgraded(migrations: number, ...files: string[]): { connectTo(): Database } {
  const admin = postgres(inject("databaseUrl"), { onnotice: () => {} });
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${name}` }).href;
  let connection: DatabaseConnection;

  beforeAll(async () => {
    await admin.unsafe(`create database ${name}`);
    await applyMigrations(url, migrations);
    const client = postgres(url, { max: 1, onnotice: () => {} });
    for (const file of files) await client.unsafe(await readFile(`src/test/fixtures/${file}`, "utf8"));
    await client.end();
    await migrateDatabase(url);
    connection = connect(url);
  });
  afterAll(async () => {
    await connection.close();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { connectTo: () => connection.db };
}

describe("upgrade of a database of the first release", () => {
  const upgraded = useUpgraded(1, "first-release.sql");

  it("keeps all data of keys and their owners", async () => {
    const db = upgraded.connectTo();
    expect(await listMissingMigrations(db)).toEqual([]);
    const ctx = { db, clock: systemClock, log: createLog({ level: "silent" }) };
    const { id } = await requireActiveKey(ctx, "key_first");
    expect((await listKeys(ctx)).map((key) => [key.label, key.tier, key.revokedAt !== null])).toEqual([
      ["Left", "free", true],
      ["Acme", "pro", false],
    ]);
    expect(await getAlertEmail(ctx, id)).toBe("scout@example.com");
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
    expect(await getRunSummary(ctx)).toMatchObject({ day: "2026-03-10", read: 1, alerts: 1 });
  });
});

describe("upgrade of a database with the label spike", () => {
  const upgraded = useUpgraded(1, "first-release.sql", "spike-alert.sql");

  it("changes the label to single_day, without a chance", async () => {
    const [alert] = await upgraded.connectTo().select().from(alerts);
    expect(alert).toMatchObject({ label: "single_day", heldChance: null });
  });

  it("marks existing alerts as read", async () => {
    const rows = await upgraded.connectTo().select().from(alerts);
    expect(rows.length).toBeGreaterThan(0);
    for (const { readAt, createdAt } of rows) expect(readAt).toEqual(createdAt);
  });
});

describe("upgrade of a database with delivery start times", () => {
  const upgraded = useUpgraded(6, "first-release.sql", "begun-deliveries.sql");

  it("keeps the deliveries whose outcome is unknown, and since when", async () => {
    const rows = await upgraded.connectTo().select().from(deliveries).orderBy(deliveries.problem);
    const begun = toDate("2026-03-10T06:00:03Z");
    expect(rows.map(({ problem, outcomeUnknownSince }) => [problem, outcomeUnknownSince])).toEqual([
      ["given up in doubt", begun],
      ["killed after its mail was stored", begun],
      ["killed before its mail was stored", null],
      ["killed while it was posted", begun],
      ["no answer to its mail", begun],
      ["no answer to its post", begun],
      ["refused", null],
      ["refused permanently", null],
      ["sent", null],
    ]);
  });
});
