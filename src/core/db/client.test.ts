import { sql } from "drizzle-orm";

import { describe, expect, inject, it } from "vitest";
import { connect, type Database } from "./client";

/** How many statements the session holds ready, this question among them where it is prepared itself. */
async function prepared(db: Database, word: string): Promise<number> {
  const rows = await db.execute(sql`select from pg_prepared_statements where statement like ${`%${word}%`}`);
  return rows.length;
}

describe("a connection", () => {
  it("has a statement parsed once for any values, within transactions too", async () => {
    const { db, close } = connect(inject("templateUrl"), { max: 1 });
    const add = (to: Database, number: number) => to.execute(sql`select ${number}::int + 1 as added_once`);
    expect(await add(db, 1)).toEqual([{ added_once: 2 }]);
    await db.transaction(async (tx) => {
      expect(await add(tx, 2)).toEqual([{ added_once: 3 }]);
      await tx.transaction(async (inner) => expect(await add(inner, 3)).toEqual([{ added_once: 4 }]));
    });
    expect(await prepared(db, "added_once")).toBe(1);
    await close();
  });

  it("keeps no statement that has a parameter for each of many rows", async () => {
    const { db, close } = connect(inject("templateUrl"), { max: 1 });
    const numbers = sql.join(
      Array.from({ length: 101 }, (_, number) => sql`${number}::int`),
      sql`, `,
    );
    await db.execute(sql`select 1 as one_of_many where 1 in (${numbers})`);
    expect(await prepared(db, "one_of_many")).toBe(0);
    await close();
  });

  it("prepares nothing where its address says so", async () => {
    const { db, close } = connect(`${inject("templateUrl")}?prepare=false`, { max: 1 });
    await db.execute(sql`select ${1}::int as never_kept`);
    expect(await prepared(db, "never_kept")).toBe(0);
    await close();
  });
});
