import { createConnection, type Socket } from "node:net";
import { type SQL, sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, inject, it, vi } from "vitest";
import { connect, type Database } from "./client";

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

  it("costs the same after any number of statements", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const ask = () => db.execute(sql`select 1`);
    // Several connections, so that one is left idle whenever another is taken.
    await Promise.all([ask(), ask(), ask()]);
    let longest = 0;
    const { indexOf } = Array.prototype;
    const search = vi.spyOn(Array.prototype, "indexOf").mockImplementation(function (
      this: unknown[],
      ...asked
    ) {
      longest = Math.max(longest, this.length);
      return indexOf.apply(this, asked);
    });
    try {
      for (let statement = 0; statement < 300; statement++) await ask();
    } finally {
      search.mockRestore();
    }
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(100);
    await close();
  });

  it("that breaks while a statement is about to be sent leaves nothing of it to the next one", async () => {
    const sockets: Socket[] = [];
    const options = {
      max: 1,
      connect_timeout: 10,
      socket: async ({ host: [host], port: [port] }: { host: string[]; port: number[] }) => {
        const socket = createConnection(port ?? 0, host);
        sockets.push(socket);
        return socket;
      },
    };
    const client = postgres(inject("databaseUrl"), options);
    await client`select 1`;
    sockets[0]?.destroy();
    // The last moment before the driver is told: what it has put together by then it would send a turn later.
    const broken = await new Promise<string>((resolve) => {
      setImmediate(() =>
        client`select 2`.then(
          () => resolve("answered"),
          () => resolve("broken"),
        ),
      );
    });
    expect(broken).toBe("broken");
    expect([...(await client`select 3 as answer`)]).toEqual([{ answer: 3 }]);
    await client.end();
  });

  it.each(["prepare=false", "pgbouncer=true"])("prepares nothing where its address says %s", async (word) => {
    const { db, close } = connect(`${inject("databaseUrl")}?${word}`);
    expect(await kept(db, "never_kept", sql`${1}::int = 1`)).toBe(0);
    await close();
  });
});
