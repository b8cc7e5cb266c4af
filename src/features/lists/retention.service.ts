import { sql } from "drizzle-orm";
import { type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { creatorNotes, listCreators, trackedCreators } from "@/db/schema";

/**
 * Deletes the list entries and notes of creators that their key has not tracked for as long as snapshots are kept.
 * Until then they are hidden, and back as soon as the key tracks the creator again. The days count from the first purge
 * that finds the creator untracked. If the channel itself is deleted earlier, they go with it.
 */
export async function purgeListsAndNotes({ db, clock }: CoreContext, oldest: Day): Promise<void> {
  const today = toUtcDay(clock.now());
  for (const table of [listCreators, creatorNotes]) {
    const isTracked = sql`exists (
      select from ${trackedCreators}
      where ${trackedCreators.keyId} = ${table.keyId} and ${trackedCreators.channelId} = ${table.channelId})`;
    await db
      .update(table)
      .set({ untrackedOn: sql`case when ${table.untrackedOn} is null then ${today}::date end` })
      .where(sql`(${table.untrackedOn} is not null) = ${isTracked}`);
    await db.delete(table).where(sql`${table.untrackedOn} < ${oldest}::date`);
  }
}
