import { connect } from "@/core/db/client";
import type { Env } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { createLog } from "@/core/log";
import { createPostgresQuota, type Quota } from "@/core/quota";
import { systemClock } from "@/core/time";
import type { PlatformContext } from "@/platform/port";
import { createSamplePlatform } from "@/platform/sample";

/** Everything the doors hand to the service verbs. */
export interface AppContext extends PlatformContext {
  env: Env;
  quota: Quota;
}

/** The parts that the environment asks for, put together. Called once per process, at start. */
export function createContext(env: Env): AppContext {
  const clock = systemClock;
  if (!env.database.url)
    throw new OperatorError("Start the service with `npm run dev` or `npm start`, or set DATABASE_URL");
  const { db } = connect(env.database.url);
  return {
    env,
    clock,
    db,
    log: createLog({ level: env.logLevel }),
    platform: createSamplePlatform(clock),
    quota: createPostgresQuota(db, clock),
  };
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
