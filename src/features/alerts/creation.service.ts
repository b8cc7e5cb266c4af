import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { type Day, SECOND } from "@/core/time";
import type { Database } from "@/db/client";
import { alerts, deliveries } from "@/db/schema";
import { getShownCounts, isHighGrowth, MAX_BASELINE_AGE } from "@/features/growth/rules";
import type { ScoredChannel } from "@/features/growth/snapshots.service";
import { classifyOutlook, type Outlook } from "./outlook.rules";
import { classifySeverity, formatAlertMessage, type Severity } from "./rules";

/** Growth of a channel of more than 10% in a day. */
interface Rise extends Outlook {
  channel_id: string;
  before: number;
  after: number;
  severity: Severity;
  message: string;
}

export function listRises(day: Day, scored: readonly ScoredChannel[]): Rise[] {
  return scored.flatMap(({ stats, current, baseline, past }): Rise[] => {
    const counts = getShownCounts(baseline, current);
    if (!counts || !isHighGrowth(counts.before, counts.after)) return [];
    const { severity } = classifySeverity(counts.before, counts.after);
    const message = formatAlertMessage(stats.name, counts.before, counts.after);
    return [
      { channel_id: stats.channelId, ...counts, severity, message, ...classifyOutlook(day, past, counts) },
    ];
  });
}

/** The values of {@link insertAlertsSql}: rises as JSON, and the time of the alerts. */
export type AlertValues = { rises: string; now: string; day: Day; readAt: string };

/**
 * Builds the part of a `with` clause that creates alerts, for each active key that
 * tracked the channel the day before and whose baseline is at most 36 hours old. `made` has the new alerts;
 * existing ones stay.
 * @param written name of a query with the channel_id of each snapshot that was written
 */
export function insertAlertsSql(written: string): SQL {
  const [day, now] = [sql`${sql.placeholder("day")}::date`, sql`${sql.placeholder("now")}::timestamptz`];
  const yesterday = sql`(${day} - 1)`;
  return sql`
    made as (
      insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, label,
        reason, held_chance, created_at)
      select tracked.key_id, rise.channel_id, ${day}, rise.before, rise.after, rise.severity, rise.message,
        rise.label, rise.reason, rise.held_chance, ${now}
      from jsonb_to_recordset(${sql.placeholder("rises")}::jsonb)
        as rise (channel_id text, before int8, after int8, severity text, message text, label text, reason text,
          held_chance float8)
      join ${sql.identifier(written)} as stored on stored.channel_id = rise.channel_id
      join tracked_creators as tracked
        on tracked.channel_id = rise.channel_id and tracked.tracked_since < ${day}::timestamp at time zone 'UTC'
      join api_keys on api_keys.id = tracked.key_id and api_keys.revoked_at is null
      join snapshots as baseline on baseline.channel_id = rise.channel_id and baseline.day = ${yesterday}
      left join snapshot_runs as run on run.day = baseline.day
      where ${sql.placeholder("readAt")}::timestamptz - interval '1 second' * ${sql.raw(String(MAX_BASELINE_AGE / SECOND))} <= case
        -- The daily run's snapshot, if the key tracked the channel when the run began.
        when baseline.source = 'daily' and coalesce(run.started_at, baseline.read_at) >= tracked.tracked_since
          then baseline.read_at
        -- The key's first snapshot.
        when tracked.tracked_since >= ${yesterday}::timestamp at time zone 'UTC' then tracked.tracked_since
        -- Otherwise the snapshot was taken for another key, and this key missed the day.
      end
      order by tracked.key_id, rise.channel_id
      on conflict (key_id, channel_id, day) do nothing
      returning id, key_id, channel_id
    )`;
}

/** Lists a day's alerts of these channels with a delivery that was never tried. @returns ids */
export async function listUndeliveredAlerts(db: Database, day: Day, channelIds: string[]): Promise<string[]> {
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
