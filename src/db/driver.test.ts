import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, inject, it, vi } from "vitest";
import { createTestDatabase } from "@/test/database";
import { connect, isDatabaseUnavailable } from "./client";

/** A driver with one connection, and the sockets it has opened. @param more options of the driver */
function createPoolOfOne(more: object = {}): { client: postgres.Sql; sockets: Socket[] } {
  const sockets: Socket[] = [];
  const options = {
    ...more,
    max: 1,
    connect_timeout: 10,
    socket: async ({ host: [host], port: [port] }: { host: string[]; port: number[] }) => {
      const socket = createConnection(port ?? 0, host);
      sockets.push(socket);
      return socket;
    },
  };
  return { client: postgres(inject("databaseUrl"), options), sockets };
}

describe("patched driver", () => {
  it("does the same work for each statement, however many came before", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const queryOne = () => db.execute(sql`select 1`);
    // Several connections, so that some are idle whenever one is taken.
    await Promise.all([queryOne(), queryOne(), queryOne()]);
    let maxLength = 0;
    const { indexOf } = Array.prototype;
    const search = vi.spyOn(Array.prototype, "indexOf").mockImplementation(function (this: unknown[], ...wanted) {
      maxLength = Math.max(maxLength, this.length);
      return indexOf.apply(this, wanted);
    });
    try {
      for (let statement = 0; statement < 300; statement++) await queryOne();
    } finally {
      search.mockRestore();
    }
    expect(maxLength).toBeGreaterThan(0);
    expect(maxLength).toBeLessThan(100);
    await close();
  });

  it("reserves the connection for a transaction when its BEGIN fills the pipeline", async () => {
    const { client } = createPoolOfOne();
    await client`create temporary table answered (who int)`;
    const before = Array.from({ length: 100 }, (_, number) => client.unsafe(`select ${number}`).execute());
    const begun = client.begin((tx) => tx`insert into answered values (1)`);
    await Promise.all([...before, begun]);
    await client`insert into answered values (2)`;
    await client.begin((tx) => tx`select 1 / 0`).catch(() => {});
    expect([...(await client`select who from answered order by who`)]).toEqual([{ who: 1 }, { who: 2 }]);
    await client.end();
  });

  it("runs transactions when a connection takes one statement at a time", async () => {
    const client = postgres(inject("databaseUrl"), { max: 2, max_pipeline: 0 } as object);
    const answers = Array.from({ length: 10 }, (_, number) =>
      client.begin(async (tx) => [...(await tx`select ${number}::int as number`)]),
    );
    expect(await Promise.all(answers)).toEqual(answers.map((_, number) => [{ number }]));
    await client.end();
  });

  it("fails a statement that cannot be sent, and answers the others", async () => {
    const { client } = createPoolOfOne();
    const queryWho = (who: unknown) => client.unsafe("select $1::text as who", [who as string], { prepare: true });
    await queryWho("first");
    const answers = ["A", undefined, "C", "D"].map((who) =>
      queryWho(who)
        .execute()
        .then(
          ([row]) => row?.who,
          ({ code }) => code,
        ),
    );
    expect(await Promise.all(answers)).toEqual(["A", "UNDEFINED_VALUE", "C", "D"]);
    await expect(queryWho(undefined)).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
    expect([...(await queryWho("E"))]).toEqual([{ who: "E" }]);
    await client.end();
  });

  it("returns no holes for the rows of an earlier failed statement", async () => {
    const { client } = createPoolOfOne();
    await expect(client`select 1 / (5 - n) from generate_series(1, 10) as n`).rejects.toMatchObject({
      code: "22012",
    });
    expect([...(await client`select 7 as seven`)]).toEqual([{ seven: 7 }]);
    await client.end();
  });

  it("returns each statement its own rows, or an error, while a column changes its type", async () => {
    const database = await createTestDatabase();
    await database.db.execute(sql`create table numbered (id int, value int)`);
    await database.db.execute(sql`insert into numbered select n, n from generate_series(1, 100) as n`);
    const { db, close } = connect(database.url);
    const queryAll = async () => {
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
    expect(await queryAll()).toEqual(new Set(["fulfilled"]));
    await database.db.execute(sql`alter table numbered alter column value type bigint`);
    expect(await queryAll()).toContain("rejected");
    const listSettled = async () => expect(await queryAll()).toEqual(new Set(["fulfilled"]));
    await vi.waitFor(listSettled, { timeout: 60_000 });
    await close();
    await database.close();
  });

  it("answers after a COPY whose rows were read late", async () => {
    const { client } = createPoolOfOne();
    const rows = await client`copy (select repeat('x', 30000)) to stdout`.readable();
    const answer = client`select 2 as answer`.execute();
    // Lets the end of the rows arrive before they are read.
    await new Promise((resolve) => setImmediate(resolve));
    rows.resume();
    expect([...(await answer)]).toEqual([{ answer: 2 }]);
    await client.end();
  });
});

describe("patched driver after a lost connection", () => {
  it.each<[string, Error | undefined]>([
    ["closes", undefined],
    ["breaks with an error", new Error("reset")],
  ])("sends nothing unsent on the next connection when the first %s", async (_, reason) => {
    const { client, sockets } = createPoolOfOne();
    await client`select 1`;
    sockets[0]?.destroy(reason);
    // Written just before the driver learns that the socket is gone.
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

  it("does not report the last error to the next statement", async () => {
    const { client } = createPoolOfOne();
    await expect(client`select pg_terminate_backend(pg_backend_pid())`).rejects.toSatisfy(isDatabaseUnavailable);
    expect([...(await client`select 3 as answer`)]).toEqual([{ answer: 3 }]);
    await client.end();
  });

  it("ends immediately when its connection is lost", async () => {
    const { client, sockets } = createPoolOfOne();
    const lost = client`select pg_sleep(60)`.catch((error) => error);
    await vi.waitFor(() => expect(sockets[0]?.bytesRead).toBeGreaterThan(0));
    sockets[0]?.destroy();
    expect(await lost).toSatisfy(isDatabaseUnavailable);
    await client.end();
  });

  const lateWork: [string, (tx: postgres.TransactionSql) => Promise<unknown>][] = [
    ["statement", (tx) => tx`select 1`],
    ["statement with values", (tx) => tx`select ${1}::int`],
    ["long statement", (tx) => tx.unsafe(`select ${"1 + ".repeat(1000)}1`)],
    ["savepoint", (tx) => tx.savepoint((inner) => inner`select 1`)],
  ];
  it.each(lateWork)("rejects each later %s of the transaction", async (_, send) => {
    const { client, sockets } = createPoolOfOne();
    const queryAnswer = async () => [...(await client`select 3 as answer`)];
    let transaction: postgres.TransactionSql | undefined;
    let statements: Promise<unknown>[] = [];
    const broken = client.begin(async (tx) => {
      transaction = tx;
      // The second waits in the driver until the first is answered.
      statements = [tx`select ${1}::int`, tx`select 2`];
      sockets[0]?.destroy();
      return Promise.allSettled(statements);
    });
    await expect(broken).rejects.toSatisfy(isDatabaseUnavailable);
    if (!transaction) throw new Error("The transaction did not begin");
    for (const statement of statements) await expect(statement).rejects.toSatisfy(isDatabaseUnavailable);
    await expect(send(transaction)).rejects.toSatisfy(isDatabaseUnavailable);
    expect(await queryAnswer()).toEqual([{ answer: 3 }]);
    await expect(send(transaction)).rejects.toSatisfy(isDatabaseUnavailable);
    expect(await queryAnswer()).toEqual([{ answer: 3 }]);
    await client.end();
  });

  it("fails the statement that opened the lost connection", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const client = postgres(`postgres://user:secret@127.0.0.1:${port}/none`, { max: 1 });
    await expect(client`select 1`).rejects.toSatisfy(isDatabaseUnavailable);
    await client.end();
    server.close();
  });

  it("fails the opening statement when the connection is lost while reading the array types", async () => {
    const target = new URL(inject("databaseUrl"));
    const server = createServer((socket) => {
      const behind = createConnection(Number(target.port), target.hostname);
      behind.pipe(socket);
      socket.on("data", (chunk) => {
        if (chunk.includes("pg_catalog.pg_type")) socket.resetAndDestroy();
        else behind.write(chunk);
      });
      for (const end of [socket, behind])
        end
          .on("error", () => {})
          .on("close", () => {
            socket.destroy();
            behind.destroy();
          });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = Object.assign(new URL(target), { port: (server.address() as AddressInfo).port });
    const { db, close } = connect(address.href);
    await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isDatabaseUnavailable);
    await close();
    server.close();
  });
});
