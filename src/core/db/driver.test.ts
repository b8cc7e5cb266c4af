import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { promisify } from "node:util";
import { type SQL, sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, inject, it, vi } from "vitest";
import { createTestDatabase } from "@/test/database";
import { openFront } from "@/test/front";
import { connect, isDatabaseUnavailable } from "./client";
import { pacedSockets } from "./sockets";

const run = promisify(execFile);

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

  /** A pool of one connection, and the sockets that it has had. */
  function poolOfOne(more: object = {}): { client: postgres.Sql; sockets: Socket[] } {
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

  const endings: [string, Error | undefined][] = [
    ["breaks", undefined],
    ["breaks with an error", new Error("reset")],
  ];
  it.each(endings)(
    "that %s before a statement is sent leaves nothing of it to the next one",
    async (_, reason) => {
      const { client, sockets } = poolOfOne();
      await client`select 1`;
      sockets[0]?.destroy(reason);
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
    },
  );

  const lateWork: [string, (tx: postgres.TransactionSql) => Promise<unknown>][] = [
    ["statement", (tx) => tx`select 1`],
    ["statement with values", (tx) => tx`select ${1}::int`],
    ["long statement", (tx) => tx.unsafe(`select ${"1 + ".repeat(1000)}1`)],
    ["savepoint", (tx) => tx.savepoint((inner) => inner`select 1`)],
  ];
  it.each(lateWork)(
    "that broke under a transaction takes no %s of it, nor does the next",
    async (_, send) => {
      const { client, sockets } = poolOfOne();
      const ask = async () => [...(await client`select 3 as answer`)];
      let transaction: postgres.TransactionSql | undefined;
      let statements: Promise<unknown>[] = [];
      const broken = client.begin(async (tx) => {
        transaction = tx;
        // The second waits in the driver for the first to be answered.
        statements = [tx`select ${1}::int`, tx`select 2`];
        sockets[0]?.destroy();
        return Promise.allSettled(statements);
      });
      await expect(broken).rejects.toSatisfy(isDatabaseUnavailable);
      if (!transaction) throw new Error("The transaction did not begin");
      for (const statement of statements) await expect(statement).rejects.toSatisfy(isDatabaseUnavailable);
      await expect(send(transaction)).rejects.toSatisfy(isDatabaseUnavailable);
      expect(await ask()).toEqual([{ answer: 3 }]);
      await expect(send(transaction)).rejects.toSatisfy(isDatabaseUnavailable);
      expect(await ask()).toEqual([{ answer: 3 }]);
      await client.end();
    },
  );

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

  it("that broke while it was reserved takes nothing more, nor does the next", async () => {
    const { client, sockets } = poolOfOne();
    const reserved = await client.reserve();
    const answers = Promise.allSettled([reserved`select ${1}::int`, reserved`select 2`]);
    sockets[0]?.destroy();
    expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(reserved`select 1`).rejects.toSatisfy(isDatabaseUnavailable);
    reserved.release();
    expect([...(await client`select 3 as answer`)]).toEqual([{ answer: 3 }]);
    await expect(reserved`select 1`).rejects.toSatisfy(isDatabaseUnavailable);
    await client.end();
  });

  it("is reserved for who waits for it though it has to be made anew", async () => {
    const { client, sockets } = poolOfOne();
    await client`select 1`;
    const answer = client`select pg_sleep(1)`.execute().catch((error) => error);
    await new Promise(setImmediate);
    const waiting = client.reserve();
    sockets[0]?.destroy();
    expect(await answer).toSatisfy(isDatabaseUnavailable);
    const reserved = await waiting;
    expect([...(await reserved`select 2 as answer`)]).toEqual([{ answer: 2 }]);
    reserved.release();
    expect([...(await client`select 3 as answer`)]).toEqual([{ answer: 3 }]);
    await client.end();
  });

  it("that could not be reserved is not made after all, and keeps no process from its end", async () => {
    const target = new URL(inject("databaseUrl"));
    let made = 0;
    const server = createServer((socket) => {
      made += 1;
      if (made === 1) return socket.resetAndDestroy();
      const behind = createConnection(Number(target.port), target.hostname);
      socket.pipe(behind).pipe(socket);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    target.port = String((server.address() as AddressInfo).port);
    const work = `
      import postgres from "postgres";
      const client = postgres("${target}", { max: 1 });
      await client.reserve().catch(({ code }) => console.log(code));
      await client.end();`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", work]);
    expect([stdout, made]).toEqual(["ECONNRESET\n", 1]);
    server.close();
  });

  const changes: [string, (client: postgres.Sql) => Promise<unknown>][] = [
    ["statement", (client) => client`create temporary table changed (what int)`],
    ["transaction", (client) => client.begin((tx) => tx`create temporary table changed (what int)`)],
  ];
  it.each(changes)("on which a %s is refused as read-only is asked nothing more", async (_, change) => {
    const { client, sockets } = poolOfOne();
    await client`set default_transaction_read_only = on`;
    const [refused, behind] = await Promise.allSettled([change(client), client`select 2 as answer`]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "25006" } });
    expect(behind).toMatchObject({ status: "fulfilled", value: [{ answer: 2 }] });
    await change(client);
    expect(sockets).toHaveLength(2);
    await client.end();
  });

  it("that is refused as read-only by its first statement is asked nothing more", async () => {
    const { client, sockets } = poolOfOne({ connection: { default_transaction_read_only: true } });
    await expect(client`create temporary table changed (what int)`).rejects.toMatchObject({ code: "25006" });
    expect([...(await client`select 2 as answer`)]).toEqual([{ answer: 2 }]);
    expect(sockets).toHaveLength(2);
    await client.end();
  });

  it("that is refused as read-only again and again is made anew now and then, so that others are answered", async () => {
    const { client, sockets } = poolOfOne({ connection: { default_transaction_read_only: true } });
    const change = () => client`create temporary table changed (what int)`;
    for (let time = 0; time < 50; time++) await expect(change()).rejects.toMatchObject({ code: "25006" });
    expect(sockets.length).toBeLessThan(5);
    await client.end();
  });

  it("whose end the server does not hear of is given up", async () => {
    const { client, sockets } = poolOfOne({ max_lifetime: 0.2 });
    await client`select 1`;
    const [first] = sockets;
    // Whatever is sent on it, its end included, goes nowhere.
    if (first) Object.assign(first, { _write: () => {}, _writev: null, _final: () => {} });
    await new Promise((closed) => first?.once("close", closed));
    expect([...(await client`select 2 as answer`)]).toEqual([{ answer: 2 }]);
    await client.end();
  });

  it("is asked nothing more where another of its pool was refused as read-only, once it has answered", async () => {
    const { db, close } = connect(inject("databaseUrl"));
    const each = (statement: SQL) =>
      Promise.allSettled(Array.from({ length: 6 }, () => db.execute(statement)));
    await each(sql`select pg_sleep(0.2)`);
    await each(sql`select pg_sleep(0.2), set_config('default_transaction_read_only', 'on', false)`);
    const change = sql`create temporary table changed (what int)`;
    const [refused, ...answers] = await Promise.allSettled([
      db.execute(change),
      ...Array.from({ length: 5 }, () => db.execute(sql`select pg_sleep(0.2), 2 as answer`)),
    ]);
    expect(refused).toMatchObject({ status: "rejected", reason: { cause: { code: "25006" } } });
    for (const answer of answers) expect(answer).toMatchObject({ value: [{ answer: 2 }] });
    const outcomes = await each(sql`update pg_database set datname = datname where false`);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(6).fill("fulfilled"));
    await close();
  });

  it("is made anew after its time, and nothing is lost by that", async () => {
    const { client, sockets } = poolOfOne({ max_lifetime: 0.01 });
    const ask = async (answer: number) => [...(await client`select ${answer}::int as answer`)];
    let asked = 0;
    while (sockets.length < 5) {
      const numbers = Array.from({ length: 20 }, () => asked++);
      expect(await Promise.all(numbers.map(ask))).toEqual(numbers.map((answer) => [{ answer }]));
    }
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

  it("that is lost while the driver asks for the types of arrays is told of to whoever waits, and ends nothing", async () => {
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

  it("whose server has fallen silent is given up, whatever else is sent to it, and another one opened", async () => {
    const front = await openFront(inject("databaseUrl"));
    const client = postgres(front.url, { max: 1, max_silence: 0.5 } as object);
    const ask = () => client`select 3 as answer`.then(([row]) => row?.answer);
    expect(await ask()).toBe(3);
    await front.fail("hanging");
    const asking = setInterval(() => void ask().catch(() => {}), 100);
    await expect(client`select 2`).rejects.toMatchObject({ code: "CONNECTION_SILENT" });
    clearInterval(asking);
    await front.recover();
    // The first may still be given to the one that is just being closed.
    await expect.poll(() => ask().catch(() => null)).toBe(3);
    await client.end();
    await front.close();
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

  it("that takes longer to be made than its statement may wait is not given it any more", async () => {
    const target = new URL(inject("databaseUrl"));
    let wait = new Promise<void>((resolve) => setTimeout(resolve, 300));
    const server = createServer((socket) => {
      const behind = createConnection(Number(target.port), target.hostname);
      behind.pipe(socket);
      void wait.then(() => socket.pipe(behind));
      for (const [one, other] of [
        [socket, behind],
        [behind, socket],
      ] as const)
        one.on("error", () => {}).once("close", () => other.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = Object.assign(new URL(target), { port: (server.address() as AddressInfo).port });
    const client = postgres(address.href, { max: 1, max_wait: 0.1 } as object);
    const sequence = `once_${target.port}`;
    await expect(client.unsafe(`create sequence ${sequence}`)).rejects.toSatisfy(isDatabaseUnavailable);
    wait = Promise.resolve();
    expect([...(await client`select to_regclass(${sequence}) as made`)]).toEqual([{ made: null }]);
    await client.end();
    server.close();
  });

  it("that is let in and ended again and again is told of as unavailable", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const options = { max: 1, max_wait: 0.3, socket: pacedSockets(1) };
    const client = postgres(`postgres://nobody:secret@127.0.0.1:${port}/nothing`, options);
    await expect(client`select 1`).rejects.toSatisfy(isDatabaseUnavailable);
    await client.end();
    server.close();
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
