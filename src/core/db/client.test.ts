import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { DrizzleQueryError, type SQL, sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { createTestDatabase, errorPacket } from "@/test/database";
import { connect, type Database, isDatabaseUnavailable, requireSession, withoutParameters } from "./client";

const fault = (fields: object) => Object.assign(new Error("fault"), fields);
/** As Node tells of a host with several addresses. */
const severalFaults = (codes: string[]) =>
  Object.assign(new AggregateError(codes.map((code) => fault({ code, syscall: "connect" }))), {
    code: codes[0],
  });

describe("a connection", () => {
  /** How often its session holds a statement with that word ready, as the statement itself sees it. */
  async function kept(db: Database, word: string, condition: SQL): Promise<number | undefined> {
    const [row] = await db.execute<{ kept: number }>(sql`
      select count(*)::int as kept, true as ${sql.identifier(word)} from pg_prepared_statements
      where statement like ${`%${word}%`} and ${condition}`);
    return row?.kept;
  }

  it("has a statement parsed once for any values, within transactions too", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const ask = (to: Database, number: number) => kept(to, "any_values", sql`${number}::int > 0`);
    expect(await ask(db, 1)).toBe(1);
    await db.transaction(async (tx) => {
      expect(await ask(tx, 2)).toBe(1);
      await tx.transaction(async (inner) => expect(await ask(inner, 3)).toBe(1));
    });
    await close();
  });

  it("keeps no statement that has a parameter for each of many rows", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const numbers = Array.from({ length: 100 }, (_, number) => sql`${number}::int`);
    expect(await kept(db, "many_rows", sql`1 in (${sql.join(numbers, sql`, `)})`)).toBe(0);
    await close();
  });

  it("that cannot be begun is told of as unavailable", async () => {
    // No address of a server: the system refuses it at once, before it has sent anything.
    const { db, close } = connect("postgres://nobody:secret@255.255.255.255/nothing");
    await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isDatabaseUnavailable);
    await close();
  });

  it.each(["XX000", "0A000"])("that the server ends with %s is told of as unavailable", async (code) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(errorPacket("FATAL", code, "max clients reached")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { db, close } = connect(`postgres://nobody:secret@127.0.0.1:${port}/nothing`);
    await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isDatabaseUnavailable);
    await close();
    server.close();
  });

  it.each<[string, () => Error]>([
    ["a name that does not resolve", () => fault({ code: "ENOTFOUND", syscall: "getaddrinfo" })],
    ["no way to its address", () => fault({ code: "ENETUNREACH", syscall: "connect" })],
    ["no way to any of its addresses", () => severalFaults(["ENETUNREACH", "ECONNREFUSED"])],
    ["an untrusted certificate", () => fault({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" })],
    ["a certificate for something else", () => fault({ code: "INVALID_PURPOSE" })],
    ["a greeting that ends it", () => fault({ code: "XX000", severity: "FATAL" })],
  ])("that fails for %s is told of as unavailable, also by what a page tells of it", (_, make) => {
    const failed = new DrizzleQueryError("select 1", ["scout@example.com"], make());
    expect(isDatabaseUnavailable(failed)).toBe(true);
    expect(isDatabaseUnavailable(withoutParameters(failed))).toBe(true);
  });

  it("that fails for a fault of ours is not", () => {
    const failed = new DrizzleQueryError("selec 1", [], fault({ code: "42601", severity: "ERROR" }));
    expect(isDatabaseUnavailable(failed)).toBe(false);
    expect(withoutParameters(failed)).toMatchObject({ code: "42601", severity: "ERROR" });
  });

  it("whose statement fails is told of without what was asked, however deep that lies", () => {
    const failed = new DrizzleQueryError("select $1", ["scout@example.com"], fault({ code: "53100" }));
    const told = withoutParameters(new Error("The mail could not be kept", { cause: failed }));
    expect(inspect(told, { depth: 10 })).toMatch(/The mail could not be kept(.|\n)*fault(.|\n)*53100/);
    expect(inspect(told, { depth: 10, showHidden: true })).not.toContain("scout@example.com");
  });

  it("by way of a pooler that hands on no settings is refused, with what to set for the role", async () => {
    const database = await createTestDatabase();
    const pooled = connect(`${database.url}?pgbouncer=true`);
    await expect(requireSession(pooled.db)).rejects.toThrow(
      "alter role <role of DATABASE_URL> set default_transaction_isolation = 'read committed'",
    );
    await pooled.close();
    await requireSession(database.db);
    await database.close();
  });

  it("tells days and instants in one form, and lets requests of one row wait, whatever the role was given", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const [row] = await db.execute(sql`
      select split_part(current_setting('DateStyle'), ',', 1) as style, current_setting('transaction_isolation') as isolation`);
    expect(row).toEqual({ style: "ISO", isolation: "read committed" });
    await close();
  });

  it("gives up the locks of a transaction that has paused too long, and is told of it as unavailable", async () => {
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

  it.each(["prepare=false", "pgbouncer=true"])("prepares nothing where its address says %s", async (word) => {
    const { db, close } = connect(`${inject("databaseUrl")}?${word}`);
    expect(await kept(db, "never_kept", sql`${1}::int = 1`)).toBe(0);
    await close();
  });
});
