import { afterAll, beforeAll, inject } from "vitest";
import { type RedisServer, startRedisServer } from "./redis-server";

/** A Redis for one test file, or the shared Redis of TEST_REDIS_URL. */
export function useRedis(): RedisServer {
  const redis = {} as RedisServer;
  beforeAll(async () => {
    Object.assign(redis, await startRedisServer(inject("redisUrl")));
  });
  afterAll(() => redis.close());
  return redis;
}
