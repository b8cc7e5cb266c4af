import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createConnection, createServer } from "node:net";
import { promisify } from "node:util";
import { type SQL, sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, inject, it } from "vitest";
import { openFront } from "@/test/front";
import { poolOfOne } from "@/test/pool-of-one";
import { connect, isDatabaseUnavailable } from "./client";
import { pacedSockets } from "./sockets";

const run = promisify(execFile);

describe("a connection of the patched driver, when it ends,", () => {
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
});
