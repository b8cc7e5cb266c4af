import { and, count, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { buildPagination, type PageQuery, type Pagination } from "@/core/http/page";
import type { CoreContext } from "@/db/context";
import { alerts } from "@/db/schema";
import { opaqueValueSql, prepareStatement, type Selected, selectColumnsSql } from "@/db/statement";
import { toChannelUrl } from "@/features/creators/rules";
import { computeGrowthBounds, computeGrowthPercent } from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import { type StoredCause, toAlertCause } from "./cause.rules";
import { alertCauseSql } from "./cause.service";
import type { AlertListQuery } from "./query.schema";
import { isCertain, SEVERITY_SCALE, type Severity, selectShownOutcome } from "./rules";
import { ALERT_TYPE, type Alert, type AlertFilter } from "./schema";

/** The columns that {@link toAlert} reads. */
export const ALERT_COLUMNS = {
  id: alerts.id,
  day: alerts.day,
  channelId: alerts.channelId,
  message: alerts.message,
  createdAt: alerts.createdAt,
  subscribersBefore: alerts.subscribersBefore,
  subscribersAfter: alerts.subscribersAfter,
  severity: alerts.severity,
  label: alerts.label,
  reason: alerts.reason,
  heldChance: alerts.heldChance,
  baselineFrozen: alerts.baselineFrozen,
  outcome7d: alerts.outcome7d,
  outcome28d: alerts.outcome28d,
};
/** A row of {@link ALERT_COLUMNS} and its cause. */
export type AlertRow = Selected<typeof ALERT_COLUMNS> & { cause: StoredCause | null };

/** What {@link toAlert} reads, as the columns of a `select` from alerts. */
export function selectAlertSql(): SQL {
  return sql`${selectColumnsSql(ALERT_COLUMNS)}, ${alertCauseSql} as cause`;
}
type FoundAlert = AlertRow & { total: number };

/** A page of the key's alerts, newest first. @param filter all alerts when left out */
export async function listAlerts(
  { db }: CoreContext,
  keyId: KeyId,
  page: PageQuery,
  filter: AlertBounds & Partial<AlertFilter> = {},
): Promise<{ pagination: Pagination; alerts: Alert[] }> {
  const { offset, limit } = page;
  const isFiltered = Object.values(filter).some((value) => value !== null && value !== undefined);
  const rows = isFiltered
    ? await db.execute<FoundAlert>(selectPageSql(matchesAlertFilterSql(keyId, filter), offset, limit))
    : await selectNewestAlerts(db, { keyId, offset, limit });
  const total = rows[0]?.total ?? 0;
  // A page past the last has one row, with the total and no alert.
  return {
    pagination: buildPagination(page, total),
    alerts: page.offset < total ? rows.map(toAlert) : [],
  };
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

/** Further filters of the API. */
type AlertBounds = Pick<AlertListQuery, "since" | "min_percent" | "from" | "to">;

/** The condition that selects a key's alerts by a filter. */
export function matchesAlertFilterSql(
  keyId: KeyId,
  { severity = null, channel_id = null, day = null, cause = null, ...bounds }: AlertBounds & Partial<AlertFilter>,
) {
  const { since, min_percent, from, to } = bounds;
  return and(
    eq(alerts.keyId, keyId),
    severity === null ? undefined : eq(alerts.severity, severity),
    channel_id === null ? undefined : eq(alerts.channelId, channel_id),
    day === null ? undefined : eq(alerts.day, day),
    cause === null ? undefined : sql`coalesce(${alertCauseSql} ->> 'kind', 'unknown') = ${cause}`,
    from === undefined ? undefined : gte(alerts.day, from),
    to === undefined ? undefined : lte(alerts.day, to),
    since === undefined ? undefined : sql`${alerts.createdAt} >= ${since}::timestamptz`,
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
