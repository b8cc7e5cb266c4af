import path from "node:path";
import type { Ledger } from "@/core/db/ledger";
import type { Env } from "@/core/env";
import { OperatorError } from "@/core/errors";
import type { SessionSealer } from "@/core/http/session";
import type { ServedJobs } from "@/core/jobs/protocol";
import type { Metrics } from "@/core/log/metrics";
import type { Quota } from "@/core/quota/quota";
import type { DiscoveryContext } from "@/features/discovery/service";
import type { RequestLog } from "@/features/keys/requests.service";
import type { DeliveryContext } from "@/features/notifications/deliveries.service";
import type { PlatformContext } from "@/platform/port";
import type { Site } from "./snippets";

/** What verbs and jobs of this process work with. */
export interface ServiceContext extends PlatformContext, DeliveryContext {
  platform: PlatformContext["platform"];
  /** What was spent of the platform's allowance; null where it has none. */
  ledger: Ledger | null;
  sessions: SessionSealer;
  env: Env;
}

/** Everything the doors of the web server use. */
export interface AppContext extends ServiceContext, DiscoveryContext {
  platform: PlatformContext["platform"];
  quota: Quota;
  jobs: ServedJobs;
  requests: RequestLog;
  metrics: Metrics;
  /** Request ids of pages that failed because the database is away. */
  unavailablePages: Set<string>;
  /** Milliseconds after which a request is answered 503 without its result. */
  requestTimeout: number;
  /** Stops the jobs, and once all requests are answered writes what is in memory and closes the database. */
  stop(answered: Promise<unknown>): Promise<void>;
}

/**
 * Whether figures across channels of different owners may be made and shown: percentiles and the public record of
 * accuracy. With YouTube only under an accepted amendment of its terms.
 */
export function mayCompareChannels({ platform, env }: Pick<ServiceContext, "platform" | "env">): boolean {
  return platform.name !== "youtube" || env.amendment !== null;
}

/** What documents must know of this service. */
export function siteOf({ env, platform }: Pick<ServiceContext, "env" | "platform">): Site {
  return { appUrl: env.appUrl, sample: platform.name === "sample" };
}

/** Where the embedded mailer puts its mails. */
export function outboxFolder(env: Env): string {
  return path.join(env.dataDir, "outbox");
}

// Next gives each bundle its own copy of this module, so what they share hangs on the process.
const SLOT = Symbol.for("creator-growth.context");
const shared = globalThis as { [SLOT]?: AppContext };

/** Makes a context the one that requests of this process are served with. */
export function installContext(context: AppContext): void {
  shared[SLOT] = context;
}

/** The context of this process. */
export function appContext(): AppContext {
  const context = shared[SLOT];
  if (!context) throw new OperatorError("A request came before the service was started");
  return context;
}
