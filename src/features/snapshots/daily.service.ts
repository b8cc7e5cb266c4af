import { and, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { type Day, SECOND, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { insertChangesSql } from "@/db/feed";
import { alerts, deliveries } from "@/db/schema";
import { formatRows, listColumnsSql, prepareStatement, readRowsSql, type Selected } from "@/db/statement";
import { insertCausesSql } from "@/features/alerts/cause.service";
import { classifyOutlook, describeFewGained, FROZEN_REASON, isBaselineFrozen } from "@/features/alerts/outlook.rules";
import { classifySeverity, formatAlertMessage } from "@/features/alerts/rules";
import type { Correction } from "@/features/growth/correction.rules";
import { getShownCounts, isHighGrowth, MAX_BASELINE_AGE } from "@/features/growth/rules";
import { SCORE_VERSION } from "@/features/growth/score.rules";
import {
  loadCorrections,
  loadHistories,
  type StatsValues,
  storeSnapshotsSql,
  toStatsValues,
} from "@/features/growth/service";
import { type Histories, type ScoredChannel, scoreAll } from "@/features/growth/storing.rules";
import { insertDeliveriesSql } from "@/features/notifications/destinations.service";
import type { ChannelStats } from "@/platform/port";
import { requireDay } from "./rules";

/**
 * Stores statistics as the day's snapshots, with alerts, deliveries and changes, in one statement. Safe to repeat.
 * @param readAt when the platform was called
 * @param histories of at least these channels; read when left out
 * @returns ids of the new alerts, and of alerts from an earlier try whose deliveries have not started
 * @throws DayOverError
 */
export async function recordDaily(
  ctx: CoreContext,
  day: Day,
  readAt: Date,
  channelStats: ChannelStats[],
  histories?: Histories,
): Promise<string[]> {
  const now = requireDay(ctx, day).toISOString();
  const ids = channelStats.map(({ channelId }) => channelId);
  const corrections = await loadCorrections(ctx);
  const known = histories ?? (await loadHistories(ctx, ids, day));
  const scored = scoreAll(channelStats, day, readAt, known, corrections);
  const rises = scored.flatMap((channel) => findRise(channel, corrections.held_chance) ?? []);
  const values = { ...toStatsValues(scored, day, readAt), rise: formatRows(RISE, rises), now };
  const [result] = await storeDay(ctx.db, values);
  const { stored = 0, made = [] } = result ?? {};
  return stored === channelStats.length ? made : listUndeliveredAlerts(ctx, day, ids);
}

const { id, keyId, day, createdAt, readAt, outcome7d, outcome7dAt, outcome28d, outcome28dAt, ...RISE } =
  getTableColumns(alerts);

/** What an alert says of growth of more than 10% in a day, the same for all keys. */
type Rise = Selected<typeof RISE>;

function findRise({ channel, current, baseline, past }: ScoredChannel, correction?: Correction): Rise | null {
  const counts = getShownCounts(baseline, current);
  if (!counts || !isHighGrowth(counts.before, counts.after)) return null;
  const baselineFrozen = isBaselineFrozen(current, past);
  const outlook = classifyOutlook(current.day, past, counts, correction);
  return {
    channelId: channel.id,
    subscribersBefore: counts.before,
    subscribersAfter: counts.after,
    severity: classifySeverity(counts.before, counts.after).severity,
    message: formatAlertMessage(channel.name, counts.before, counts.after),
    label: outlook.label,
    reason: [outlook.reason, describeFewGained(counts), baselineFrozen && FROZEN_REASON].filter(Boolean).join(" "),
    heldChance: outlook.held_chance,
    fittedHeldChance: outlook.fitted_held_chance,
    baselineFrozen,
  };
}

const [DAY, NOW] = [sql`${sql.placeholder("day")}::date`, sql`${sql.placeholder("now")}::timestamptz`];
const MAX_BASELINE_SECONDS = sql.raw(String(MAX_BASELINE_AGE / SECOND));

/** The daily run's statement: snapshots and channels, alerts, deliveries, and the feeds of the keys. */
const storeDay = prepareStatement<{ stored: number; made: string[] }, StatsValues & { rise: string; now: string }>(sql`
  with ${storeSnapshotsSql("daily")},
  -- For each active key that tracked the channel the day before and whose baseline is recent. Existing alerts stay.
  made as (
    insert into alerts (key_id, day, created_at, ${listColumnsSql(RISE)})
    select tracked.key_id, ${DAY}, ${NOW}, ${listColumnsSql(RISE, (column) => sql`rise.${column}`)}
    from ${readRowsSql("rise", RISE)}
    join written on written.channel_id = rise.channel_id
    join tracked_creators as tracked
      on tracked.channel_id = rise.channel_id and tracked.tracked_since < ${DAY}::timestamp at time zone 'UTC'
    join api_keys on api_keys.id = tracked.key_id and api_keys.revoked_at is null
    join snapshots as baseline on baseline.channel_id = rise.channel_id and baseline.day = ${DAY} - 1
    left join snapshot_runs as run on run.day = baseline.day
    where ${sql.placeholder("readAt")}::timestamptz - interval '1 second' * ${MAX_BASELINE_SECONDS} <= case
      -- The daily run's snapshot, if the key tracked the channel when the run began.
      when baseline.source = 'daily' and coalesce(run.started_at, baseline.read_at) >= tracked.tracked_since
        then baseline.read_at
      -- The key's first snapshot.
      when tracked.tracked_since >= (${DAY} - 1)::timestamp at time zone 'UTC' then tracked.tracked_since
      -- Otherwise the snapshot was taken for another key, and this key missed the day.
    end
    order by tracked.key_id, rise.channel_id
    on conflict (key_id, channel_id, day) do nothing
    returning id, key_id, channel_id
  ),
  ${insertCausesSql(DAY, NOW)},
  ${insertDeliveriesSql(NOW)},
  ${insertChangesSql(
    sql`select key_id, 'alert_created' as kind, channel_id, null as name, id as alert_id from made
      union all
      select key_id, kind, seen.channel_id, name, null from seen,
        lateral (select key_id from tracked_creators where channel_id = seen.channel_id offset 0) as tracked`,
    sql.placeholder("now"),
  )}
  select (select count(*) from written)::int as stored, (select coalesce(json_agg(id), '[]') from made) as made`);

/** Lists a day's alerts of these channels with a delivery that was never tried. @returns ids */
export async function listUndeliveredAlerts({ db }: CoreContext, day: Day, channelIds: string[]): Promise<string[]> {
  const isUntried = and(eq(deliveries.status, "pending"), isNull(deliveries.triedAt));
  const rows = await db
    .selectDistinct({ id: alerts.id })
    .from(alerts)
    .innerJoin(deliveries, and(eq(deliveries.alertId, alerts.id), isUntried))
    .where(and(eq(alerts.day, day), inArray(alerts.channelId, channelIds)));
  return rows.map(({ id }) => id);
}

const storePast = prepareStatement<never, { stats: string; day: Day; readAt: string }>(sql`
  insert into snapshots (channel_id, day, read_at, source, subscribers, views, videos, score_version, score_parts)
  select id, ${sql.placeholder("day")}::date, ${sql.placeholder("readAt")}::timestamptz, 'track', given.subscribers,
    given.views, given.videos, ${SCORE_VERSION}, '{}'
  from jsonb_to_recordset(${sql.placeholder("stats")}::jsonb)
    as given ("channelId" text, subscribers int8, views int8, videos int4)
    join channels on id = "channelId"
  order by id
  on conflict do nothing`);

/** Stores statistics of known channels as the day's snapshots, without a score. Snapshots of that day stay. */
export async function storePastSnapshots({ db, clock }: CoreContext, stats: readonly ChannelStats[]): Promise<void> {
  const readAt = clock.now();
  await storePast(db, { stats: JSON.stringify(stats), day: toUtcDay(readAt), readAt: readAt.toISOString() });
}
