import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { connect, type Database } from "@/db/client";

type Act = () => Promise<unknown>;
/** Whether the connection breaks before or after the database receives what is sent. */
export type Fate = "is lost" | "is not answered";

/** A connection to the database that can be interrupted between two statements. */
export interface InterruptibleDatabase {
  db: Database;
  /**
   * Runs work on this database, and `other` right before it sends for the nth time, counted from 1.
   * @returns how often the work sent
   */
  interrupt(meanwhile: Record<number, Act>, work: Act): Promise<number>;
  /** The same, right before the first answer to the nth send arrives. */
  holdAnswer(nth: number, meanwhile: Act, work: Act): Promise<void>;
  /**
   * Runs work on this database and breaks the connection at the nth send, counted from 1.
   * @returns whether the work sent that often
   */
  breakAt(nth: number, fate: Fate, work: Act): Promise<boolean>;
}

/** A database for one test file behind a forwarder that can hold back what is sent. */
export function useInterruptible(databaseUrl: () => string): InterruptibleDatabase {
  const interruptible = {} as InterruptibleDatabase;
  let close = async () => {};
  beforeAll(async () => {
    const opened = await open(databaseUrl());
    Object.assign(interruptible, opened);
    close = opened.close;
  });
  afterAll(() => close());
  return interruptible;
}

async function open(databaseUrl: string): Promise<InterruptibleDatabase & { close(): Promise<void> }> {
  const target = new URL(databaseUrl);
  let sent = 0;
  let acts: Record<number, Act> = {};
  let fates: Record<number, Fate> = {};
  let held: { nth: number; meanwhile: Act } | null = null;
  const server = createServer((client) => forward(client));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  function forward(client: Socket): void {
    const database = dial(Number(target.port), target.hostname);
    database.pipe(client);
    let sending: Promise<unknown> = Promise.resolve();
    client.on("data", (chunk) => {
      sent += 1;
      const meanwhile = acts[sent];
      const fate = fates[sent];
      if (fate === "is lost") return client.destroy();
      if (fate === "is not answered") {
        database.unpipe(client).once("data", () => client.destroy());
        database.resume();
      }
      if (sent === held?.nth) holdAnswer(database, client, held.meanwhile);
      sending = sending.then(meanwhile).then(() => database.write(chunk));
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }

  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const { db, close } = connect(url.href);
  // After the handshake, only statements are sent.
  const pingDatabase = () => db.execute("select 1");
  return {
    db,
    async breakAt(nth, fate, work) {
      await pingDatabase();
      sent = 0;
      fates = { [nth]: fate };
      await work().finally(() => {
        fates = {};
      });
      return sent >= nth;
    },
    async holdAnswer(nth, meanwhile, work) {
      await pingDatabase();
      sent = 0;
      held = { nth, meanwhile };
      await work().finally(() => {
        held = null;
      });
    },
    async interrupt(meanwhile, work) {
      await pingDatabase();
      sent = 0;
      acts = meanwhile;
      await work().finally(() => {
        acts = {};
      });
      return sent;
    },
    async close() {
      await close();
      server.close();
    },
  };
}

/** Forwards the database's next answer after other work. */
function holdAnswer(database: Socket, client: Socket, meanwhile: Act): void {
  const forwardAnswer = (answer: Buffer) => {
    client.write(answer);
    database.pipe(client);
  };
  database.unpipe(client).once("data", (answer) => {
    database.pause();
    void meanwhile().then(() => forwardAnswer(answer));
  });
  database.resume();
}
