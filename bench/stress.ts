import { once } from "node:events";
import { connect } from "node:net";
import { loadavg } from "node:os";
import autocannon from "autocannon";
import Table from "cli-table3";
import { runCommand } from "@/cli/command";
import { systemClock } from "@/core/time";
import { type OwnService, quantile, startOwnService } from "./own-service";

const KEYS = 300;
const SECONDS = 6;
/** As many as keep the service busy, and more than it holds. */
const BUSY = 32;
const FLOOD = 2500;
const HAMMERING = 500;
const SLOW = 64;
const BREATHLESS = 80;
const IN_ONE_BREATH = 30;

/** What clients saw, times in milliseconds. */
interface Seen {
  served: number[];
  shed: number[];
  others: number;
  seconds: number;
}

async function load(
  base: string,
  keys: readonly string[],
  connections: number,
  seconds = SECONDS,
): Promise<Seen> {
  const seen: Seen = { served: [], shed: [], others: 0, seconds };
  let client = 0;
  const setupClient = (one: autocannon.Client) => {
    const key = keys[client++ % keys.length] ?? "";
    one.setRequests([{ method: "GET", path: "/api/alerts", headers: { "x-api-key": key } }]);
  };
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      { url: base, connections, duration: seconds, timeout: 60, setupClient },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
    run.on("response", (_client, status, _bytes, took) => {
      if (status === 200) seen.served.push(took);
      else if (status === 503) seen.shed.push(took);
      else seen.others += 1;
    });
  });
  seen.others += errors;
  return seen;
}

/** Connections that send a request's first bytes and then nothing. @returns how many were cut off, and when the last */
async function holdOpen({ base, keys }: OwnService): Promise<{ cut: number; afterMs: number }> {
  const port = Number(new URL(base).port);
  const begun = performance.now();
  const cuts = Array.from({ length: SLOW }, async (_, number) => {
    const socket = connect(port, "127.0.0.1");
    const head = `POST /api/track HTTP/1.1\r\nHost: a\r\nX-API-Key: ${keys[number]}\r\nContent-Type: application/json\r\n`;
    socket.write(number % 2 ? head : `${head}Content-Length: 40\r\n\r\n{`);
    socket.resume();
    socket.on("error", () => {});
    await once(socket, "close");
  });
  await Promise.all(cuts);
  return { cut: cuts.length, afterMs: performance.now() - begun };
}

/** A stranger's connections that ask for much at once, all of it refused without a look at the database, and again. */
async function askInOneBreath({ base }: OwnService): Promise<void> {
  const until = performance.now() + SECONDS * 1000;
  const requests = "GET /api/usage HTTP/1.1\r\nHost: a\r\n\r\n".repeat(IN_ONE_BREATH);
  const ask = async () => {
    const socket = connect(Number(new URL(base).port), "127.0.0.1").setEncoding("latin1");
    while (performance.now() < until) {
      socket.write(requests);
      for (let left = IN_ONE_BREATH; left > 0; ) {
        const [text] = await once(socket, "data");
        // Each answer's body has one.
        left -= text.split("}").length - 1;
      }
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: BREATHLESS }, ask));
}

/** How long a request of a key takes until it is served, sent again for as long as it is not. */
async function timeOf(base: string, key: string): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const answer = await fetch(`${base}/api/usage`, { headers: { "X-API-Key": key } });
    await answer.text();
    if (answer.ok) return performance.now() - begun;
  }
}

/** A body far larger than any that is read. @returns the status, and how much of it was taken before */
async function sendHuge(base: string, key: string): Promise<string> {
  const body = Buffer.alloc(64 * 1024 * 1024, 120);
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  return fetch(`${base}/api/track`, { method: "POST", headers, body }).then(
    ({ status }) => String(status),
    () => "cut off",
  );
}

async function stress(): Promise<void> {
  const service = await startOwnService(KEYS, systemClock.now().toISOString());
  const { base, keys } = service;
  const [quiet = "", calm = "", fresh = "", ...loud] = keys;
  const table = new Table({
    head: ["load", "served/s", "p50 ms", "p99 ms", "shed/s", "shed p99 ms", "failed"],
  });
  const note = (name: string, { served, shed, others, seconds }: Seen) =>
    table.push([
      name,
      (served.length / seconds).toFixed(0),
      quantile(served, 0.5).toFixed(1),
      quantile(served, 0.99).toFixed(1),
      (shed.length / seconds).toFixed(0),
      shed.length > 0 ? quantile(shed, 0.99).toFixed(1) : "",
      others,
    ]);
  await load(base, loud, BUSY, 3);
  note(`${BUSY} connections`, await load(base, loud, BUSY));
  note(`${FLOOD} connections`, await load(base, loud, FLOOD));
  const recovered = await timeOf(base, fresh);
  note(`${BUSY} connections, right after`, await load(base, loud, BUSY));
  // Short, so that enough of its day is left.
  const alone = await load(base, [quiet], 1, 1);
  note("one key alone, 1 connection", alone);
  const [beside, hammer] = await Promise.all([
    load(base, [quiet], 1),
    load(base, loud.slice(0, 1), HAMMERING),
  ]);
  note(`the same, beside a key with ${HAMMERING} connections`, beside);
  note(`that key (2000 a day, then 429)`, hammer);
  const [unmoved] = await Promise.all([load(base, [calm], 1), askInOneBreath(service)]);
  note(`one key, beside ${BREATHLESS} connections that ask ${IN_ONE_BREATH} times in one breath`, unmoved);
  const [slow, meanwhile] = await Promise.all([holdOpen(service), load(base, loud.slice(1), BUSY)]);
  note(`${BUSY} connections, beside ${SLOW} that send half a request`, meanwhile);
  process.stdout.write(
    `${table}\n${slow.cut} slow requests cut off within ${Math.round(slow.afterMs / 1000)} s\n`,
  );
  process.stdout.write(`after the flood the first answer took ${Math.round(recovered)} ms\n`);
  process.stdout.write(`load average of the machine meanwhile: ${loadavg()[0]?.toFixed(1)}\n`);
  process.stdout.write(`a body of 64 MiB: ${await sendHuge(base, fresh)}\n`);
  await service.stop();
}

await runCommand(stress);
