import type { Log } from "@/core/log/log";
import type { Clock } from "@/core/time";
import type { Database } from "./client";

/** What every service function needs. Created once at start or by a test. */
export interface CoreContext {
  db: Database;
  clock: Clock;
  log: Log;
}
