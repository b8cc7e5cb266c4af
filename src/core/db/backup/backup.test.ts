import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SESSION } from "@/core/db/client";
import { OperatorError } from "@/core/errors";
import { utcDay } from "@/core/time";
import { discover } from "@/features/discovery/service";
import { beginSession } from "@/features/keys/sessions.service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { suppress } from "@/features/notifications/suppressions.service";
import { useDailyRuns } from "@/test/daily-run";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { runCli } from "@/test/operator";
import { send } from "@/test/request";
import { createKey } from "@/test/service";
import { restoreBackup } from "./restore";
import { writeBackup } from "./write";

/** Every row of every table, as text in a fixed order. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const tables = await client<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
    const content: Record<string, string[]> = {};
    for (const { name } of tables) {
      const rows = await client<{ row: string }[]>`select t::text as row from ${client(name)} t order by 1`;
      content[name] = rows.map(({ row }) => row);
    }
    return content;
  } finally {
    await client.end();
  }
}

/** Tables that a restored database has otherwise: nobody is signed in, and nothing is sent that may have been sent. */
const OVER = { console_sessions: null, deliveries: null, suppressions: null, test_mails: null };

const rowsOf = (content: Record<string, string[]>) => Object.values(content).flat().length;

describe("a backup", () => {
  const runs = useDailyRuns();
  let folder: string;
  let file: string;
  let target: TestDatabase;
  let before: Record<string, string[]>;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "creator-growth-backup-"));
    file = path.join(folder, "whole.backup");
    target = await createTestDatabase();
  });

  /** Something in nearly every table, with all that a text may hold. */
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
    await send("/api/usage", { key: key.secret });
    await discover(service, key, { niche: "gaming", limit: 5 }).catch(() => {});
    // So much that its last rows come together with the end of their table.
    await service.db.execute(sql`
      insert into failed_sign_ins (address, since, failures)
      select '10.0.' || n / 256 || '.' || n % 256, ${service.clock.now().toISOString()}::timestamptz, 1 from generate_series(1, 1000) n`);
    await service.requests.flush();
  }

  afterAll(async () => {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("of a service at work holds every row, and only its owner may read it", async () => {
    await fill();
    before = await contentOf(runs.service.databaseUrl);
    expect(Object.entries(before).filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(10);
    const written = await writeBackup(runs.service.databaseUrl, file, runs.service.clock);
    expect(written).toEqual({ tables: Object.keys(before).length, rows: rowsOf(before) });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("is never written over, and one that was cut off leaves no file", async () => {
    const size = (await stat(file)).size;
    const again = writeBackup(runs.service.databaseUrl, file, runs.service.clock);
    await expect(again).rejects.toThrow(OperatorError);
    expect((await stat(file)).size).toBe(size);
    const elsewhere = path.join(folder, "no-such-folder", "a.backup");
    await expect(writeBackup(runs.service.databaseUrl, elsewhere, runs.service.clock)).rejects.toThrow(
      "cannot be written",
    );
    expect(await readdir(folder)).toEqual(["whole.backup"]);
  });

  const damages: [string, (whole: Buffer) => Buffer | Promise<Buffer>, RegExp][] = [
    ["cut short", (whole) => whole.subarray(0, whole.length - 20), /is not a backup|not whole/],
    [
      "with a byte changed",
      (whole) => {
        const broken = Buffer.from(whole);
        broken[Math.floor(whole.length / 2)] = (whole[Math.floor(whole.length / 2)] ?? 0) ^ 255;
        return broken;
      },
      /is not a backup/,
    ],
    [
      "with a row missing",
      (whole) => withLines(whole, (lines) => lines.toSpliced(3, 1)),
      /not whole|the form of/,
    ],
    ["without its foot", (whole) => withLines(whole, (lines) => lines.slice(0, -1)), /not whole/],
    ["that is empty", () => Buffer.alloc(0), /not whole|is not a backup/],
    ["that is something else", () => Buffer.from("a letter\n"), /is not a backup/],
    ["that is something else, zipped", () => gzipSync("a letter\n"), /does not begin as one/],
    [
      "of another schema",
      (whole) =>
        withLines(whole, ([head = "", ...rest]) => [
          JSON.stringify({ ...JSON.parse(head), schema: "0099_later" }),
          ...rest,
        ]),
      /was made on the schema 0099_later/,
    ],
    [
      "with a table that does not exist",
      (whole) =>
        withLines(whole, (lines) => lines.map((line) => line.replace(/^\{"table":"alerts"/, '{"table":"x"'))),
      /another form/,
    ],
    [
      "with a table twice",
      (whole) =>
        withLines(whole, (lines) => {
          const { tables, ...foot } = JSON.parse(lines.at(-1) ?? "");
          const again = [lines.find((line) => line.startsWith('{"table":"alerts"')) ?? "", "\\."];
          return [...lines.slice(0, -1), ...again, JSON.stringify({ ...foot, tables: tables + 1 })];
        }),
      /twice/,
    ],
    [
      "of no table",
      (whole) => withLines(whole, ([head = ""]) => [head, JSON.stringify({ end: true, tables: 0, rows: 0 })]),
      /does not hold the table/,
    ],
  ];
  it.each(damages)("%s is refused, and the database stays as it was", async (_, damage, words) => {
    const broken = path.join(folder, `${randomBytes(4).toString("hex")}.backup`);
    await writeFile(broken, await damage(await readFile(file)));
    const empty = await contentOf(target.url);
    const refused = restoreBackup(target.url, broken, runs.service.clock);
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.toBeInstanceOf(OperatorError);
    expect(await contentOf(target.url)).toEqual(empty);
  });

  it("that the database refuses in the middle leaves nothing behind", async () => {
    const broken = path.join(folder, "refused.backup");
    const spoilt = await withLines(await readFile(file), (lines) =>
      lines.map((line) => line.replace("scout@example.com\t", "scout@example.com\tnot an instant")),
    );
    await writeFile(broken, spoilt);
    const empty = await contentOf(target.url);
    await expect(restoreBackup(target.url, broken, runs.service.clock)).rejects.toThrow(
      "refuses the rows of alert_emails",
    );
    expect(await contentOf(target.url)).toEqual(empty);
  });

  it("gives an empty database the very same rows but what may be over, and it goes on from there", async () => {
    expect((await restoreBackup(target.url, file, runs.service.clock)).rows).toBe(rowsOf(before));
    const restored = await contentOf(target.url);
    expect({ ...restored, ...OVER }).toEqual({ ...before, ...OVER });
    expect([before.console_sessions?.length, restored.console_sessions]).toEqual([1, []]);
    const isOpen = (row: string) => /,(pending|sending),/.test(row);
    expect(before.deliveries?.some(isOpen)).toBe(true);
    expect(restored.deliveries?.some(isOpen)).toBe(false);
    expect(restored.deliveries).toHaveLength(before.deliveries?.length ?? 0);
    // Since the backup, an address may have been asked to confirm, and the day's test mails been sent.
    const now = runs.service.clock.now();
    const client = postgres(target.url, { max: 1, connection: { ...SESSION } });
    expect(await client`select email, reason, asked_at from suppressions`).toEqual([
      { email: "ended@example.com", reason: "unsubscribed", asked_at: now },
    ]);
    expect(await client`select key_id, day::text, sent from test_mails`).toEqual(
      (await client`select id from api_keys`).map(({ id }) => ({ key_id: id, day: utcDay(now), sent: 3 })),
    );
    const [row] = await client`
      insert into request_log (key_id, at, request_id, method, path, query, status, milliseconds)
      select key_id, at, request_id, method, path, query, status, milliseconds from request_log returning id`;
    await client.end();
    expect(Number(row?.id)).toBeGreaterThan(1);
  });

  it("is not restored over data", async () => {
    const standing = await contentOf(target.url);
    await expect(restoreBackup(target.url, file, runs.service.clock)).rejects.toThrow(
      "The database holds data already",
    );
    expect(await contentOf(target.url)).toEqual(standing);
  });

  it("is made and restored by one command each", async () => {
    const other = await createTestDatabase();
    const made = path.join(folder, "by-command.backup");
    const variables = (url: string) => ({
      DATABASE_URL: url,
      SESSION_SECRET: "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL",
    });
    const backup = await runCli("backup", [made], variables(runs.service.databaseUrl));
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/tables with \d+ rows\.\n$/) });
    expect(await runCli("restore", [made], variables(other.url))).toMatchObject({ code: 0 });
    expect({ ...(await contentOf(other.url)), ...OVER }).toEqual({ ...before, ...OVER });
    await truncate(made, 10);
    const { code, stderr } = await runCli("restore", [made], variables(other.url));
    await other.close();
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
  });
});

function withLines(whole: Buffer, change: (lines: string[]) => string[]): Buffer {
  const lines = gunzipSync(whole).toString("utf8").split("\n").slice(0, -1);
  return gzipSync(`${change(lines).join("\n")}\n`);
}
