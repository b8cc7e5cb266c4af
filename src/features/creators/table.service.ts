import { and, asc, count, eq, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { channels, trackedCreators } from "@/core/db/schema";
import { type Pagination, pagination } from "@/core/http/page";
import { utcDay } from "@/core/time";
import { type AlertLevel, alertLevel } from "@/features/growth/score.rules";
import type { KeyId } from "@/features/keys/schema";
import { trendsOf } from "./history.service";
import { asTracked, selectTracked } from "./service";
import type { TrackedQuery, TrackedRow } from "./table.schema";

const SORT_COLUMNS = {
  name: sql`lower(${channels.name})`,
  subscribers: channels.subscribers,
  growth_1d: channels.growth1dPercent,
  growth_7d: channels.growth7dPercent,
  score: channels.score,
  tracked_since: trackedCreators.trackedSince,
};

/** A page of the key's tracked creators as its table shows them, each with its last 30 days. Unknowns come last. */
export async function listTrackedWithTrend(
  { db, clock }: CoreContext,
  keyId: KeyId,
  { sort, descending, search, level, ...page }: TrackedQuery,
): Promise<{ pagination: Pagination; creators: TrackedRow[] }> {
  const wanted = and(
    eq(trackedCreators.keyId, keyId),
    search === "" ? undefined : contains(search),
    level === null ? undefined : inArray(channels.score, scoresOf(level)),
  );
  const [counted] = await db
    .select({ total: count() })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .where(wanted);
  const direction = descending ? sql`desc` : sql`asc`;
  const rows = await selectTracked(db)
    .where(wanted)
    .orderBy(sql`${SORT_COLUMNS[sort]} ${direction} nulls last`, asc(channels.name), asc(channels.id))
    .offset(page.offset)
    .limit(page.limit);
  const creators = rows.map(asTracked);
  const trends = await trendsOf(db, creators, utcDay(clock.now()));
  return {
    pagination: pagination(page, counted?.total ?? 0),
    creators: creators.map((creator, place) => ({ ...creator, trend: trends[place] ?? [] })),
  };
}

/** The text anywhere in a name or handle; its `%` and `_` mean themselves. */
function contains(text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(ilike(channels.name, pattern), ilike(channels.handle, pattern));
}

function scoresOf(level: AlertLevel): number[] {
  return Array.from({ length: 101 }, (_, score) => score).filter((score) => alertLevel(score) === level);
}
