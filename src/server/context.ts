import path from "node:path";
import type { Env } from "@/core/env";
import { OperatorError } from "@/core/errors";
import type { Limits } from "@/core/http/limits";
import type { Metrics } from "@/core/log/metrics";
import type { Database } from "@/db/client";
import type { DiscoveryContext } from "@/features/discovery/entries.service";
import type { DeliveryContext } from "@/features/notifications/destinations/port.service";
import type { SessionSealer } from "@/features/sessions/seal.rules";
import type { HeartbeatContext } from "@/features/snapshots/monitor.service";
import type { Quota } from "@/features/usage/quota.service";
import type { RequestLog } from "@/features/usage/request-log.service";
import type { Ledger } from "@/features/usage/units.service";
import type { ServedJobs } from "@/jobs/protocol";
import type { PlatformContext } from "@/platform/port";

export interface ServiceContext extends PlatformContext, DeliveryContext, HeartbeatContext {
  platform: PlatformContext["platform"];
  /** Calls spent of the platform's daily allowance; null when it has none. */
  ledger: Ledger | null;
  sessions: SessionSealer;
  env: Env;
}

export interface AppContext extends ServiceContext, DiscoveryContext {
  quota: Quota;
  jobs: ServedJobs;
  requests: RequestLog;
  metrics: Metrics;
  limits: Limits;
  /** Statements and transactions that the database has not answered yet. */
  countPending(): number;
  /** Connections of the public sandbox; null where it is off. */
  sandbox: Database | null;
  /** Request ids of pages that failed because the database is away. */
  unavailablePages: Set<string>;
  /** Request ids of forms that were read and are being worked on. */
  readForms: Set<string>;
  /** Milliseconds after which a request is answered 503 without its result. */
  requestTimeout: number;
  /** Stops the jobs. Once all requests are answered, writes what is in memory and closes the database. */
  stop(answered: Promise<unknown>): Promise<void>;
}

/** Whether figures across channels of different owners may be shown. Those of a real platform only under an accepted amendment. */
export function canCompareChannels({ platform, env }: Pick<ServiceContext, "platform" | "env">): boolean {
  return platform.name === "sample" || platform.name === "history" || env.amendment !== null;
}

export interface Site {
  appUrl: string;
  /** Whether it has sample data, which includes the creator of the examples. */
  sample: boolean;
  /** Whether the public key of the sandbox works. */
  hasSandbox: boolean;
  /** How to reach the operator. */
  contact?: string;
}

export function getSite({ env, platform }: Pick<ServiceContext, "env" | "platform">): Site {
  return {
    appUrl: env.appUrl,
    sample: platform.name === "sample",
    contact: env.operatorContact,
    hasSandbox: env.hasSandbox,
  };
}

/** The file with the day of the demo, around which sample creators jump. It stays, so that their history does too. */
export function getDemoDayFile(env: Env): string {
  return path.join(env.dataDir, "demo-day");
}

export function getOutboxFolder(env: Env): string {
  return path.join(env.dataDir, "outbox");
}

// Next gives each bundle its own copy of this module, so the context is kept on the process.
const SLOT = Symbol.for("creator-growth.context");
const shared = globalThis as { [SLOT]?: AppContext | (() => AppContext) };

const LAUNCHED = Symbol.for("creator-growth.launched");
const launched = globalThis as { [LAUNCHED]?: true };

/** Says that the launcher starts the service of this process. */
export function announceLaunch(): void {
  launched[LAUNCHED] = true;
}

/** False on a serverless host, where Next starts the service. */
export function isLaunched(): boolean {
  return launched[LAUNCHED] === true;
}

/** @param context or what makes it when it is first needed */
export function installContext(context: AppContext | (() => AppContext)): void {
  shared[SLOT] = context;
}

export function getAppContext(): AppContext {
  const context = shared[SLOT];
  if (!context) throw new OperatorError("The service is not started yet");
  if (typeof context !== "function") return context;
  const made = context();
  installContext(made);
  return made;
}
