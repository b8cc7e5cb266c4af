import { and, count, eq, inArray, isNull, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { alerts, deliveries } from "@/core/db/schema";
import { type PageQuery, type Pagination, pagination } from "@/core/page";
import { type Day, startOfDay } from "@/core/time";
import { channelUrl } from "@/features/creators/rules";
import { comparableCounts, growthBounds, growthPercent } from "@/features/growth/rules";
import type { RecordedReading } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import { alertMessage, isCertain, isHighGrowth, SEVERITY_SCALE, type Severity, severityOf } from "./rules";
import { ALERT_TYPE, type Alert } from "./schema";

/** A page of the key's alerts, newest first. */
export async function listAlerts(
  { db }: CoreContext,
  keyId: KeyId,
  page: PageQuery,
): Promise<{ pagination: Pagination; alerts: Alert[] }> {
  // The page is found in the index alone and its few rows are fetched then: a late page costs little more.
  const rows = await db.execute<AlertRow & { total: number }>(sql`
    select counted.total, channel_id as "channelId", message, severity,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      subscribers_before as "subscribersBefore", subscribers_after as "subscribersAfter"
    from (select count(*)::int as total from ${alerts} where key_id = ${keyId}) as counted
    left join (
      select id from ${alerts} where key_id = ${keyId}
      order by created_at desc, id desc offset ${page.offset} limit ${page.limit}
    ) as page on true
    left join ${alerts} on alerts.id = page.id
    order by created_at desc, alerts.id desc`);
  return {
    pagination: pagination(page, rows[0]?.total ?? 0),
    // A page behind the last has one row, with the total and no alert.
    alerts: rows.filter(({ channelId }) => channelId !== null).map(asAlert),
  };
}

/** The key's alerts counted by severity, strongest first, none left out. */
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

interface AlertRow extends Record<string, unknown> {
  channelId: string;
  message: string;
  severity: Severity;
  /** ISO 8601. */
  createdAt: string;
  /** The driver gives 64 bits as text. */
  subscribersBefore: string;
  subscribersAfter: string;
}

function asAlert(row: AlertRow): Alert {
  const [before, after] = [Number(row.subscribersBefore), Number(row.subscribersAfter)];
  const { low, high } = growthBounds(before, after);
  return {
    channel_id: row.channelId,
    alert_type: ALERT_TYPE,
    message: row.message,
    created_at: row.createdAt,
    percent: growthPercent(before, after) ?? 0,
    subscribers_before: before,
    subscribers_after: after,
    growth_low: low,
    growth_high: high,
    certain: isCertain(before, after),
    severity: row.severity,
    channel_url: channelUrl(row.channelId),
    label: null,
    reason: null,
    outcome: null,
  };
}

/**
 * Makes the alerts of a day from the readings just stored: one for each standing key that tracked the channel on the
 * day before already, together with what has to be delivered of it. Runs in the transaction that stored the readings.
 * @returns ids of the alerts made; one that exists already is not made again
 */
export async function createAlerts(
  { db, clock }: CoreContext,
  day: Day,
  recorded: readonly RecordedReading[],
): Promise<string[]> {
  const grown = recorded.flatMap(({ reading, current, baseline }) => {
    const counts = comparableCounts(baseline, current);
    if (!counts || !isHighGrowth(counts.before, counts.after)) return [];
    const { severity } = severityOf(counts.before, counts.after);
    const message = alertMessage(reading.name, counts.before, counts.after);
    return [{ channel_id: reading.channelId, ...counts, severity, message }];
  });
  if (grown.length === 0) return [];
  const now = clock.now().toISOString();
  const made = await db.execute<{ id: string }>(sql`
    with made as (
      insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
      select tracked.key_id, grown.channel_id, ${day}::date, grown.before, grown.after, grown.severity, grown.message,
        ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(grown)}::jsonb)
        as grown (channel_id text, before int8, after int8, severity text, message text)
      join tracked_creators as tracked
        on tracked.channel_id = grown.channel_id and tracked.tracked_since < ${startOfDay(day).toISOString()}::timestamptz
      join api_keys on api_keys.id = tracked.key_id and api_keys.revoked_at is null
      order by tracked.key_id, grown.channel_id
      on conflict (key_id, channel_id, day) do nothing
      returning id, key_id
    ), told as (
      insert into deliveries (alert_id, destination, recipient, status, created_at, attempts)
      select id, 'monitoring', null, 'pending', ${now}::timestamptz, 0 from made
      union all
      select made.id, 'email', alert_emails.email, 'pending', ${now}::timestamptz, 0
      from made join alert_emails on alert_emails.key_id = made.key_id
      where not exists (
        select from suppressions
        where suppressions.key_id = made.key_id and suppressions.email = lower(alert_emails.email)
      )
    )
    select id from made`);
  return made.map(({ id }) => id);
}

/** Ids of a day's alerts of these channels with a delivery that nobody has taken up yet. */
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
