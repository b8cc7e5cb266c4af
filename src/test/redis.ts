import { afterAll, beforeAll } from "vitest";
import { type RedisServer, startRedisServer } from "./redis-server";

/** Starts a Redis for one test file. */
export function useRedis(): RedisServer {
  const redis = {} as RedisServer;
  beforeAll(async () => {
    Object.assign(redis, await startRedisServer());
  });
  afterAll(() => redis.stop());
  return redis;
}
