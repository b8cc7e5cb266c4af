import { and, count, eq, getTableColumns, gte, lte, type SQL, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { CSV_ROWS, createCsvReply, toPlainCell } from "@/core/http/csv";
import { buildPagination, type PageQuery } from "@/core/http/page";
import type { Reply } from "@/core/http/reply";
import type { CoreContext } from "@/db/context";
import { alerts } from "@/db/schema";
import { opaqueValueSql, prepareStatement, type Selected, selectColumnsSql } from "@/db/statement";
import { findChannelId } from "@/features/creators/rows.service";
import { toChannelUrl } from "@/features/creators/rules";
import { computeGrowthBounds, computeGrowthPercent } from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import { type StoredCause, toAlertCause } from "./cause.rules";
import { alertCauseSql } from "./cause.service";
import { ALERT_CSV, type AlertListPage, type AlertListQuery, toCsvCause } from "./query.schema";
import { isCertain, SEVERITY_SCALE, type Severity, selectShownOutcome } from "./rules";
import { ALERT_TYPE, type Alert, type AlertFilter } from "./schema";

const { keyId, readAt, fittedHeldChance, outcome7dAt, outcome28dAt, ...SHOWN } = getTableColumns(alerts);
/** The columns that {@link toAlert} reads. */
export const ALERT_COLUMNS = SHOWN;
/** A row of {@link ALERT_COLUMNS} and its cause. */
export type AlertRow = Selected<typeof ALERT_COLUMNS> & { cause: StoredCause | null };

/** What {@link toAlert} reads, as the columns of a `select` from alerts. */
export function selectAlertSql(): SQL {
  return sql`${selectColumnsSql(ALERT_COLUMNS)}, ${alertCauseSql} as cause`;
}
type FoundAlert = AlertRow & { total: number };

/** A page of the key's alerts, newest first. @param filter all alerts when left out */
export async function listAlerts({ db }: CoreContext, keyId: KeyId, page: PageQuery, filter: AlertSelection = {}) {
  const { offset, limit } = page;
  const isFiltered = Object.values(filter).some((value) => value !== null && value !== undefined);
  const rows = isFiltered
    ? await db.execute<FoundAlert>(selectPageSql(matchesAlertFilterSql(keyId, filter), offset, limit))
    : await selectNewestAlerts(db, { keyId, offset, limit });
  const total = rows[0]?.total ?? 0;
  // A page past the last has one row, with the total and no alert.
  return { pagination: buildPagination(page, total), alerts: offset < total ? rows.map(toAlert) : [] };
}

/** Finds the page in the index alone and then fetches its few rows, so that a late page costs little more. */
function selectPageSql(wanted: SQL | undefined, offset: number | SQL, limit: number | SQL): SQL {
  return sql`
    select counted.total, ${selectAlertSql()}
    from (select count(*)::int as total from alerts where ${wanted}) as counted
    left join (
      select id from alerts where ${wanted} order by created_at desc, id desc offset ${offset} limit ${limit}
    ) as found on true
    left join alerts on alerts.id = found.id
    order by created_at desc, alerts.id desc`;
}

const selectNewestAlerts = prepareStatement<FoundAlert, PageQuery & { keyId: KeyId }>(
  selectPageSql(
    eq(alerts.keyId, opaqueValueSql("keyId", "text")),
    opaqueValueSql("offset", "int"),
    opaqueValueSql("limit", "int"),
  ),
);

/** Filters of the console and of the API. */
type AlertSelection = Partial<AlertFilter> & Pick<AlertListQuery, "since" | "min_percent" | "from" | "to">;

/** The condition that selects a key's alerts by a filter. */
export function matchesAlertFilterSql(keyId: KeyId, filter: AlertSelection) {
  const { severity, channel_id, day, cause, since, min_percent, from, to } = filter;
  return and(
    eq(alerts.keyId, keyId),
    severity ? eq(alerts.severity, severity) : undefined,
    channel_id ? eq(alerts.channelId, channel_id) : undefined,
    day ? eq(alerts.day, day) : undefined,
    cause ? sql`coalesce(${alertCauseSql} ->> 'kind', 'unknown') = ${cause}` : undefined,
    from ? gte(alerts.day, from) : undefined,
    to ? lte(alerts.day, to) : undefined,
    since ? sql`${alerts.createdAt} >= ${since}::timestamptz` : undefined,
    min_percent === undefined
      ? undefined
      : sql`${alerts.subscribersAfter} * 100 >= ${alerts.subscribersBefore} * ${100 + min_percent}::int8`,
  );
}

/** Counts the key's alerts by severity, strongest first; a severity without alerts has 0. */
export async function countBySeverity({ db }: CoreContext, keyId: KeyId): Promise<[Severity, number][]> {
  const rows = await db
    .select({ severity: alerts.severity, made: count() })
    .from(alerts)
    .where(eq(alerts.keyId, keyId))
    .groupBy(alerts.severity);
  return SEVERITY_SCALE.map(({ severity }) => [severity, rows.find((row) => row.severity === severity)?.made ?? 0]);
}

/** The key's alerts with the largest growth, largest first. */
export async function listLargestAlerts({ db }: CoreContext, keyId: KeyId, limit: number) {
  return db
    .select({ day: alerts.day, severity: alerts.severity, message: alerts.message })
    .from(alerts)
    .where(eq(alerts.keyId, keyId))
    .orderBy(sql`${alerts.subscribersAfter}::numeric / ${alerts.subscribersBefore} desc`, alerts.day, alerts.channelId)
    .limit(limit);
}

/** An alert as the API answers it. @param row selected with {@link selectAlertSql} */
export function toAlert(row: AlertRow): Alert {
  const { low, high } = computeGrowthBounds(row.subscribersBefore, row.subscribersAfter);
  return {
    id: row.id,
    day: row.day,
    channel_id: row.channelId,
    alert_type: ALERT_TYPE,
    message: row.message,
    created_at: row.createdAt,
    percent: computeGrowthPercent(row.subscribersBefore, row.subscribersAfter) ?? 0,
    subscribers_before: row.subscribersBefore,
    subscribers_after: row.subscribersAfter,
    growth_low: low,
    growth_high: high,
    certain: !row.baselineFrozen && isCertain(row.subscribersBefore, row.subscribersAfter),
    severity: row.severity,
    channel_url: toChannelUrl(row.channelId),
    label: row.label,
    reason: row.reason,
    cause: toAlertCause(row.cause),
    held_chance: row.heldChance,
    outcome: selectShownOutcome(row.outcome7d, row.outcome28d),
  };
}

/** The key's alerts by the query of the API: a page of the newest, those after one of them, or all as CSV. */
export async function queryAlerts(ctx: CoreContext, keyId: KeyId, query: AlertListQuery) {
  const { offset = 0, limit = 20, after, format, channel_id: channel, ...bounds } = query;
  const filter = { ...bounds, channel_id: channel && (await findChannelId(ctx, channel)) };
  if (format === "csv") return exportAlerts(ctx, keyId, filter);
  if (after !== undefined) return listAlertsAfter(ctx, keyId, { after, limit, filter });
  return { ...(await listAlerts(ctx, keyId, { offset, limit }, filter)), next_after: null };
}

async function exportAlerts(ctx: CoreContext, keyId: KeyId, filter: AlertSelection): Promise<Reply> {
  const { alerts, pagination } = await listAlerts(ctx, keyId, { offset: 0, limit: CSV_ROWS }, filter);
  const rows = alerts.map(({ cause, ...alert }) => ({
    ...alert,
    ...toCsvCause(cause),
    message: toPlainCell(alert.message),
    cause_text: toPlainCell(cause.text),
  }));
  return createCsvReply(rows, ALERT_CSV, { total: pagination.total, name: "alerts" });
}

/**
 * The key's alerts after one of them, oldest first, in the order in which they were committed: by their positions in the
 * key's feed, which a reader sees without gaps.
 * @throws AppError `cursor_not_found` when it is no alert of the key
 */
async function listAlertsAfter(
  ctx: CoreContext,
  keyId: KeyId,
  { after, limit, filter }: { after: string; limit: number; filter: AlertSelection },
): Promise<AlertListPage> {
  const start = after === "" ? 0 : await findPosition(ctx, keyId, after);
  if (start === null) throw new AppError("cursor_not_found", "after is not the id of an alert of your key");
  const later: SQL = sql`
    from changes join alerts on alerts.id = changes.alert_id
    where changes.key_id = ${keyId} and changes.position > ${start}::int8 and changes.kind = 'alert_created'
      and ${matchesAlertFilterSql(keyId, filter)}`;
  const rows = await ctx.db.execute<{ total: number } & AlertRow>(sql`
    select counted.total, ${selectAlertSql()}
    from (select count(*)::int as total ${later}) as counted
    left join (
      select changes.alert_id, changes.position ${later} order by changes.position limit ${limit}
    ) as found on true
    left join alerts on alerts.id = found.alert_id
    order by found.position`);
  // Without a later alert there is one row, with the total alone.
  const alerts = rows.filter(({ id }) => id !== null).map(toAlert);
  const pagination = buildPagination({ offset: 0, limit }, rows[0]?.total ?? 0);
  return { pagination, alerts, next_after: alerts.at(-1)?.id ?? after };
}

async function findPosition({ db }: CoreContext, keyId: KeyId, id: string): Promise<string | null> {
  const [row] = await db.execute<{ position: string }>(sql`
    select position from changes where alert_id = ${id}::uuid and kind = 'alert_created' and key_id = ${keyId}`);
  return row?.position ?? null;
}
