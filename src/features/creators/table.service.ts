import { and, asc, count, desc, eq, gt, gte, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import { buildPagination, type PageQuery, type Pagination } from "@/core/http/page";
import { type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { alerts, channels, listCreators, snapshots, trackedCreators } from "@/db/schema";
import { currentGrowthSql, loadGrowth } from "@/features/growth/details.service";
import { computeGrowthPercent } from "@/features/growth/rules";
import { type AlertLevel, classifyLevel } from "@/features/growth/score.rules";
import { RISING_PERCENTILE } from "@/features/growth/wording.rules";
import type { KeyId } from "@/features/keys/schema";
import { listTrends } from "./history.service";
import { OWN_SNAPSHOT_SQL, selectTracked, toTracked } from "./rows.service";
import type { TrackedCreator } from "./schema";
import type { LastAlert, TrackedQuery, TrackedRow } from "./table.schema";

const getSortColumnsSql = (today: Day) => ({
  name: sql`lower(${channels.name})`,
  subscribers: sql`case when ${snapshots.readAt} is null then ${channels.subscribers} else ${snapshots.subscribers} end`,
  growth_1d: currentGrowthSql(channels.growth1dPercent, today),
  growth_7d: currentGrowthSql(channels.growth7dPercent, today),
  score: channels.score,
  tracked_since: trackedCreators.trackedSince,
});

/** A page of the key's tracked creators for the console's table. */
export async function getTrackedTable(
  ctx: CoreContext,
  keyId: KeyId,
  { sort, descending, offset, limit, ...filter }: TrackedQuery,
): Promise<{ pagination: Pagination; creators: TrackedRow[] }> {
  const order = { sort, descending };
  const { pagination, creators } = await selectTrackedPage(ctx, keyId, { filter, order, page: { offset, limit } });
  return { pagination, creators: await addDetails(ctx, keyId, creators) };
}

/** Filters of tracked creators; all must match. */
interface TrackedFilter extends Partial<Pick<TrackedQuery, "search" | "level" | "rising_for_size" | "list">> {
  status?: TrackedCreator["status"] | undefined;
  /** Only those whose channel id follows. */
  after?: string | undefined;
}

interface TrackedSelection {
  filter: TrackedFilter;
  order: Pick<TrackedQuery, "sort" | "descending"> | "channel_id";
  page: PageQuery;
}

/** A page of the key's tracked creators in an order. Unknown values come last. */
export async function selectTrackedPage(
  ctx: CoreContext,
  keyId: KeyId,
  { filter, order: by, page }: TrackedSelection,
): Promise<{ pagination: Pagination; creators: TrackedCreator[] }> {
  const { db, clock } = ctx;
  const wanted = matchesTrackedSql(keyId, filter);
  const [counted] = await db
    .select({ total: count() })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .where(wanted);
  const today = toUtcDay(clock.now());
  const order = by === "channel_id" ? [asc(trackedCreators.channelId)] : getOrderSql(by, today);
  // Ids first: loading a row costs more than sorting it.
  const all = db
    .select({ id: trackedCreators.channelId })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .$dynamic();
  const sorted = by !== "channel_id" && by.sort === "subscribers" ? all.leftJoin(OWN_SNAPSHOT_SQL, sql`true`) : all;
  const ids = sorted
    .where(wanted)
    .orderBy(...order)
    .offset(page.offset)
    .limit(page.limit);
  const rows = await selectTracked(ctx)
    .where(and(eq(trackedCreators.keyId, keyId), inArray(trackedCreators.channelId, ids)))
    .orderBy(...order);
  return {
    pagination: buildPagination(page, counted?.total ?? 0),
    creators: rows.map((row) => toTracked(row, today)),
  };
}

function getOrderSql({ sort, descending }: Pick<TrackedQuery, "sort" | "descending">, today: Day): SQL[] {
  const direction = descending ? sql`desc` : sql`asc`;
  return [sql`${getSortColumnsSql(today)[sort]} ${direction} nulls last`, asc(channels.name), asc(channels.id)];
}

function matchesTrackedSql(
  keyId: KeyId,
  { search = "", level = null, rising_for_size, list = null, status, after }: TrackedFilter,
): SQL | undefined {
  return and(
    eq(trackedCreators.keyId, keyId),
    search === "" ? undefined : matchesTextSql(search),
    level === null ? undefined : inArray(sql`coalesce(${channels.score}, 0)`, listScores(level)),
    rising_for_size ? gte(channels.percentile, RISING_PERCENTILE) : undefined,
    list === null ? undefined : isInListSql(keyId, list),
    status && eq(channels.status, status),
    after === undefined ? undefined : gt(trackedCreators.channelId, after),
  );
}

/** Adds what the table shows of each creator: trend, growth, the parts of the score and the key's latest alert. */
async function addDetails(ctx: CoreContext, keyId: KeyId, creators: TrackedCreator[]): Promise<TrackedRow[]> {
  const ids = creators.map(({ channel_id }) => channel_id);
  const [growth, trends, last] = await Promise.all([
    loadGrowth(ctx, ids),
    listTrends(ctx, creators),
    listLastAlerts(ctx, keyId, ids),
  ]);
  return creators.map((creator, index) => ({
    ...creator,
    ...growth(creator.channel_id),
    trend: trends[index] ?? [],
    last_alert: last.get(creator.channel_id) ?? null,
  }));
}

/** The key's latest alert of each creator, by channel id. */
async function listLastAlerts(
  { db }: CoreContext,
  keyId: KeyId,
  channelIds: readonly string[],
): Promise<Map<string, LastAlert>> {
  const rows = await db
    .selectDistinctOn([alerts.channelId])
    .from(alerts)
    .where(and(eq(alerts.keyId, keyId), inArray(alerts.channelId, [...channelIds])))
    .orderBy(alerts.channelId, desc(alerts.day));
  return new Map(
    rows.map(({ channelId, day, severity, label, subscribersBefore: before, subscribersAfter: after }) => [
      channelId,
      { day, severity, label, percent: computeGrowthPercent(before, after) ?? 0 },
    ]),
  );
}

function isInListSql(keyId: KeyId, list: string): SQL {
  return sql`exists (
    select from ${listCreators}
    where ${listCreators.keyId} = ${keyId} and ${listCreators.listId} = ${list}
      and ${listCreators.channelId} = ${trackedCreators.channelId})`;
}

function matchesTextSql(text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(ilike(channels.name, pattern), ilike(channels.handle, pattern));
}

function listScores(level: AlertLevel): number[] {
  return Array.from({ length: 101 }, (_, score) => score).filter((score) => classifyLevel(score) === level);
}
