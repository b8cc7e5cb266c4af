import { createHash } from "node:crypto";
import { LuaFactory } from "wasmoon";
import type { RedisBackend, Reply } from "./redis-backend";

interface Entry {
  value: string;
  /** On the clock of the process, because tests set the date. */
  expiresAt: number;
}

/** Opens a Redis inside this process: the commands that the service and its tests use, and scripts in real Lua. */
export async function openRedisStandIn(): Promise<RedisBackend> {
  const commands = createCommands();
  const lua = await new LuaFactory().createEngine({ injectObjects: false });
  const scripts = new Map<string, string>();

  // As in Redis, a script reads a missing value as false.
  lua.global.set("redis", { call: (...command: unknown[]) => runCommand(command.map(String)) ?? false });

  function runScript(script: string, [count = "", ...words]: string[]): Reply {
    lua.global.set("KEYS", words.slice(0, Number(count)));
    lua.global.set("ARGV", words.slice(Number(count)));
    return toReply(lua.doStringSync(script));
  }

  function runCommand([name = "", ...words]: string[]): Reply {
    const [script = "", ...rest] = words;
    switch (name.toUpperCase()) {
      case "EVAL":
        scripts.set(createHash("sha1").update(script).digest("hex"), script);
        return runScript(script, rest);
      case "EVALSHA": {
        const known = scripts.get(script);
        if (known === undefined) throw new Error("NOSCRIPT No matching script. Please use EVAL.");
        return runScript(known, rest);
      }
      default:
        return commands(name, words);
    }
  }

  return {
    run: async (command) => runCommand(command),
    runAtomic: async (list) => list.map(runCommand),
    close: async () => lua.global.close(),
  };
}

function createCommands() {
  const entries = new Map<string, Entry>();

  function find(key: string): Entry | null {
    const entry = entries.get(key);
    if (!entry || entry.expiresAt <= performance.now()) return null;
    return entry;
  }

  function get(key: string): string | null {
    return find(key)?.value ?? null;
  }

  function increase(key: string, by: string): number {
    const { value, expiresAt } = find(key) ?? { value: "0", expiresAt: Number.POSITIVE_INFINITY };
    if (![value, by].every((number) => /^-?\d+$/.test(number)))
      throw new Error("ERR value is not an integer or out of range");
    const sum = Number(value) + Number(by);
    entries.set(key, { value: String(sum), expiresAt });
    return sum;
  }

  function set(key: string, value: string, option?: string, ms?: string): "OK" {
    if (option && option.toUpperCase() !== "PX") throw new Error("ERR syntax error");
    const expiresAt = option ? performance.now() + Number(ms) : Number.POSITIVE_INFINITY;
    entries.set(key, { value, expiresAt });
    return "OK";
  }

  function expire(key: string, ms: string): number {
    const entry = find(key);
    if (entry) entry.expiresAt = performance.now() + Number(ms);
    return entry ? 1 : 0;
  }

  function getTimeToLive(key: string): number {
    const entry = find(key);
    if (!entry) return -2;
    return entry.expiresAt === Number.POSITIVE_INFINITY ? -1 : Math.ceil(entry.expiresAt - performance.now());
  }

  return (name: string, words: string[]): Reply => {
    const [key = "", value = "", ...options] = words;
    switch (name.toUpperCase()) {
      case "GET":
        return get(key);
      case "MGET":
        return words.map(get);
      case "SET":
        return set(key, value, ...options);
      case "INCR":
        return increase(key, "1");
      case "INCRBY":
        return increase(key, value);
      case "DECR":
        return increase(key, "-1");
      case "PEXPIRE":
        return expire(key, value);
      case "PTTL":
        return getTimeToLive(key);
      case "DEL":
        return words.filter((word) => entries.delete(word)).length;
      case "KEYS":
        // Of the patterns only `prefix*`.
        return [...entries.keys()].filter((word) => find(word) && word.startsWith(key.replace(/\*$/, "")));
      case "FLUSHALL":
        entries.clear();
        return "OK";
      default:
        throw new Error(`ERR unknown command '${name}'`);
    }
  };
}

/** Converts what a script returns as Redis does. */
function toReply(value: unknown): Reply {
  if (Array.isArray(value)) return value.map(toReply);
  if (typeof value === "number") return Math.trunc(value);
  if (typeof value === "string") return value;
  return value === true ? 1 : null;
}
