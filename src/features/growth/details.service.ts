import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { channels, snapshots } from "@/core/db/schema";
import { type GrowthWindow, growthWindows } from "./rules";
import { ScoreParts } from "./schema";
import { HISTORY_DAYS, type ScoreParts as Parts } from "./score.rules";

/** Growth of a channel over 1, 7 and 28 days up to its latest snapshot. */
export async function measuredGrowth(
  { db }: Pick<CoreContext, "db">,
  channelId: string,
): Promise<GrowthWindow[]> {
  const latest = db
    .select({ day: snapshots.day })
    .from(snapshots)
    .where(eq(snapshots.channelId, channelId))
    .orderBy(desc(snapshots.day))
    .limit(1);
  const readings = await db
    .select({ day: snapshots.day, readAt: snapshots.readAt, subscribers: snapshots.subscribers })
    .from(snapshots)
    .where(
      and(eq(snapshots.channelId, channelId), gte(snapshots.day, sql`(${latest}) - ${HISTORY_DAYS}::int`)),
    );
  return growthWindows(readings);
}

/** What the present scores of channels are made of. A score that rests on no measured growth has no parts. */
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
        // The latest snapshot may tell of another score than the one that is shown.
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
