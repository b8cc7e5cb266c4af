import { createHash } from "node:crypto";
import { LuaFactory } from "wasmoon";
import type { RedisBackend, Reply } from "./redis-backend";

interface Entry {
  value: string;
  /** On the clock of the process, because tests set the date. */
  expiresAt: number;
}

type Commands = Record<string, (...words: string[]) => Reply>;

/** Opens a Redis inside this process: the commands that the service and its tests use, and scripts in real Lua. */
export async function openRedisStandIn(): Promise<RedisBackend> {
  const lua = await new LuaFactory().createEngine({ injectObjects: false });
  const scripts = new Map<string, string>();

  function runScript(script: string, count: string, ...words: string[]): Reply {
    lua.global.set("KEYS", words.slice(0, Number(count)));
    lua.global.set("ARGV", words.slice(Number(count)));
    return toReply(lua.doStringSync(script));
  }

  const commands: Commands = {
    ...createCommands(),
    EVAL(script = "", count = "", ...words) {
      scripts.set(createHash("sha1").update(script).digest("hex"), script);
      return runScript(script, count, ...words);
    },
    EVALSHA(hash = "", count = "", ...words) {
      const known = scripts.get(hash);
      if (known === undefined) throw new Error("NOSCRIPT No matching script. Please use EVAL.");
      return runScript(known, count, ...words);
    },
  };

  function runCommand([name = "", ...words]: string[]): Reply {
    const command = commands[name.toUpperCase()];
    if (!command) throw new Error(`ERR unknown command '${name}'`);
    return command(...words);
  }

  // As in Redis, a script reads a missing value as false.
  lua.global.set("redis", { call: (...command: unknown[]) => runCommand(command.map(String)) ?? false });
  return {
    run: async (command) => runCommand(command),
    runAtomic: async (list) => list.map(runCommand),
    close: async () => lua.global.close(),
  };
}

function createCommands(): Commands {
  const entries = new Map<string, Entry>();

  function find(key: string): Entry | null {
    const entry = entries.get(key);
    return entry && entry.expiresAt > performance.now() ? entry : null;
  }

  const get = (key: string) => find(key)?.value ?? null;

  function increase(key: string, by: string): number {
    const { value, expiresAt } = find(key) ?? { value: "0", expiresAt: Number.POSITIVE_INFINITY };
    if (![value, by].every((number) => /^-?\d+$/.test(number)))
      throw new Error("ERR value is not an integer or out of range");
    const sum = Number(value) + Number(by);
    entries.set(key, { value: String(sum), expiresAt });
    return sum;
  }

  return {
    GET: (key = "") => get(key),
    MGET: (...keys) => keys.map(get),
    SET(key = "", value = "", option, ms) {
      if (option && option.toUpperCase() !== "PX") throw new Error("ERR syntax error");
      const expiresAt = option ? performance.now() + Number(ms) : Number.POSITIVE_INFINITY;
      entries.set(key, { value, expiresAt });
      return "OK";
    },
    INCR: (key = "") => increase(key, "1"),
    INCRBY: (key = "", by = "") => increase(key, by),
    DECR: (key = "") => increase(key, "-1"),
    PEXPIRE(key = "", ms) {
      const entry = find(key);
      if (entry) entry.expiresAt = performance.now() + Number(ms);
      return entry ? 1 : 0;
    },
    PTTL(key = "") {
      const entry = find(key);
      if (!entry) return -2;
      return entry.expiresAt === Number.POSITIVE_INFINITY ? -1 : Math.ceil(entry.expiresAt - performance.now());
    },
    DEL: (...keys) => keys.filter((key) => entries.delete(key)).length,
    // Of the patterns only `prefix*`.
    KEYS: (pattern = "") =>
      [...entries.keys()].filter((key) => find(key) && key.startsWith(pattern.replace(/\*$/, ""))),
    FLUSHALL() {
      entries.clear();
      return "OK";
    },
  };
}

/** Converts what a script returns as Redis does. */
function toReply(value: unknown): Reply {
  if (Array.isArray(value)) return value.map(toReply);
  if (typeof value === "number") return Math.trunc(value);
  if (typeof value === "string") return value;
  return value === true ? 1 : null;
}
