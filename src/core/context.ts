import type { Database } from "@/core/db/client";
import type { Log } from "@/core/log";
import type { Clock } from "@/core/time";

/** What every service verb may use. Made once at start, or by a test, and passed down. */
export interface CoreContext {
  db: Database;
  clock: Clock;
  log: Log;
}
