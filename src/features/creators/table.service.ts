import { and, asc, count, eq, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { channels, listCreators, snapshots, trackedCreators } from "@/core/db/schema";
import { type Pagination, pagination } from "@/core/http/page";
import { type Day, utcDay } from "@/core/time";
import { currentGrowth } from "@/features/growth/details.service";
import { type AlertLevel, alertLevel } from "@/features/growth/score.rules";
import type { KeyId } from "@/features/keys/schema";
import { trendsOf } from "./history.service";
import { asTracked, growthDay, selectTracked } from "./rows.service";
import type { TrackedQuery, TrackedRow } from "./table.schema";

const sortColumns = (today: Day) => ({
  name: sql`lower(${channels.name})`,
  subscribers: sql`case when ${snapshots.readAt} is null then ${channels.subscribers} else ${snapshots.subscribers} end`,
  growth_1d: currentGrowth(channels.growth1dPercent, today),
  growth_7d: currentGrowth(channels.growth7dPercent, today),
  score: channels.score,
  tracked_since: trackedCreators.trackedSince,
});

/** A page of the key's tracked creators for the console's table, with the trend of 30 days. Unknown values come last. */
export async function listTrackedWithTrend(
  { db, clock }: CoreContext,
  keyId: KeyId,
  { sort, descending, search, level, list, ...page }: TrackedQuery,
): Promise<{ pagination: Pagination; creators: TrackedRow[] }> {
  const wanted = and(
    eq(trackedCreators.keyId, keyId),
    search === "" ? undefined : contains(search),
    level === null ? undefined : inArray(sql`coalesce(${channels.score}, 0)`, scoresOf(level)),
    list === null ? undefined : isInList(keyId, list),
  );
  const [counted] = await db
    .select({ total: count() })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .where(wanted);
  const today = utcDay(clock.now());
  const direction = descending ? sql`desc` : sql`asc`;
  const rows = await selectTracked(db)
    .where(wanted)
    .orderBy(sql`${sortColumns(today)[sort]} ${direction} nulls last`, asc(channels.name), asc(channels.id))
    .offset(page.offset)
    .limit(page.limit);
  const creators = rows.map((row) => ({ ...asTracked(row, today), growth_day: growthDay(row) }));
  const trends = await trendsOf(db, creators, today);
  return {
    pagination: pagination(page, counted?.total ?? 0),
    creators: creators.map((creator, place) => ({ ...creator, trend: trends[place] ?? [] })),
  };
}

function isInList(keyId: KeyId, list: string): SQL {
  return sql`exists (
    select from ${listCreators}
    where ${listCreators.keyId} = ${keyId} and ${listCreators.listId} = ${list}
      and ${listCreators.channelId} = ${trackedCreators.channelId})`;
}

function contains(text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(ilike(channels.name, pattern), ilike(channels.handle, pattern));
}

function scoresOf(level: AlertLevel): number[] {
  return Array.from({ length: 101 }, (_, score) => score).filter((score) => alertLevel(score) === level);
}
