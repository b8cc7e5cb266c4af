import { and, asc, count, desc, eq, gt, gte, ilike, inArray, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";
import { buildPagination, type PageQuery } from "@/core/http/page";
import { type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import {
  alerts,
  changes,
  channels,
  listCreators,
  nicheChannels,
  niches,
  snapshots,
  trackedCreators,
} from "@/db/schema";
import { currentGrowthSql, loadGrowth } from "@/features/growth/details.service";
import { computeGrowthPercent, SIZE_BANDS } from "@/features/growth/rules";
import { type AlertLevel, classifyLevel } from "@/features/growth/score.rules";
import { RISING_PERCENTILE } from "@/features/growth/wording.rules";
import type { KeyId } from "@/features/keys/schema";
import { listTrends } from "./history.service";
import type { TableFilter, TableTabs, TrackedQuery } from "./query.schema";
import { isTrackedSql, listTrackedWhere, OWN_SNAPSHOT_SQL } from "./rows.service";
import type { TrackedCreator } from "./schema";

/** Creators whose growth is not measured yet; the same rule as `isWaiting`. */
const IS_WAITING_SQL = sql`(${channels.scoreBasis} = 'profile' and ${channels.status} = 'active'
  and (${channels.readAt} is null or ${channels.subscribers} is not null))`;

const getSortColumnsSql = (today: Day) => ({
  name: sql`lower(${channels.name})`,
  subscribers: sql`case when ${snapshots.readAt} is null then ${channels.subscribers} else ${snapshots.subscribers} end`,
  growth_1d: currentGrowthSql(channels.growth1dPercent, today),
  growth_7d: currentGrowthSql(channels.growth7dPercent, today),
  growth_28d: currentGrowthSql(channels.growth28dPercent, today),
  expected: sql`(${channels.expected7d}->>'low')::float8`,
  score: channels.score,
  tracked_since: trackedCreators.trackedSince,
});

export type TrackedTable = Awaited<ReturnType<typeof getTrackedTable>>;
export type TrackedRow = TrackedTable["creators"][number];

/** A page of the key's tracked creators for the console's table. Unmeasured ones come last. */
export async function getTrackedTable(ctx: CoreContext, keyId: KeyId, query: TrackedQuery) {
  const { sort, descending, offset, limit, ...filter } = query;
  const order = { sort, descending, isWaitingLast: true };
  const [{ pagination, creators }, [counted]] = await Promise.all([
    selectTrackedPage(ctx, keyId, { filter, order, page: { offset, limit } }),
    ctx.db
      .select({ waiting: count() })
      .from(trackedCreators)
      .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
      .where(and(matchesTrackedSql(keyId, filter), IS_WAITING_SQL)),
  ]);
  // Those without measured growth come last.
  return { pagination, waiting: counted?.waiting ?? 0, creators: await addDetails(ctx, keyId, creators) };
}

/** Filters of tracked creators; all must match. */
interface TrackedFilter extends Partial<Omit<TrackedQuery, "sort" | "descending" | "offset" | "limit">> {
  status?: TrackedCreator["status"] | undefined;
  /** Only those whose channel id follows. */
  after?: string | undefined;
}

interface TrackedSelection {
  filter: TrackedFilter;
  /** With `isWaitingLast`, unmeasured creators follow the measured ones, the largest first if by score. */
  order: (Pick<TrackedQuery, "sort" | "descending"> & { isWaitingLast?: boolean }) | "channel_id";
  page: PageQuery;
}

/** A page of the key's tracked creators in an order. Unknown values come last. */
export async function selectTrackedPage(ctx: CoreContext, keyId: KeyId, { filter, order: by, page }: TrackedSelection) {
  const { db, clock } = ctx;
  const wanted = matchesTrackedSql(keyId, filter);
  const [counted] = await db
    .select({ total: count() })
    .from(trackedCreators)
    .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
    .where(wanted);
  const order = getOrderSql(by, toUtcDay(clock.now()));
  // Ids first: loading a row costs more than sorting it.
  const ids = sql`(select ${trackedCreators.channelId} from ${joinSortedSql(by)} where ${wanted}
    order by ${sql.join(order, sql`, `)} offset ${page.offset} limit ${page.limit})`;
  const creators = await listTrackedWhere(ctx, isTrackedSql(keyId, ids), order);
  return { pagination: buildPagination(page, counted?.total ?? 0), creators };
}

type Neighbor = Pick<TrackedCreator, "channel_id" | "name"> | null;
export type Neighbors = { position: number; total: number; previous: Neighbor; next: Neighbor };

/** A creator's position in the table, from 1, and those before and after it; null when the query leaves it out. */
export async function findNeighbors(ctx: CoreContext, keyId: KeyId, channelId: string, query: TableFilter) {
  const { sort, descending, ...filter } = query;
  const by = { sort, descending, isWaitingLast: true };
  const order = sql.join(getOrderSql(by, toUtcDay(ctx.clock.now())), sql`, `);
  const neighbor = sql`json_build_object('channel_id', ${channels.id}, 'name', ${channels.name})`;
  const [found] = await ctx.db.execute<Neighbors>(sql`
    select position, total, previous, next from (
      select ${channels.id}, (row_number() over sorted)::int as position, (count(*) over ())::int as total,
        lag(${neighbor}) over sorted as previous, lead(${neighbor}) over sorted as next
      from ${joinSortedSql(by)} where ${matchesTrackedSql(keyId, filter)}
      window sorted as (order by ${order})
    ) as ranked
    where id = ${channelId}`);
  return found ?? null;
}

function joinSortedSql(by: TrackedSelection["order"]): SQL {
  const own = by !== "channel_id" && by.sort === "subscribers" ? sql`left join ${OWN_SNAPSHOT_SQL} on true` : sql``;
  return sql`${trackedCreators} join ${channels} on ${channels.id} = ${trackedCreators.channelId} ${own}`;
}

function getOrderSql(by: TrackedSelection["order"], today: Day): SQL[] {
  if (by === "channel_id") return [asc(trackedCreators.channelId)];
  const { sort, descending, isWaitingLast } = by;
  const direction = descending ? sql`desc` : sql`asc`;
  const column = sql`${getSortColumnsSql(today)[sort]}`;
  const names = [asc(channels.name), asc(channels.id)];
  if (!isWaitingLast) return [sql`${column} ${direction} nulls last`, ...names];
  const sized =
    sort === "score" ? sql`case when ${IS_WAITING_SQL} then ${channels.subscribers} else ${column} end` : column;
  return [IS_WAITING_SQL, sql`${sized} ${direction} nulls last`, ...names];
}

function matchesTrackedSql(keyId: KeyId, filter: TrackedFilter): SQL | undefined {
  const { search, level, rising_for_size, country, niche, size = null, alert_day, changed_since, list } = filter;
  const { status, after } = filter;
  const isAmong = (ids: SQL) => inArray(trackedCreators.channelId, ids);
  const nextSize = SIZE_BANDS.find((min) => size !== null && min > size);
  return and(
    eq(trackedCreators.keyId, keyId),
    search ? matchesTextSql(search) : undefined,
    level ? inArray(sql`coalesce(${channels.score}, 0)`, listScores(level)) : undefined,
    rising_for_size ? gte(channels.percentile, RISING_PERCENTILE) : undefined,
    country ? eq(channels.country, country) : undefined,
    size === null ? undefined : gte(channels.subscribers, size),
    nextSize === undefined ? undefined : lt(channels.subscribers, nextSize),
    niche == null ? undefined : isAmong(selectFoundSql(niche)),
    alert_day ? isAmong(selectAlertedSql(keyId, alert_day)) : undefined,
    changed_since ? isAmong(selectChangedSql(keyId, changed_since)) : undefined,
    list ? isInListSql(keyId, list) : undefined,
    status && eq(channels.status, status),
    after === undefined ? undefined : gt(trackedCreators.channelId, after),
  );
}

const selectFoundSql = (niche: string) =>
  sql`(select ${nicheChannels.channelId} from ${nicheChannels} where ${nicheChannels.niche} = ${niche})`;

const selectAlertedSql = (keyId: KeyId, day: Day) =>
  sql`(select ${alerts.channelId} from ${alerts} where ${alerts.keyId} = ${keyId} and ${alerts.day} = ${day})`;

const selectChangedSql = (keyId: KeyId, since: string) => sql`(
  select ${changes.channelId} from ${changes} where ${changes.keyId} = ${keyId} and ${changes.at} > ${since}
    and ${changes.kind} in ('alert_created', 'available', 'unavailable', 'renamed'))`;

const isInListSql = (keyId: KeyId, list: string) => sql`exists (
  select from ${listCreators} where ${listCreators.keyId} = ${keyId} and ${listCreators.listId} = ${list}
    and ${listCreators.channelId} = ${trackedCreators.channelId})`;

/** How many of the key's creators have an alert of a day, or a change since a time. Zero without the day or time. */
export async function countTableTabs({ db }: CoreContext, keyId: KeyId, { alert_day, changed_since }: TableTabs) {
  const countIn = (ids: SQL) => db.$count(trackedCreators, isTrackedSql(keyId, ids));
  const [alerted, changed] = await Promise.all([
    alert_day === null ? 0 : countIn(selectAlertedSql(keyId, alert_day)),
    changed_since === null ? 0 : countIn(selectChangedSql(keyId, changed_since)),
  ]);
  return { alerts: alerted, changed };
}

/** The niches in which the key's creators were found, and their countries, the most frequent first. */
export async function getTableChoices({ db }: CoreContext, keyId: KeyId) {
  const isTracked = eq(trackedCreators.keyId, keyId);
  const creators = count();
  const [found, countries] = await Promise.all([
    db
      .select({ value: niches.niche, label: niches.spelling, creators })
      .from(trackedCreators)
      .innerJoin(nicheChannels, eq(nicheChannels.channelId, trackedCreators.channelId))
      .innerJoin(niches, eq(niches.niche, nicheChannels.niche))
      .where(isTracked)
      .groupBy(niches.niche)
      .orderBy(desc(creators), niches.niche),
    db
      .select({ value: sql<string>`${channels.country}`, creators })
      .from(trackedCreators)
      .innerJoin(channels, eq(channels.id, trackedCreators.channelId))
      .where(and(isTracked, isNotNull(channels.country)))
      .groupBy(channels.country)
      .orderBy(desc(creators), channels.country),
  ]);
  return { niches: found, countries };
}

/** Adds what the table shows of each creator: trend, growth, the parts of the score and the key's latest alert. */
async function addDetails(ctx: CoreContext, keyId: KeyId, creators: TrackedCreator[]) {
  const ids = creators.map(({ channel_id }) => channel_id);
  const [growth, trends, last] = await Promise.all([
    loadGrowth(ctx, ids),
    listTrends(ctx, keyId, ids),
    listLastAlerts(ctx, keyId, ids),
  ]);
  return creators.map((creator) => ({
    ...creator,
    ...growth(creator.channel_id),
    trend: trends(creator.channel_id),
    last_alert: last.get(creator.channel_id) ?? null,
  }));
}

/** The key's latest alert of each creator, by channel id. */
async function listLastAlerts({ db }: CoreContext, keyId: KeyId, ids: string[]) {
  const rows = await db
    .selectDistinctOn([alerts.channelId])
    .from(alerts)
    .where(and(eq(alerts.keyId, keyId), inArray(alerts.channelId, ids)))
    .orderBy(alerts.channelId, desc(alerts.day));
  return new Map(
    rows.map(({ channelId, day, severity, label, subscribersBefore: before, subscribersAfter: after }) => [
      channelId,
      { day, severity, label, percent: computeGrowthPercent(before, after) ?? 0 },
    ]),
  );
}

function matchesTextSql(text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(ilike(channels.name, pattern), ilike(channels.handle, pattern));
}

function listScores(level: AlertLevel): number[] {
  return Array.from({ length: 101 }, (_, score) => score).filter((score) => classifyLevel(score) === level);
}
