import { afterAll, beforeAll } from "vitest";
import { readEnv } from "@/core/env";
import { createLog } from "@/core/log";
import { createPostgresQuota } from "@/core/quota";
import type { Tier } from "@/core/tiers";
import { ManualClock } from "@/core/time";
import type { Key } from "@/features/keys/schema";
import { issueKey } from "@/features/keys/service";
import { createSamplePlatform } from "@/platform/sample";
import { type AppContext, installContext } from "@/server/context";
import { createTestDatabase, type TestDatabase } from "./database";

/** The instant at which every test begins. */
export const TEST_START = "2026-03-10T12:00:00.000Z";

export interface TestService extends AppContext {
  clock: ManualClock;
  databaseUrl: string;
}

/**
 * The whole service on a database of its own and a clock that stands still, for one test file. Requests to the
 * route handlers are served with it.
 */
export function useService(): TestService {
  const service = {} as TestService;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const clock = new ManualClock(TEST_START);
    const { db } = database;
    Object.assign(service, {
      env: readEnv({ APP_URL: "http://growth.test", NODE_ENV: "test" }),
      db,
      databaseUrl: database.url,
      clock,
      log: createLog({ level: "silent" }),
      platform: createSamplePlatform(clock),
      quota: createPostgresQuota(db, clock),
    });
    installContext(service);
  });
  afterAll(() => database.close());
  return service;
}

export interface TestKey extends Key {
  secret: string;
}

/** A key of its own for one test. */
export async function createKey(service: TestService, tier: Tier = "free"): Promise<TestKey> {
  const { record, secret } = await issueKey(service, { tier, label: "Test" });
  return { id: record.id, tier: record.tier, secret };
}
