import { and, asc, eq, gte, inArray, or } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { snapshots } from "@/core/db/schema";
import { addDays, type Day } from "@/core/time";
import type { KeyId } from "@/features/keys/schema";
import type { HistoryReading, TrackedCreator } from "./schema";
import { findTracked } from "./service";

const TREND_DAYS = 30;

/**
 * The daily readings of a tracked creator since the day the key began tracking it, oldest first.
 * @throws AppError `not_found` when the key does not track it
 */
export async function creatorHistory(
  { db }: CoreContext,
  keyId: KeyId,
  channelId: string,
): Promise<HistoryReading[]> {
  const tracked = await findTracked(db, keyId, channelId);
  const since = tracked.tracked_since.slice(0, 10);
  return db
    .select({
      day: snapshots.day,
      subscribers: snapshots.subscribers,
      views: snapshots.views,
      videos: snapshots.videos,
    })
    .from(snapshots)
    .where(
      and(
        eq(snapshots.channelId, channelId),
        gte(snapshots.day, since),
        // Any other reading was taken because another key began to track.
        or(eq(snapshots.source, "daily"), eq(snapshots.day, since)),
      ),
    )
    .orderBy(asc(snapshots.day));
}

/** The readings of each creator on the 30 days up to today, from the day the key began tracking it. */
export async function trendsOf(
  db: Database,
  creators: TrackedCreator[],
  today: Day,
): Promise<(number | null)[][]> {
  const first = addDays(today, 1 - TREND_DAYS);
  const ids = creators.map(({ channel_id }) => channel_id);
  const rows = await db
    .select({
      channelId: snapshots.channelId,
      day: snapshots.day,
      source: snapshots.source,
      subscribers: snapshots.subscribers,
    })
    .from(snapshots)
    .where(and(inArray(snapshots.channelId, ids), gte(snapshots.day, first)));
  const readings = new Map(rows.map((row) => [`${row.channelId} ${row.day}`, row]));
  const days = Array.from({ length: TREND_DAYS }, (_, place) => addDays(first, place));
  return creators.map(({ channel_id, tracked_since }) => {
    const since = tracked_since.slice(0, 10);
    return days.map((day) => {
      const reading = readings.get(`${channel_id} ${day}`);
      // As in the history: no reading of before, and none that another key had taken.
      const isOwn = day === since || (day > since && reading?.source === "daily");
      return isOwn ? (reading?.subscribers ?? null) : null;
    });
  });
}
