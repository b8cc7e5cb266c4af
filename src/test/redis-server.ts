import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { answerUnzippable } from "./answering-server";
import { openRedis, type Reply } from "./redis-backend";

/** How the server fails. */
export type Outage =
  /** Accepts the connection and never answers. */
  | "hangs"
  /** Runs the commands and never answers. */
  | "swallows answers"
  | "refuses connections"
  | "closes connections"
  /** Answers with a gzip header and a body that is not gzip. */
  | "answers what does not unzip"
  /** Answers with this status and body. */
  | { status: number; body: string };

/** A Redis behind Upstash's REST protocol. */
export interface RedisServer {
  url: string;
  token: string;
  /** How many calls containing the word reached the server. */
  countCallsWith(word: string): number;
  /** Makes the server fail until `recover`. */
  fail(outage: Outage): Promise<void>;
  recover(): Promise<void>;
  /** Every nth call gets this answer while no outage lasts. */
  failEvery(every: number, answer: { status: number; body: string }): void;
  /**
   * Called with each call before it runs. "lose" closes the connection instead of answering, and a promise delays the
   * answer.
   */
  onCall(tell: (call: string) => "lose" | Promise<unknown> | undefined): void;
  /** Runs a command directly. */
  run(...command: string[]): Promise<Reply>;
  close(): Promise<void>;
}

type Result = { result: Reply } | { error: string };

const TOKEN = "token_for_tests";
const Argument = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Command = z.array(Argument).min(1);

/** Starts a Redis behind Upstash's protocol. */
export async function startRedisServer(): Promise<RedisServer> {
  const redis = await openRedis();
  const scripts = createScripts();
  const run: Run = (command) =>
    redis.run(scripts.translate(command)).then(
      (result) => ({ result }),
      (error: Error) => ({ error: error.message }),
    );
  const runAtomic: RunAtomic = async (commands) => {
    const replies = await redis.runAtomic(commands.map(scripts.translate));
    return replies.map((result) => ({ result }));
  };
  const rest = await serveRest(run, runAtomic);
  return {
    ...rest,
    token: TOKEN,
    run: (...command) => redis.run(scripts.translate(command)),
    close: async () => {
      await rest.close();
      await redis.close();
    },
  };
}

type Run = (command: string[]) => Promise<Result>;
type RunAtomic = (commands: string[][]) => Promise<Result[]>;

/** Stock Redis has no key locking, so the first line of a script is removed. The client still uses the script's own hash. */
function createScripts() {
  const hashScript = (text: string) => createHash("sha1").update(text).digest("hex");
  const ours = new Map<string, string>();
  return {
    translate(command: string[]): string[] {
      const [name = "", script = "", ...rest] = command;
      if (name.toLowerCase() === "evalsha") return [name, ours.get(script) ?? script, ...rest];
      if (name.toLowerCase() !== "eval") return command;
      const plain = script.replace(/^#!.*\n/, "");
      ours.set(hashScript(script), hashScript(plain));
      return [name, plain, ...rest];
    },
  };
}

async function serveRest(run: Run, runAtomic: RunAtomic): Promise<Omit<RedisServer, "token" | "run">> {
  let outage: Outage | null = null;
  let failing: { every: number; answer: { status: number; body: string } } | null = null;
  let tell: Parameters<RedisServer["onCall"]>[0] | null = null;
  const received: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readText(request);
    received.push(text);
    if (outage === "hangs") return;
    if (outage === "answers what does not unzip") return answerUnzippable(response);
    if (outage === "closes connections") return request.socket.destroy();
    if (typeof outage === "object" && outage) return respond(response, outage.status, outage.body);
    if (failing && received.length % failing.every === 0)
      return respond(response, failing.answer.status, failing.answer.body);
    const fate = tell?.(text);
    const { status, body } = await answerRest(request, text, run, runAtomic);
    if (fate === "lose") return request.socket.destroy();
    await fate;
    if (outage !== "swallows answers") respond(response, status, JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => respond(response, 500, JSON.stringify({ error: String(error) })));
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    countCallsWith: (word) => received.filter((text) => text.includes(word)).length,
    async fail(next) {
      outage = next;
      if (next === "refuses connections") await stop(server);
    },
    failEvery(every, answer) {
      failing = { every, answer };
    },
    onCall(next) {
      tell = next;
    },
    async recover() {
      outage = null;
      tell = null;
      server.closeAllConnections();
      if (!server.listening) await listen(server, port);
    },
    close: async () => {
      if (server.listening) await stop(server);
    },
  };
}

async function answerRest(request: IncomingMessage, text: string, run: Run, runAtomic: RunAtomic) {
  if (request.headers.authorization !== `Bearer ${TOKEN}`)
    return { status: 401, body: { error: "WRONGPASS invalid or missing auth token" } };
  if (request.method !== "POST") return { status: 405, body: { error: "ERR method not allowed" } };
  const encode = request.headers["upstash-encoding"] === "base64" ? encodeResult : returnResult;
  const body: unknown = JSON.parse(text);
  if (request.url === "/") {
    const result = await run(toWords(Command.parse(body)));
    return { status: "error" in result ? 400 : 200, body: encode(result) };
  }
  const commands = z.array(Command).parse(body).map(toWords);
  // One connection keeps their order.
  if (request.url === "/pipeline") return { status: 200, body: (await Promise.all(commands.map(run))).map(encode) };
  if (request.url === "/multi-exec") return { status: 200, body: (await runAtomic(commands)).map(encode) };
  return { status: 400, body: { error: "ERR unknown path" } };
}

function toWords(command: z.output<typeof Command>): string[] {
  return command.map((argument) => (argument === null ? "" : String(argument)));
}

const returnResult = (result: Result): Result => result;

function encodeResult(result: Result): Result {
  const encode = (reply: Reply): Reply => {
    if (Array.isArray(reply)) return reply.map(encode);
    return typeof reply === "string" && reply !== "OK" ? Buffer.from(reply).toString("base64") : reply;
  };
  return "result" in result ? { result: encode(result.result) } : result;
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

function respond(response: ServerResponse, status: number, body: string): void {
  const type = body.startsWith("<") ? "text/html" : "application/json";
  response.writeHead(status, { "Content-Type": type }).end(body);
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
