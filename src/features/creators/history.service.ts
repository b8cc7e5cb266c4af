import { and, asc, eq, gte, inArray, lte, or } from "drizzle-orm";
import { CSV_ROWS, createCsvReply } from "@/core/http/csv";
import type { Reply } from "@/core/http/reply";
import { addDays, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { snapshots } from "@/db/schema";
import { TREND_DAYS } from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import { findTracked } from "./rows.service";
import { HISTORY_CSV, type HistoryQuery, type HistorySnapshot, type TrackedCreator } from "./schema";

/**
 * The snapshots of a tracked creator from the day the key began tracking it, oldest first.
 * @throws AppError `not_found` when the key does not track it
 */
export async function listHistory(
  ctx: CoreContext,
  keyId: KeyId,
  channelId: string,
  { from, to }: Pick<HistoryQuery, "from" | "to"> = {},
): Promise<HistorySnapshot[]> {
  const tracked = await findTracked(ctx, keyId, channelId);
  const since = tracked.tracked_since.slice(0, 10);
  return ctx.db
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
        gte(snapshots.day, from !== undefined && from > since ? from : since),
        to === undefined ? undefined : lte(snapshots.day, to),
        // Other snapshots were taken because another key began tracking.
        or(eq(snapshots.source, "daily"), eq(snapshots.day, since)),
      ),
    )
    .orderBy(asc(snapshots.day));
}

/** The history of a tracked creator by the query of the API: as JSON or as CSV. */
export async function queryHistory(
  ctx: CoreContext,
  keyId: KeyId,
  channelId: string,
  { format, ...days }: HistoryQuery,
): Promise<{ channel_id: string; history: HistorySnapshot[] } | Reply> {
  const history = await listHistory(ctx, keyId, channelId, days);
  if (format === "json") return { channel_id: channelId, history };
  const rows = history.slice(0, CSV_ROWS);
  return createCsvReply(rows, HISTORY_CSV, { total: history.length, name: channelId });
}

/** The subscribers of each creator on the 30 days up to today, from the same snapshots as its history. */
export async function listTrends({ db, clock }: CoreContext, creators: TrackedCreator[]): Promise<(number | null)[][]> {
  const first = addDays(toUtcDay(clock.now()), 1 - TREND_DAYS);
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
  const byDay = new Map(rows.map((row) => [`${row.channelId} ${row.day}`, row]));
  const days = Array.from({ length: TREND_DAYS }, (_, index) => addDays(first, index));
  return creators.map(({ channel_id, tracked_since }) => {
    const since = tracked_since.slice(0, 10);
    return days.map((day) => {
      const snapshot = byDay.get(`${channel_id} ${day}`);
      const isOwn = day === since || (day > since && snapshot?.source === "daily");
      return isOwn ? (snapshot?.subscribers ?? null) : null;
    });
  });
}
