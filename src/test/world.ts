import { sql } from "drizzle-orm";
import type { Clock, Day } from "@/core/time";
import type { Database } from "@/db/client";
import { createChannelId, createFakePlatform, type FakePlatform } from "./platform";

/** A channel on the platform: a count, a hidden count, or none. */
export type Shown = number | "hidden" | "gone";

/** A fake platform on which every niche has the same few channels. */
export function createSmallPlatform(clock: Clock, channels: number): FakePlatform {
  const ids = Array.from({ length: channels }, (_, number) => createChannelId(number));
  return Object.assign(createFakePlatform(clock), { search: async () => ids });
}

/** Sets what the platform shows of each channel from a day on. */
export function showAll(platform: FakePlatform, day: Day, shown: readonly Shown[]): void {
  for (const [number, what] of shown.entries()) {
    if (what === "gone") platform.hide(createChannelId(number), day);
    else platform.show(createChannelId(number), day, what === "hidden" ? null : what);
  }
}

/** Empties the database for the next world. */
export async function forgetAll(db: Database): Promise<void> {
  const tables = `api_keys snapshots niches channels snapshot_runs daily_allowances score_grades
    chance_corrections mail_events failed_sign_ins`;
  const deletes = tables.split(/\s+/).map((table) => `delete from ${table};`);
  // The request log is written after responses. Flush it first, or it may deadlock with the deletion.
  await db.execute(sql.raw(`do $$ begin lock request_log in exclusive mode; ${deletes.join(" ")} end $$`));
}
