import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { addChanges, addedToFeed, type ChannelChange, channelChanges } from "@/core/db/changes";
import type { Database } from "@/core/db/client";
import { alertEmails, alerts, deliveries } from "@/core/db/schema";
import { lowerCase } from "@/core/db/schema/columns";
import { addDays, type Day, SECOND, startOfDay } from "@/core/time";
import { isHighGrowth, MAX_BASELINE_AGE, shownCounts } from "@/features/growth/rules";
import type { RecordedReading } from "@/features/growth/service";
import { type Judgement, judgeRise } from "./judgement.rules";
import { alertMessage, type Severity, severityOf } from "./rules";

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
