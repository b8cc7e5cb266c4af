import type { Socket } from "node:net";
import { sql } from "drizzle-orm";
import { describe, expect, inject, it, vi } from "vitest";
import { createTestDatabase } from "@/test/database";
import { poolOfOne } from "@/test/pool-of-one";
import { connect, isDatabaseUnavailable } from "./client";

describe("a connection of the patched driver", () => {
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

  it("learns the parameters of a statement that it does not prepare anew where they failed", async () => {
    const { client } = poolOfOne({ prepare: false });
    await client`create temporary table kept (word text)`;
    const keep = () => client.unsafe("insert into kept values ($1) returning word", ["so"]);
    expect(await keep()).toEqual([{ word: "so" }]);
    await client`truncate kept`;
    await client`alter table kept alter column word type jsonb using to_jsonb(word)`;
    await expect(keep()).rejects.toMatchObject({ code: "22P02" });
    expect(await keep()).toEqual([{ word: "so" }]);
    await client.end();
  });

  it("that takes one statement at a time sends none behind one that cannot be sent", async () => {
    const { client, sockets } = poolOfOne({ prepare: false, max_pipeline: 0 });
    await client`select 1`;
    const [socket] = sockets;
    const write = vi.spyOn(socket as Socket, "write");
    const told = await Promise.allSettled([
      client.unsafe("select $1::text", [undefined as unknown as string]),
      client`select 2 as next`,
    ]);
    expect(told).toMatchObject([{ status: "rejected" }, { value: [{ next: 2 }] }]);
    // A Sync, and what is sent once that was answered.
    expect(write.mock.calls.map(([bytes]) => bytes.length)).toEqual([5, expect.any(Number)]);
    await client.end();
  });

  it("sends a statement that it does not prepare in one part once it knows its parameters, as a pooler of transactions gives the server to nobody else in between", async () => {
    const { client, sockets } = poolOfOne({ prepare: false });
    const ask = async (days: number) =>
      (await client.unsafe("select $1::int + 1 as next, $2::jsonb as told", [days, { days }]))[0];
    await ask(1);
    const [socket] = sockets;
    const write = vi.spyOn(socket as Socket, "write");
    expect(await ask(31)).toEqual({ next: 32, told: { days: 31 } });
    expect(write).toHaveBeenCalledTimes(1);
    await client.end();
  });

  it("keeps a transaction to itself however many statements are under way before it", async () => {
    const { client } = poolOfOne();
    await client`create temporary table answered (who int)`;
    const before = Array.from({ length: 100 }, (_, number) => client.unsafe(`select ${number}`).execute());
    const begun = client.begin((tx) => tx`insert into answered values (1)`);
    await Promise.all([...before, begun]);
    await client`insert into answered values (2)`;
    await client.begin((tx) => tx`select 1 / 0`).catch(() => {});
    expect([...(await client`select who from answered order by who`)]).toEqual([{ who: 1 }, { who: 2 }]);
    await client.end();
  });

  it("that does not get to a statement in time never does", async () => {
    const { client } = poolOfOne({ max_pipeline: 0, max_wait: 0.1 });
    const other = poolOfOne().client;
    await client`create temporary table done (what int)`;
    const [insert, lock] = [(what: number) => client`insert into done values (${what})`, 7_007];
    let held: Promise<unknown> = Promise.resolve();
    await other.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${lock})`;
      held = client`select pg_advisory_xact_lock(${lock})`.execute();
      const late = client.begin((work) => work`insert into done values (3)`);
      const unsent = await Promise.all(
        [insert(1), insert(2), late].map((statement) => statement.catch((e) => e)),
      );
      expect(unsent.map(isDatabaseUnavailable)).toEqual([true, true, true]);
    });
    await held;
    await insert(4);
    expect([...(await client`select what from done`)]).toEqual([{ what: 4 }]);
    await Promise.all([client.end(), other.end()]);
  });

  it("gives each statement its own answer where one between them cannot be sent", async () => {
    const { client } = poolOfOne();
    const ask = (who: unknown) => client.unsafe("select $1::text as who", [who as string], { prepare: true });
    await ask("first");
    const answers = ["A", undefined, "C", "D"].map((who) =>
      ask(who)
        .execute()
        .then(
          ([row]) => row?.who,
          ({ code }) => code,
        ),
    );
    expect(await Promise.all(answers)).toEqual(["A", "UNDEFINED_VALUE", "C", "D"]);
    await expect(ask(undefined)).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
    expect([...(await ask("E"))]).toEqual([{ who: "E" }]);
    await client.end();
  });

  it("answers with nothing of a statement that failed in the middle of its rows", async () => {
    const { client } = poolOfOne();
    await expect(client`select 1 / (5 - n) from generate_series(1, 10) as n`).rejects.toMatchObject({
      code: "22012",
    });
    expect([...(await client`select 7 as seven`)]).toEqual([{ seven: 7 }]);
    await client.end();
  });

  it("gives each statement its own answer, or none, while a column changes its type", async () => {
    const database = await createTestDatabase();
    await database.db.execute(sql`create table numbered (id int, value int)`);
    await database.db.execute(sql`insert into numbered select n, n from generate_series(1, 100) as n`);
    const { db, close } = connect(database.url);
    /** Of many statements at once, each of which knows its answer, how many were answered by it and how many refused. */
    const askAll = async () => {
      const answers = Array.from({ length: 200 }, async (_, at) => {
        const [id, word] = [(at % 100) + 1, `other ${at}`];
        const [numbered, other] = await Promise.allSettled([
          db.execute(sql`select id, value from numbered where id = ${id}::int`),
          db.execute(sql`select ${word}::text as other`),
        ]);
        if (other.status === "fulfilled") expect([...other.value]).toEqual([{ other: word }]);
        else expect(other.reason).toSatisfy(isDatabaseUnavailable);
        if (numbered.status === "fulfilled") expect([...numbered.value]).toMatchObject([{ id }]);
        else expect(numbered.reason).toSatisfy(isDatabaseUnavailable);
        return numbered.status;
      });
      return new Set(await Promise.all(answers));
    };
    expect(await askAll()).toEqual(new Set(["fulfilled"]));
    await database.db.execute(sql`alter table numbered alter column value type bigint`);
    expect(await askAll()).toContain("rejected");
    await vi.waitFor(async () => expect(await askAll()).toEqual(new Set(["fulfilled"])));
    await close();
    await database.close();
  });
});
