import { afterAll, beforeAll, inject } from "vitest";
import { type RedisServer, startRedisServer } from "./redis-server";

/** A Redis of its own for one test file; where TEST_REDIS_URL names a Redis, all files share that one. */
export function useRedis(): RedisServer {
  const redis = {} as RedisServer;
  beforeAll(async () => {
    Object.assign(redis, await startRedisServer(inject("redisUrl")));
  });
  afterAll(() => redis.close());
  return redis;
}
