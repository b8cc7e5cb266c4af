import type { Log } from "@/core/log/log";
import type { Clock } from "@/core/time";
import type { Database } from "./client";

/** What every service function needs. Created once at start or by a test. */
export interface CoreContext {
  db: Database;
  clock: Clock;
  log: Log;
}

/** Runs work in one transaction, which its context has as the database. */
export function inTransaction<Context extends CoreContext, Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx }));
}
