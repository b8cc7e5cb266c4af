import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toUtcDay } from "@/core/time";
import { DiscoverQuery } from "@/features/discovery/schema";
import { discover } from "@/features/discovery/service";
import { issueLink, requestKey } from "@/features/keys/requests.service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { suppress } from "@/features/notifications/suppressions.service";
import { beginSession } from "@/features/sessions/service";
import { useDailyRuns } from "@/test/daily-run";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { runCli } from "@/test/programs";
import { send } from "@/test/request";
import { createKey } from "@/test/service";
import { restoreBackup, writeBackup } from "./backup";
import { SESSION } from "./client";

type Content = Record<string, string[]>;

/** Every row of every table, as text in a fixed order. */
async function readContent(url: string): Promise<Content> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const tables = await client<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
    const content: Content = {};
    for (const { name } of tables) {
      const rows = await client<{ row: string }[]>`select t::text as row from ${client(name)} t order by 1`;
      content[name] = rows.map(({ row }) => row);
    }
    return content;
  } finally {
    await client.end();
  }
}

/** Tables that a restore changes, to end all sessions and to send nothing twice. */
const CHANGED = {
  console_sessions: null,
  deliveries: null,
  suppressions: null,
  daily_allowances: null,
  key_requests: null,
};

const countContent = (content: Content) => ({
  tables: Object.keys(content).length,
  rows: Object.values(content).flat().length,
});

describe("backup", () => {
  const runs = useDailyRuns();
  let folder: string;
  let file: string;
  let target: TestDatabase;
  let before: Content;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "creator-growth-backup-"));
    file = path.join(folder, "whole.backup");
    target = await createTestDatabase();
  });
  afterAll(async () => {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Fills most tables, one of them with more rows than a batch has. */
  async function fill(): Promise<void> {
    const { service, day, next } = runs;
    const key = await createKey(service, "pro");
    await setAlertEmail(service, key.id, "scout@example.com");
    await suppress(service, key.id, "ended@example.com", "unsubscribed");
    const name = 'Tab\there\\nline\nfeed "quotes" \\. \u2028 \r 🚀 NULL';
    const id = await runs.track(key.id, 1000, { name });
    await runs.run(day, "12:00");
    runs.platform.show(id, next, 1300, { name });
    await runs.run(next);
    await runs.makeAlert(key.id);
    await beginSession(service, key.id);
    const applicant = { name: "Maya", email: "maya@agency.example", tier: "pro", purpose: "Scouting" } as const;
    await issueLink(service, await requestKey({ ...service, operatorEmail: null }, applicant, "192.0.2.1"));
    await send("/api/usage", { key: key.secret });
    await discover(service, key, DiscoverQuery.parse({ niche: "gaming" })).catch(() => {});
    await service.db.execute(sql`
      insert into failed_sign_ins (address, since, failures)
      select '10.0.' || n / 256 || '.' || n % 256, ${service.clock.now().toISOString()}::timestamptz, 1 from generate_series(1, 1200) n`);
    // Refers to a row that comes after it.
    await service.db.execute(sql`
      insert into niches (niche, spelling, refreshed_at, close_to) values ('a', 'a', ${service.clock.now().toISOString()}, 'b'), ('b', 'b', ${service.clock.now().toISOString()}, null)`);
    await service.requests.flush();
  }

  it("contains every row while the service runs, in a file readable by its owner only", async () => {
    await fill();
    before = await readContent(runs.service.databaseUrl);
    expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(10);
    expect(await writeBackup(runs.service.databaseUrl, file)).toEqual(countContent(before));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("never overwrites a file, and leaves none when it fails", async () => {
    const { size } = await stat(file);
    await expect(writeBackup(runs.service.databaseUrl, file)).rejects.toThrow("cannot be written");
    expect((await stat(file)).size).toBe(size);
    const elsewhere = path.join(folder, "no-such-folder", "a.backup");
    await expect(writeBackup(runs.service.databaseUrl, elsewhere)).rejects.toThrow("cannot be written");
    expect(await readdir(folder)).toEqual(["whole.backup"]);
  });

  const replaceHeader = (whole: Buffer, header: object) =>
    gzipSync(gunzipSync(whole).toString("utf8").replace(/.*/, JSON.stringify(header)));

  it.each<[string, (whole: Buffer) => Buffer, RegExp]>([
    ["cut short", (whole) => whole.subarray(0, whole.length - 20), /not a complete backup/],
    ["with a changed byte", (whole) => whole.fill(0, 200, 204), /not a complete backup/],
    ["that is empty", () => Buffer.alloc(0), /not a complete backup/],
    ["that is a text", () => Buffer.from("a letter\n"), /not a complete backup/],
    ["that is a gzipped text", () => gzipSync("a letter\n"), /not a complete backup/],
    [
      "of another schema",
      (whole) => replaceHeader(whole, { format: "creator-growth-backup-2", schema: "0099_later" }),
      /made by another version .*0099_later/,
    ],
    [
      "of another format",
      (whole) => replaceHeader(whole, { format: "creator-growth-backup-1", schema: "0001_first" }),
      /made by another version .*0001_first/,
    ],
  ])("refuses a file %s with one line, and changes nothing", async (_, damage, message) => {
    const broken = path.join(folder, "broken.backup");
    await writeFile(broken, damage(await readFile(file)));
    const refusal = restoreBackup(target.url, broken, runs.service.clock);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toThrow(/^[^\n]+$/);
    expect(countContent(await readContent(target.url)).rows).toBe(0);
  });

  it("restores the same rows to an empty database, and cancels deliveries that may have been sent", async () => {
    expect(await restoreBackup(target.url, file, runs.service.clock)).toEqual(countContent(before));
    const restored = await readContent(target.url);
    expect({ ...restored, ...CHANGED }).toEqual({ ...before, ...CHANGED });
    expect([before.console_sessions?.length, restored.console_sessions]).toEqual([1, []]);
    const isOpen = (row: string) => /,(pending|sending),/.test(row);
    expect(before.deliveries?.some(isOpen)).toBe(true);
    expect(restored.deliveries?.some(isOpen)).toBe(false);
    expect(restored.deliveries).toHaveLength(before.deliveries?.length ?? 0);
    expect(before.key_requests).toEqual([expect.stringMatching(/,[0-9a-f]{64},/)]);
    expect(restored.key_requests).toEqual([expect.stringMatching(/^\(req_.*,,,,,,\)$/)]);
    const now = runs.service.clock.now();
    const client = postgres(target.url, { max: 1, connection: { ...SESSION } });
    expect(await client`select email, reason, confirmation_sent_at from suppressions`).toEqual([
      { email: "ended@example.com", reason: "unsubscribed", confirmation_sent_at: now },
    ]);
    const testEmails = await client`
      select key_id, day::text, used from daily_allowances where kind = 'test_email' and day = ${toUtcDay(now)}`;
    expect(testEmails).toEqual(
      (await client`select id from api_keys`).map(({ id }) => ({ key_id: id, day: toUtcDay(now), used: 3 })),
    );
    const [row] = await client`
      insert into request_log (key_id, at, request_id, method, endpoint, path, query, status, milliseconds)
      select key_id, at, request_id, method, endpoint, path, query, status, milliseconds from request_log returning id`;
    await client.end();
    expect(Number(row?.id)).toBeGreaterThan(1);
  });

  it("refuses to restore over existing data", async () => {
    const contentBefore = await readContent(target.url);
    const refusal = restoreBackup(target.url, file, runs.service.clock);
    await expect(refusal).rejects.toThrow("The database is not empty");
    expect(await readContent(target.url)).toEqual(contentBefore);
  });

  it("is written and restored by one command each", async () => {
    const other = await createTestDatabase();
    const made = path.join(folder, "by-command.backup");
    const run = (command: string, url: string) =>
      runCli(command, [made], { DATABASE_URL: url, SESSION_SECRET: "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL" });
    expect(await run("backup", runs.service.databaseUrl)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/tables with \d+ rows\.\nIt does not hold the session secret: .*\n$/),
    });
    const again = await run("backup", runs.service.databaseUrl);
    expect([again.code, again.stderr]).toEqual([1, `Error: ${made} exists already. Give the name of a new file\n`]);
    expect(await run("restore", other.url)).toMatchObject({ code: 0 });
    expect({ ...(await readContent(other.url)), ...CHANGED }).toEqual({ ...before, ...CHANGED });
    const { code, stderr } = await run("restore", other.url);
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    await other.close();
  });
});
