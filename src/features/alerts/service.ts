import { and, count, desc, eq, inArray, isNull, max, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { alertEmails, alerts, channels, deliveries } from "@/core/db/schema";
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
import {
  alertMessage,
  isCertain,
  judgeRise,
  mailStateOf,
  SEVERITY_SCALE,
  type Severity,
  severityOf,
  shownOutcome,
} from "./rules";
import { ALERT_TYPE, type Alert, type AlertCreators, type AlertFilter, type InboxAlert } from "./schema";

const ALERT_COLUMNS = {
  channelId: alerts.channelId,
  message: alerts.message,
  createdAt: alerts.createdAt,
  subscribersBefore: alerts.subscribersBefore,
  subscribersAfter: alerts.subscribersAfter,
  severity: alerts.severity,
  label: alerts.label,
  reason: alerts.reason,
  outcome7d: alerts.outcome7d,
  outcome28d: alerts.outcome28d,
};
type AlertRow = Selected<typeof ALERT_COLUMNS>;
type FoundAlert = AlertRow & { total: number };

/** A page of the key's alerts, newest first; all of them unless filtered. */
export async function listAlerts(
  { db }: CoreContext,
  keyId: KeyId,
  page: PageQuery,
  filter: Partial<AlertFilter> = {},
): Promise<{ pagination: Pagination; alerts: Alert[] }> {
  const { offset, limit } = page;
  const isFiltered = Object.values(filter).some((value) => value !== null && value !== undefined);
  const rows = isFiltered
    ? await db.execute<FoundAlert>(pageOf(isWanted(keyId, filter), offset, limit))
    : await newestAlerts(db, { keyId, offset, limit });
  const total = rows[0]?.total ?? 0;
  // A page behind the last has one row, with the total and no alert.
  return {
    pagination: pagination(page, total),
    alerts: page.offset < total ? rows.map(asAlert) : [],
  };
}

/** The page is found in the index alone and its few rows are fetched then: a late page costs little more. */
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

/** The same page for the console: with the creators' names, both outcomes, and what became of each alert's mail. */
export async function alertInbox(
  { db }: CoreContext,
  keyId: KeyId,
  page: PageQuery,
  filter: AlertFilter,
): Promise<{ pagination: Pagination; alerts: InboxAlert[] }> {
  const wanted = isWanted(keyId, filter);
  const { recipient, status, receipt } = deliveries;
  const rows = await db
    .select({
      ...ALERT_COLUMNS,
      id: alerts.id,
      day: alerts.day,
      name: channels.name,
      recipient,
      status,
      receipt,
      mailAt:
        sql`coalesce(${deliveries.receiptAt}, ${deliveries.finishedAt}, ${deliveries.createdAt})`.mapWith(
          deliveries.createdAt,
        ),
    })
    .from(alerts)
    .innerJoin(channels, eq(channels.id, alerts.channelId))
    .leftJoin(deliveries, and(eq(deliveries.alertId, alerts.id), eq(deliveries.destination, "email")))
    .where(wanted)
    .orderBy(...NEWEST_FIRST)
    .offset(page.offset)
    .limit(page.limit);
  const inbox = rows.map((row) => ({
    ...asAlert({ ...row, createdAt: row.createdAt.toISOString() }),
    id: row.id,
    day: row.day,
    creator_name: row.name,
    outcome_7d: row.outcome7d,
    outcome_28d: row.outcome28d,
    mail:
      row.status && row.recipient
        ? {
            state: mailStateOf(row.status, row.receipt),
            recipient: row.recipient,
            at: row.mailAt.toISOString(),
          }
        : null,
  }));
  return { pagination: pagination(page, await countAlerts(db, wanted)), alerts: inbox };
}

/** Creators among which one chooses whose alerts to see. */
const MOST_CREATORS = 500;

/** The creators that a key has alerts of, by name; of very many those with the latest. Also those it no longer tracks. */
export async function alertCreators({ db }: CoreContext, keyId: KeyId): Promise<AlertCreators["creators"]> {
  const { id, name } = channels;
  const latest = db
    .select({ id: alerts.channelId, made: count().as("made") })
    .from(alerts)
    .where(eq(alerts.keyId, keyId))
    .groupBy(alerts.channelId)
    .orderBy(desc(max(alerts.createdAt)), alerts.channelId)
    .limit(MOST_CREATORS)
    .as("latest");
  return db
    .select({ channel_id: id, name, alerts: latest.made })
    .from(latest)
    .innerJoin(channels, eq(id, latest.id))
    .orderBy(sql`lower(${name})`, id);
}

const NEWEST_FIRST = [desc(alerts.createdAt), desc(alerts.id)];

function isWanted(keyId: KeyId, { severity = null, channel_id = null, day = null }: Partial<AlertFilter>) {
  return and(
    eq(alerts.keyId, keyId),
    severity === null ? undefined : eq(alerts.severity, severity),
    channel_id === null ? undefined : eq(alerts.channelId, channel_id),
    day === null ? undefined : eq(alerts.day, day),
  );
}

async function countAlerts(db: Database, wanted: ReturnType<typeof isWanted>): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(alerts).where(wanted);
  return counted?.total ?? 0;
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

function asAlert(row: AlertRow): Alert {
  const { low, high } = growthBounds(row.subscribersBefore, row.subscribersAfter);
  return {
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
    outcome: shownOutcome(row.outcome7d, row.outcome28d),
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
  const grown = recorded.flatMap(({ reading, current, baseline, past }) => {
    const counts = shownCounts(baseline, current);
    if (!counts || !isHighGrowth(counts.before, counts.after)) return [];
    const { severity } = severityOf(counts.before, counts.after);
    const message = alertMessage(reading.name, counts.before, counts.after);
    const judged = judgeRise(day, past, { before: counts.before, views: reading.views });
    const read_at = current.readAt.toISOString();
    return [{ channel_id: reading.channelId, ...counts, read_at, severity, message, ...judged }];
  });
  if (grown.length === 0) return [];
  const now = clock.now().toISOString();
  const yesterday = addDays(day, -1);
  const made = await db.execute<{ id: string }>(sql`
    with made as (
      insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, label,
        reason, created_at)
      select tracked.key_id, grown.channel_id, ${day}::date, grown.before, grown.after, grown.severity, grown.message,
        grown.label, grown.reason, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(grown)}::jsonb)
        as grown (channel_id text, before int8, after int8, read_at timestamptz, severity text, message text,
          label text, reason text)
      join tracked_creators as tracked
        on tracked.channel_id = grown.channel_id and tracked.tracked_since < ${startOfDay(day).toISOString()}::timestamptz
      join api_keys on api_keys.id = tracked.key_id and api_keys.revoked_at is null
      join snapshots as baseline on baseline.channel_id = grown.channel_id and baseline.day = ${yesterday}::date
      left join snapshot_runs as run on run.day = baseline.day
      where grown.read_at - interval '1 second' * ${MAX_BASELINE_AGE / SECOND}::int <= case
        -- The run's own reading, of what had been tracked when it began.
        when baseline.source = 'daily' and coalesce(run.started_at, baseline.read_at) >= tracked.tracked_since
          then baseline.read_at
        -- The key's own first one, whoever else had the channel read on that day.
        when tracked.tracked_since >= ${startOfDay(yesterday).toISOString()}::timestamptz then tracked.tracked_since
        -- One that was taken because another key began to track is none of this one's: its day was missed.
      end
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
        where suppressions.key_id = made.key_id and suppressions.email = ${lowerCase(alertEmails.email)}
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
