import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { connect } from "@/db/client";

type Act = () => Promise<unknown>;
/** Whether the connection breaks before or after the database receives what is sent. */
export type Fate = "is lost" | "is not answered";

/** A connection to the database that can be interrupted between two statements. */
export type InterruptibleDatabase = Awaited<ReturnType<typeof open>>;

/** What happens when the work sends. */
interface Interruption {
  /** Right before it sends. */
  act?: Act;
  /** The connection breaks. */
  fate?: Fate;
  /** Right before the first answer arrives. */
  held?: Act;
}

/** A database for one test file behind a forwarder that can hold back what is sent. */
export function useInterruptible(databaseUrl: () => string): InterruptibleDatabase {
  const interruptible = {} as InterruptibleDatabase;
  beforeAll(async () => {
    Object.assign(interruptible, await open(databaseUrl()));
  });
  afterAll(() => interruptible.close());
  return interruptible;
}

async function open(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let sent = 0;
  let findInterruption = (_nth: number): Interruption => ({});
  const server = createServer((client) => forward(client));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  function forward(client: Socket): void {
    const database = dial(Number(target.port), target.hostname);
    database.pipe(client);
    let sending: Promise<unknown> = Promise.resolve();
    client.on("data", (chunk) => {
      sent += 1;
      const { act, fate, held } = findInterruption(sent);
      if (fate === "is lost") return client.destroy();
      if (fate === "is not answered") {
        database.unpipe(client).once("data", () => client.destroy());
        database.resume();
      }
      if (held) holdAnswer(database, client, held);
      sending = sending.then(act).then(() => database.write(chunk));
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
  /** @returns how often the work sent */
  async function interruptWork(find: typeof findInterruption, work: Act): Promise<number> {
    // After the handshake, only statements are sent.
    await db.execute("select 1");
    sent = 0;
    findInterruption = find;
    await work().finally(() => {
      findInterruption = () => ({});
    });
    return sent;
  }
  return {
    db,
    /**
     * Runs work on this database, and `other` right before it sends for the nth time, counted from 1.
     * @returns how often the work sent
     */
    interrupt: (acts: Record<number, Act>, work: Act) => interruptWork((nth) => ({ act: acts[nth] }), work),
    /** The same, right before the first answer to the nth send arrives. */
    holdAnswer: (nth: number, meanwhile: Act, work: Act) =>
      interruptWork((at) => (at === nth ? { held: meanwhile } : {}), work),
    /**
     * Runs work on this database and breaks the connection at the nth send, counted from 1.
     * @returns whether the work sent that often
     */
    breakAt: async (nth: number, fate: Fate, work: Act) =>
      (await interruptWork((at) => (at === nth ? { fate } : {}), work)) >= nth,
    async close(): Promise<void> {
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
