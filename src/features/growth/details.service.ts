import { and, between, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { channels, snapshots } from "@/core/db/schema";
import { addDays, type Day, startOfDay, utcDay } from "@/core/time";
import { type GrowthWindow, growthWindows, isCurrent } from "./rules";
import { ScoreParts } from "./schema";
import { HISTORY_DAYS, type ScoreParts as Parts } from "./score.rules";

/** Growth of a channel over 1, 7 and 28 days; all null where its latest snapshot is not current. */
export async function measuredGrowth(
  { db, clock }: Pick<CoreContext, "db" | "clock">,
  channelId: string,
): Promise<GrowthWindow[]> {
  const [channel] = await db
    .select({ at: channels.lastSnapshotAt, status: channels.status })
    .from(channels)
    .where(eq(channels.id, channelId));
  const day = channel?.at && utcDay(channel.at);
  if (!day || !isCurrent(day, channel.status, utcDay(clock.now()))) return growthWindows([]);
  const readings = await db
    .select({ day: snapshots.day, readAt: snapshots.readAt, subscribers: snapshots.subscribers })
    .from(snapshots)
    .where(and(eq(snapshots.channelId, channelId), between(snapshots.day, addDays(day, -HISTORY_DAYS), day)));
  return growthWindows(readings);
}

/** A growth column of channels as an expression that is null where growth is not current, for sorting and filters. */
export function currentGrowth(
  column: typeof channels.growth1dPercent | typeof channels.growth7dPercent,
  today: Day,
): SQL {
  const since = (day: Day) =>
    sql`${channels.lastSnapshotAt} >= ${startOfDay(day).toISOString()}::timestamptz`;
  return sql`case when ${since(today)} or (${channels.status} = 'active' and ${since(addDays(today, -1))}) then ${column} end`;
}

/** The UTC day that the growth of each channel is measured up to: that of its latest snapshot. */
export async function growthDaysOf(
  { db }: Pick<CoreContext, "db">,
  channelIds: readonly string[],
): Promise<Map<string, Day>> {
  const rows = await db
    .select({ id: channels.id, at: channels.lastSnapshotAt })
    .from(channels)
    .where(inArray(channels.id, [...channelIds]));
  return new Map(rows.flatMap(({ id, at }) => (at ? [[id, utcDay(at)] as const] : [])));
}

/** The parts of the current scores of channels. A score without measured growth has no parts. */
export async function scorePartsOf(
  { db }: Pick<CoreContext, "db">,
  channelIds: readonly string[],
): Promise<Map<string, Parts>> {
  if (channelIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([snapshots.channelId], { channelId: snapshots.channelId, parts: snapshots.scoreParts })
    .from(snapshots)
    .innerJoin(
      channels,
      and(
        eq(channels.id, snapshots.channelId),
        eq(channels.scoreBasis, "history"),
        // The latest snapshot may belong to another score than the one shown.
        eq(channels.score, snapshots.score),
        eq(channels.scoreVersion, snapshots.scoreVersion),
        eq(channels.lastSnapshotAt, snapshots.readAt),
      ),
    )
    .where(inArray(snapshots.channelId, [...channelIds]))
    .orderBy(snapshots.channelId, desc(snapshots.day));
  return new Map(
    rows.flatMap(({ channelId, parts }) => {
      const known = ScoreParts.safeParse(parts);
      return known.success ? [[channelId, known.data] as const] : [];
    }),
  );
}
