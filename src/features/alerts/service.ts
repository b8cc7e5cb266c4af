import { and, count, eq, gte, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { addChanges, addedToFeed, type ChannelChange, channelChanges } from "@/core/db/changes";
import type { Database } from "@/core/db/client";
import { alertEmails, alerts, deliveries } from "@/core/db/schema";
import { lowerCase } from "@/core/db/schema/columns";
import { columnsOf, type Selected, statement, unplanned } from "@/core/db/statement";
import { type PageQuery, type Pagination, pagination } from "@/core/http/page";
import { addDays, type Day, SECOND, startOfDay } from "@/core/time";
import { channelUrl } from "@/features/creators/rules";
import {
  growthBounds,
  growthPercent,
  isHighGrowth,
  MAX_BASELINE_AGE,
  shownCounts,
} from "@/features/growth/rules";
import type { RecordedReading } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import type { AlertListQuery } from "./contracts.schema";
import { type Judgement, judgeRise } from "./judgement.rules";
import { alertMessage, isCertain, SEVERITY_SCALE, type Severity, severityOf, shownOutcome } from "./rules";
import { ALERT_TYPE, type Alert, type AlertFilter } from "./schema";

/** The columns that {@link asAlert} reads. */
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
  outcome7d: alerts.outcome7d,
  outcome28d: alerts.outcome28d,
};
type AlertRow = Selected<typeof ALERT_COLUMNS>;
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
    ? await db.execute<FoundAlert>(pageOf(isWanted(keyId, filter), offset, limit))
    : await newestAlerts(db, { keyId, offset, limit });
  const total = rows[0]?.total ?? 0;
  // A page past the last has one row, with the total and no alert.
  return {
    pagination: pagination(page, total),
    alerts: page.offset < total ? rows.map(asAlert) : [],
  };
}

/** Finds the page in the index alone and then fetches its few rows, so that a late page costs little more. */
function pageOf(wanted: SQL | undefined, offset: number | SQL, limit: number | SQL): SQL {
  return sql`
    select counted.total, ${columnsOf(ALERT_COLUMNS)}
    from (select count(*)::int as total from alerts where ${wanted}) as counted
    left join (
      select id from alerts where ${wanted} order by created_at desc, id desc offset ${offset} limit ${limit}
    ) as found on true
    left join alerts on alerts.id = found.id
    order by created_at desc, alerts.id desc`;
}

const newestAlerts = statement<FoundAlert, PageQuery & { keyId: KeyId }>(
  pageOf(eq(alerts.keyId, unplanned("keyId", "text")), unplanned("offset", "int"), unplanned("limit", "int")),
);

/** Further filters of the API. */
export type AlertBounds = Pick<AlertListQuery, "since" | "min_percent" | "from" | "to">;

/** The condition that selects a key's alerts by a filter. */
export function isWanted(
  keyId: KeyId,
  { severity = null, channel_id = null, day = null, ...bounds }: AlertBounds & Partial<AlertFilter>,
) {
  const { since, min_percent, from, to } = bounds;
  return and(
    eq(alerts.keyId, keyId),
    severity === null ? undefined : eq(alerts.severity, severity),
    channel_id === null ? undefined : eq(alerts.channelId, channel_id),
    day === null ? undefined : eq(alerts.day, day),
    from === undefined ? undefined : gte(alerts.day, from),
    to === undefined ? undefined : lte(alerts.day, to),
    since === undefined ? undefined : sql`${alerts.createdAt} >= ${since}::timestamptz`,
    min_percent === undefined
      ? undefined
      : sql`${alerts.subscribersAfter} * 100 >= ${alerts.subscribersBefore} * ${100 + min_percent}::int8`,
  );
}

/** Counts the key's alerts by severity, strongest first; a severity without alerts has 0. */
export async function countBySeverity(
  { db }: Pick<CoreContext, "db">,
  keyId: KeyId,
): Promise<[Severity, number][]> {
  const rows = await db
    .select({ severity: alerts.severity, made: count() })
    .from(alerts)
    .where(eq(alerts.keyId, keyId))
    .groupBy(alerts.severity);
  return SEVERITY_SCALE.map(({ severity }) => [
    severity,
    rows.find((row) => row.severity === severity)?.made ?? 0,
  ]);
}

/** The key's alerts with the largest growth, largest first. */
export async function largestAlerts({ db }: Pick<CoreContext, "db">, keyId: KeyId, limit: number) {
  return db
    .select({ day: alerts.day, severity: alerts.severity, message: alerts.message })
    .from(alerts)
    .where(eq(alerts.keyId, keyId))
    .orderBy(
      sql`${alerts.subscribersAfter}::numeric / ${alerts.subscribersBefore} desc`,
      alerts.day,
      alerts.channelId,
    )
    .limit(limit);
}

/** An alert as the API answers it. */
export function asAlert(row: AlertRow): Alert {
  const { low, high } = growthBounds(row.subscribersBefore, row.subscribersAfter);
  return {
    id: row.id,
    day: row.day,
    channel_id: row.channelId,
    alert_type: ALERT_TYPE,
    message: row.message,
    created_at: row.createdAt,
    percent: growthPercent(row.subscribersBefore, row.subscribersAfter) ?? 0,
    subscribers_before: row.subscribersBefore,
    subscribers_after: row.subscribersAfter,
    growth_low: low,
    growth_high: high,
    certain: isCertain(row.subscribersBefore, row.subscribersAfter),
    severity: row.severity,
    channel_url: channelUrl(row.channelId),
    label: row.label,
    reason: row.reason,
    held_chance: row.heldChance,
    outcome: shownOutcome(row.outcome7d, row.outcome28d),
  };
}

/** An alert to be made, as the statement reads it from JSON. */
interface Rise extends Judgement {
  channel_id: string;
  before: number;
  after: number;
  read_at: string;
  severity: Severity;
  message: string;
}

/**
 * Creates a day's alerts from the readings just stored: one for each active key that tracked the channel on the day
 * before, with its deliveries. Runs in the transaction that stored the readings, as its last statement.
 * @param changes of channels in this transaction, which are added to the feeds with the alerts
 * @returns ids of the new alerts; an alert that exists already is left as it is
 */
export async function createAlerts(
  ctx: CoreContext,
  day: Day,
  recorded: readonly RecordedReading[],
  changes: readonly ChannelChange[] = [],
): Promise<string[]> {
  const rises = recorded.flatMap(({ reading, current, baseline, past }): Rise[] => {
    const counts = shownCounts(baseline, current);
    if (!counts || !isHighGrowth(counts.before, counts.after)) return [];
    const { severity } = severityOf(counts.before, counts.after);
    const message = alertMessage(reading.name, counts.before, counts.after);
    const judged = judgeRise(day, past, counts);
    const read_at = current.readAt.toISOString();
    return [{ channel_id: reading.channelId, ...counts, read_at, severity, message, ...judged }];
  });
  if (rises.length > 0) return insertAlerts(ctx, day, rises, changes);
  await addChanges(ctx.db, ctx.clock.now(), changes);
  return [];
}

/**
 * Inserts alerts, their deliveries and the changes of the feeds in one statement, for each key whose own baseline is at
 * most 36 hours old.
 */
async function insertAlerts(
  { db, clock }: CoreContext,
  day: Day,
  rises: readonly Rise[],
  changes: readonly ChannelChange[],
): Promise<string[]> {
  const at = clock.now();
  const now = at.toISOString();
  const yesterday = addDays(day, -1);
  const made = await db.execute<{ id: string }>(sql`
    with made as (
      insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, label,
        reason, held_chance, created_at)
      select tracked.key_id, rise.channel_id, ${day}::date, rise.before, rise.after, rise.severity, rise.message,
        rise.label, rise.reason, rise.held_chance, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rises)}::jsonb)
        as rise (channel_id text, before int8, after int8, read_at timestamptz, severity text, message text,
          label text, reason text, held_chance float8)
      join tracked_creators as tracked
        on tracked.channel_id = rise.channel_id and tracked.tracked_since < ${startOfDay(day).toISOString()}::timestamptz
      join api_keys on api_keys.id = tracked.key_id and api_keys.revoked_at is null
      join snapshots as baseline on baseline.channel_id = rise.channel_id and baseline.day = ${yesterday}::date
      left join snapshot_runs as run on run.day = baseline.day
      where rise.read_at - interval '1 second' * ${MAX_BASELINE_AGE / SECOND}::int <= case
        -- The daily run's reading, if the key tracked the channel when the run began.
        when baseline.source = 'daily' and coalesce(run.started_at, baseline.read_at) >= tracked.tracked_since
          then baseline.read_at
        -- The key's own first reading.
        when tracked.tracked_since >= ${startOfDay(yesterday).toISOString()}::timestamptz then tracked.tracked_since
        -- Otherwise another key had the reading taken, and this key missed the day.
      end
      order by tracked.key_id, rise.channel_id
      on conflict (key_id, channel_id, day) do nothing
      returning id, key_id, channel_id
    ), delivered as (
      insert into deliveries (alert_id, destination, recipient, status, created_at, attempts)
      select id, 'monitoring', null, 'pending', ${now}::timestamptz, 0 from made
      union all
      select made.id, 'email', alert_emails.email, 'pending', ${now}::timestamptz, 0
      from made join alert_emails on alert_emails.key_id = made.key_id
      where not exists (
        select from suppressions
        where suppressions.key_id = made.key_id and suppressions.email = ${lowerCase(alertEmails.email)}
      ) and not exists (
        select from muted_creators as muted
        where muted.key_id = made.key_id and muted.channel_id = made.channel_id
      )
    ), ${addedToFeed(
      sql`select key_id, 'alert_created' as kind, channel_id, null as name, id as alert_id from made
        union all ${channelChanges(changes)}`,
      at,
    )}
    select id from made`);
  return made.map(({ id }) => id);
}

/** Ids of a day's alerts of these channels with a delivery that was never tried. */
export async function untoldAlerts(db: Database, day: Day, channelIds: string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: alerts.id })
    .from(alerts)
    .innerJoin(deliveries, eq(deliveries.alertId, alerts.id))
    .where(
      and(
        eq(alerts.day, day),
        inArray(alerts.channelId, channelIds),
        eq(deliveries.status, "pending"),
        isNull(deliveries.triedAt),
      ),
    );
  return rows.map(({ id }) => id);
}
