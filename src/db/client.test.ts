import { inspect } from "node:util";
import { DrizzleQueryError, type SQL, sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { readEnv } from "@/core/env";
import { createLog } from "@/core/log/log";
import { createTestDatabase, startRefusingServer } from "@/test/database";
import { connect, type Database, isDatabaseUnavailable, requireSession, withoutParameters } from "./client";
import { openDatabase } from "./open";

const createFault = (fields: object) => Object.assign(new Error("fault"), fields);
/** The error that Node throws for a host with several addresses. */
const createFaults = (codes: string[]) =>
  Object.assign(new AggregateError(codes.map((code) => createFault({ code, syscall: "connect" }))), {
    code: codes[0],
  });

describe("database connection", () => {
  /** How many prepared statements of its session contain a word, counted by a statement with that word. */
  async function countCachedPlans(db: Database, word: string, condition: SQL): Promise<number | undefined> {
    const [row] = await db.execute<{ kept: number }>(sql`
      select count(*)::int as kept, true as ${sql.identifier(word)} from pg_prepared_statements
      where statement like ${`%${word}%`} and ${condition}`);
    return row?.kept;
  }

  it("prepares a statement once for all values, also in transactions", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const queryNumber = (to: Database, number: number) => countCachedPlans(to, "any_values", sql`${number}::int > 0`);
    expect(await queryNumber(db, 1)).toBe(1);
    await db.transaction(async (tx) => {
      expect(await queryNumber(tx, 2)).toBe(1);
      await tx.transaction(async (inner) => expect(await queryNumber(inner, 3)).toBe(1));
    });
    await close();
  });

  it("prepares no statement with parameters for each of many rows", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const numbers = Array.from({ length: 100 }, (_, number) => sql`${number}::int`);
    expect(await countCachedPlans(db, "many_rows", sql`1 in (${sql.join(numbers, sql`, `)})`)).toBe(0);
    await close();
  });

  it("counts as unavailable when it cannot be made", async () => {
    // The system refuses a broadcast address at once.
    const { db, close } = connect("postgres://user:secret@255.255.255.255/none");
    await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isDatabaseUnavailable);
    await close();
  });

  it.each(["XX000", "0A000"])("counts as unavailable when the server ends it with %s", async (code) => {
    const server = await startRefusingServer(code, "max clients reached");
    const { db, close } = connect(server.url);
    await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isDatabaseUnavailable);
    await close();
    server.close();
  });

  it.each<[string, () => Error]>([
    ["a name that does not resolve", () => createFault({ code: "ENOTFOUND", syscall: "getaddrinfo" })],
    ["no way to its address", () => createFault({ code: "ENETUNREACH", syscall: "connect" })],
    ["no way to any of its addresses", () => createFaults(["ENETUNREACH", "ECONNREFUSED"])],
    ["a failed statement of a server that shuts down", () => createFault({ code: "57P01", severity: "ERROR" })],
    ["a connection that broke", () => createFault({ code: "ECONNRESET", syscall: "read" })],
    ["a greeting that ends it", () => createFault({ code: "XX000", severity: "FATAL" })],
  ])("counts as unavailable because of %s, also in the logged error", (_, make) => {
    const failed = new DrizzleQueryError("select 1", ["scout@example.com"], make());
    expect(isDatabaseUnavailable(failed)).toBe(true);
    expect(isDatabaseUnavailable(withoutParameters(failed))).toBe(true);
  });

  it("does not count as unavailable after an error in our SQL", () => {
    const failed = new DrizzleQueryError("selec 1", [], createFault({ code: "42601", severity: "ERROR" }));
    expect(isDatabaseUnavailable(failed)).toBe(false);
    expect(withoutParameters(failed)).toMatchObject({ code: "42601", severity: "ERROR" });
  });

  it("reports a failed statement without its values, at any depth", () => {
    const failed = new DrizzleQueryError("select $1", ["scout@example.com"], createFault({ code: "53100" }));
    const safe = withoutParameters(new Error("The mail could not be kept", { cause: failed }));
    expect(inspect(safe, { depth: 10 })).toMatch(/The mail could not be kept(.|\n)*fault(.|\n)*53100/);
    expect(inspect(safe, { depth: 10, showHidden: true })).not.toContain("scout@example.com");
  });

  it("is refused through a pooler that drops the settings, with what to set for the role", async () => {
    const database = await createTestDatabase();
    const pooled = connect(`${database.url}?pgbouncer=true`);
    await expect(requireSession(pooled.db)).rejects.toThrow(
      "alter role <role of DATABASE_URL> set default_transaction_isolation = 'read committed'",
    );
    await pooled.close();
    await requireSession(database.db);
    await database.close();
  });

  it("stops the start when a pooler refuses the settings, and says what to add to the address", async () => {
    const pooler = await startRefusingServer("08P01", "unsupported startup parameter: statement_timeout");
    const addresses = { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: inject("databaseUrl") };
    const env = readEnv({ NODE_ENV: "test", SESSION_SECRET: "s".repeat(32), ...addresses });
    const opened = openDatabase(env, "app", createLog({ level: "silent" }));
    await expect(opened).rejects.toThrow(/^DATABASE_URL leads to a pooler: add `\?pgbouncer=true`/);
    pooler.close();
  });

  it("has the same date style and isolation level for any role settings", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const [row] = await db.execute(sql`
      select split_part(current_setting('DateStyle'), ',', 1) as style, current_setting('transaction_isolation') as isolation`);
    expect(row).toEqual({ style: "ISO", isolation: "read committed" });
    await close();
  });

  it("frees the locks of a transaction that paused too long, and counts it as unavailable", async () => {
    const held = connect(inject("databaseUrl"));
    const other = connect(inject("databaseUrl"));
    const lock = sql`select pg_advisory_xact_lock(7, 7)`;
    const paused = held.db.transaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = '1ms'`);
      await tx.execute(lock);
      await other.db.transaction((waiting) => waiting.execute(lock));
      await tx.execute(sql`select 1`);
    });
    await expect(paused).rejects.toSatisfy(isDatabaseUnavailable);
    const [row] = await held.db.execute(sql`select 1 as answer`);
    expect(row).toEqual({ answer: 1 });
    await Promise.all([held.close(), other.close()]);
  });

  it.each(["prepare=false", "pgbouncer=true"])("prepares nothing when its address has %s", async (word) => {
    const { db, close } = connect(`${inject("databaseUrl")}?${word}`);
    expect(await countCachedPlans(db, "never_kept", sql`${1}::int = 1`)).toBe(0);
    await close();
  });
});
