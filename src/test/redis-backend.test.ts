import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasRedisServer, openRedisServer, type RedisBackend } from "./redis-backend";
import { openRedisStandIn } from "./redis-stand-in";

const SCRIPT = 'return {redis.call("INCRBY", KEYS[1], ARGV[1]), redis.call("GET", "nothing"), ARGV[2]}';
const SCRIPT_SHA1 = "6994c17825e8ea98c765178427a1329dbf26e9c7";

describe.each([
  ["redis-server", hasRedisServer, openRedisServer],
  ["the stand-in", true, openRedisStandIn],
])("%s", (_, isHere, open) => {
  let redis: RedisBackend;
  beforeAll(async () => {
    if (isHere) redis = await open();
  });
  afterAll(() => redis?.close());

  it.runIf(isHere)("answers the commands of the quota as Redis documents them", async () => {
    const run = (line: string) => redis.run(line.split(" "));
    expect(await run("SET a word")).toBe("OK");
    expect(await run("MGET a nothing")).toEqual(["word", null]);
    await expect(run("INCR a")).rejects.toThrow("ERR value is not an integer or out of range");
    expect(await run("INCRBY n 5")).toBe(5);
    expect(await run("DECR n")).toBe(4);
    expect(await run("PTTL n")).toBe(-1);
    expect(await run("PEXPIRE n 60000")).toBe(1);
    expect(Number(await run("PTTL n"))).toBeGreaterThan(0);
    expect(await run("INCR n")).toBe(5);
    expect(Number(await run("PTTL n"))).toBeGreaterThan(0);
    expect(await run("PEXPIRE nothing 60000")).toBe(0);
    expect(await run("PTTL nothing")).toBe(-2);
    expect(await run("KEYS n*")).toEqual(["n"]);
    expect(await run("SET n 1 PX 1")).toBe("OK");
    await expect.poll(() => run("GET n")).toBeNull();
    expect(await run("DEL a nothing")).toBe(1);
    expect(await run("FLUSHALL")).toBe("OK");
    await expect(run("NONSENSE")).rejects.toThrow("ERR unknown command 'NONSENSE'");
  });

  it.runIf(isHere)("runs scripts, by hash once they are known", async () => {
    const words = ["1", "counter", "2", "text"];
    await expect(redis.run(["EVALSHA", SCRIPT_SHA1, ...words])).rejects.toThrow("NOSCRIPT");
    expect(await redis.run(["EVAL", SCRIPT, ...words])).toEqual([2, null, "text"]);
    expect(await redis.run(["EVALSHA", SCRIPT_SHA1, ...words])).toEqual([4, null, "text"]);
    await expect(redis.run(["EVAL", 'return redis.call("INCR", "text")', "0"])).resolves.toBe(1);
  });

  it.runIf(isHere)("runs a list of commands at once", async () => {
    expect(
      await redis.runAtomic([
        ["SET", "one", "1"],
        ["GET", "one"],
      ]),
    ).toEqual(["OK", "1"]);
  });
});
