import { createHash } from "node:crypto";
import { z } from "zod";
import { openRedis, type Reply } from "./redis-backend";
import { type Call, type Fault, startStandIn } from "./stand-in";

/** A Redis behind Upstash's REST protocol. */
export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>;

type Result = { result: Reply } | { error: string };

const TOKEN = "token_for_tests";
const Argument = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Command = z.array(Argument).min(1);

/** Starts a Redis behind Upstash's protocol. */
export async function startRedisServer() {
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
  let tell = (_call: string) => {};
  const standIn = await startStandIn({
    answer: (_, call) => {
      tell(call.body);
      return answerRest(call, run, runAtomic);
    },
  });
  const { reset, restart, stop } = standIn;
  return Object.assign(standIn, {
    token: TOKEN,
    /** How many calls containing the word reached the server. */
    countCallsWith: (word: string) => standIn.calls.filter(({ body }) => body.includes(word)).length,
    /** Makes the server fail until `recover`. */
    async fail(outage: Fault | "refused"): Promise<void> {
      if (outage === "refused") await stop();
      else standIn.outage = outage;
    },
    async recover(): Promise<void> {
      tell = () => {};
      reset();
      await restart();
    },
    /** Has a function called with each call before it runs, until `recover`. */
    onCall(next: (call: string) => void): void {
      tell = next;
    },
    /** Runs a command directly. */
    run: (...command: string[]) => redis.run(scripts.translate(command)),
    async stop(): Promise<void> {
      await stop();
      await redis.close();
    },
  });
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

async function answerRest({ method, path, headers, body }: Call, run: Run, runAtomic: RunAtomic): Promise<Response> {
  if (headers.authorization !== `Bearer ${TOKEN}`)
    return Response.json({ error: "WRONGPASS invalid or missing auth token" }, { status: 401 });
  if (method !== "POST") return Response.json({ error: "ERR method not allowed" }, { status: 405 });
  const encode = headers["upstash-encoding"] === "base64" ? encodeResult : returnResult;
  const given: unknown = JSON.parse(body);
  if (path === "") {
    const result = await run(toWords(Command.parse(given)));
    return Response.json(encode(result), { status: "error" in result ? 400 : 200 });
  }
  const commands = z.array(Command).parse(given).map(toWords);
  // One connection keeps their order.
  if (path === "pipeline") return Response.json((await Promise.all(commands.map(run))).map(encode));
  if (path === "multi-exec") return Response.json((await runAtomic(commands)).map(encode));
  return Response.json({ error: "ERR unknown path" }, { status: 400 });
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
