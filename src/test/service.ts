import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { readEnv } from "@/core/env";
import { createLog } from "@/core/log/log";
import type { Mail, Mailer } from "@/core/mail/email";
import type { Monitoring } from "@/core/mail/monitoring";
import { ManualClock, MINUTE } from "@/core/time";
import type { Database, DatabaseConnection } from "@/db/client";
import type { CoreContext } from "@/db/context";
import type { Tier } from "@/db/values";
import type { Key } from "@/features/keys/schema";
import { issueKey } from "@/features/keys/service";
import type { Engine } from "@/jobs/engine";
import type { VideoPlatform } from "@/platform/port";
import { type AppContext, installContext } from "@/server/context";
import { createJobs, type Jobs } from "@/server/jobs";
import { connectSandbox, createServiceContext } from "@/server/services";
import { createAppContext } from "@/server/start";
import { createTestDatabase, type TestDatabase } from "./database";
import { createFakeMailService } from "./destinations";

/** The instant at which every test begins. */
export const TEST_START = "2026-03-10T12:00:00.000Z";

export interface TestService extends AppContext {
  clock: ManualClock;
  databaseUrl: string;
  /** Mails that were accepted, each once, as a mail service with idempotency keys would show them. */
  mails: Mail[];
  engine: Engine;
  requestRun: Jobs["requestRun"];
  catchUp: Jobs["catchUp"];
  /** Runs jobs until none is left, moving the clock instead of waiting. */
  drain(): Promise<void>;
}

interface ServiceParts {
  /** More environment variables, read when the service is created. */
  variables?: () => Record<string, string>;
  /** Defaults to the environment's platform. */
  platform?: (clock: ManualClock, db: Database) => VideoPlatform;
  /** Defaults to one that fills `mails`. */
  mailer?: (clock: ManualClock) => Mailer;
  /** Defaults to the log. */
  monitoring?: (clock: ManualClock) => Monitoring;
}

/**
 * The whole service with its own database and a manual clock, for one test file. Route handlers use it;
 * jobs run when drained.
 */
export function useService({ variables, platform, mailer, monitoring }: ServiceParts = {}): TestService {
  const service = {} as TestService;
  let database: TestDatabase;
  let sandbox: DatabaseConnection | null;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(path.join(tmpdir(), "creator-growth-service-"));
    const clock = new ManualClock(TEST_START);
    const { db } = database;
    const mailService = createFakeMailService(clock);
    const defaults = { APP_URL: "http://growth.test", NODE_ENV: "test", DATA_DIR: folder };
    const env = readEnv({ ...defaults, ...variables?.() });
    const log = createLog({ level: "silent" });
    const parts = createServiceContext(env, {
      db,
      log,
      clock,
      mailer: mailer?.(clock) ?? mailService,
      platform: platform?.(clock, db),
    });
    sandbox = connectSandbox(env, database.url);
    const context = { ...parts, monitoring: monitoring?.(clock) ?? parts.monitoring };
    const { engine, served, requestRun, requestRenewal, catchUp } = await createJobs(context);
    Object.assign(
      service,
      createAppContext(context, {
        jobs: served,
        requestRenewal,
        countPending: () => 0,
        sandbox: sandbox?.db ?? null,
        stop: () => engine.stop(),
      }),
      {
        clock,
        databaseUrl: database.url,
        requestTimeout: MINUTE,
        mails: mailService.accepted,
        engine,
        requestRun,
        catchUp,
        drain: () => engine.drain((to) => clock.set(to)),
      },
    );
    installContext(service);
  });
  afterAll(async () => {
    await service.engine.stop();
    await service.requests.flush();
    await sandbox?.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  return service;
}

export interface TestKey extends Key {
  secret: string;
}

/** A key for one test. */
export async function createKey(service: CoreContext, tier: Tier = "free"): Promise<TestKey> {
  const { record, secret } = await issueKey(service, { tier, label: "Test" });
  return { id: record.id, tier: record.tier, secret };
}
