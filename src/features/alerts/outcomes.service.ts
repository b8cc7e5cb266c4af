import { sum } from "d3-array";
import { and, eq, gt, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { addDays, type Day, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { insertChangesSql } from "@/db/feed";
import { alerts } from "@/db/schema";
import { ALERT_LABELS, SEVERITIES } from "@/db/values";
import type { KeyId } from "@/features/keys/schema";
import { GRACE_DAYS, gradeOutcome, HORIZONS, type Horizon } from "./outcomes.rules";
import type { Outcome } from "./rules";

const GRADED_AT_ONCE = 1000;
/** Days of alerts in the public figures. */
const ACCURACY_DAYS = 90;
/** Alerts of a channel at most this many days apart belong to one rise. */
const RISE_DAYS = 7;

const COLUMNS = {
  7: { outcome: sql.identifier("outcome_7d"), at: sql.identifier("outcome_7d_at") },
  28: { outcome: sql.identifier("outcome_28d"), at: sql.identifier("outcome_28d_at") },
};

/**
 * Grades every alert that is due by the key's first known count from the 7th and the 28th day on, or as unclear when
 * there is none within two more days. A grade never changes.
 * @param keyId all keys when left out
 */
export async function gradeAlerts(ctx: CoreContext, keyId?: KeyId): Promise<void> {
  for (const horizon of HORIZONS) while ((await gradeSome(ctx, horizon, keyId)) === GRADED_AT_ONCE);
}

/** @returns number of graded alerts */
async function gradeSome({ db, clock }: CoreContext, horizon: Horizon, keyId?: KeyId): Promise<number> {
  const now = clock.now();
  const today = toUtcDay(now);
  const { outcome, at } = COLUMNS[horizon];
  const due = await db.execute<{ id: string; before: string; after: string; later: string | null }>(sql`
    select alerts.id, subscribers_before as before, subscribers_after as after, later.subscribers as later
    from alerts
    left join tracked_creators as tracked
      on tracked.key_id = alerts.key_id and tracked.channel_id = alerts.channel_id
    left join lateral (
      select subscribers from snapshots
      where snapshots.channel_id = alerts.channel_id and subscribers is not null
        and snapshots.day between alerts.day + ${horizon}::int and alerts.day + ${horizon + GRACE_DAYS}::int
        -- Only snapshots that were taken for this key.
        and tracked.tracked_since < (snapshots.day + 1)::timestamp at time zone 'UTC'
        and (source = 'daily' or tracked.tracked_since >= snapshots.day::timestamp at time zone 'UTC')
      order by snapshots.day limit 1
    ) as later on true
    where ${outcome} is null and ${keyId ? eq(alerts.keyId, keyId) : sql`true`} and alerts.day <= ${addDays(today, -horizon)}::date
      and (later.subscribers is not null or alerts.day < ${addDays(today, -horizon - GRACE_DAYS)}::date)
    limit ${GRADED_AT_ONCE}`);
  if (due.length === 0) return 0;
  const graded = due.map(({ id, before, after, later }) => {
    const count = later === null ? null : Number(later);
    return { id, outcome: gradeOutcome(Number(before), Number(after), count, horizon) };
  });
  await db.execute(sql`
    with given as (
      update alerts set ${outcome} = graded.outcome, ${at} = ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(graded)}::jsonb) as graded (id uuid, outcome text)
      where alerts.id = graded.id and ${outcome} is null
      returning key_id, alerts.channel_id, alerts.id
    ), ${insertChangesSql(
      sql`select key_id, ${`outcome_${horizon}d`}::text as kind, channel_id, null as name, id as alert_id from given`,
      now,
    )}
    select 1`);
  return graded.length;
}

export type Grades = Record<Outcome, number>;
export type Accuracy = Awaited<ReturnType<typeof getAlertAccuracy>>;

/**
 * How the service's alerts of the last days turned out, in counts alone. A channel's alerts of one day count once, by the
 * best outcome that any key saw. A rise counts by its first alert.
 */
export async function getAlertAccuracy(ctx: CoreContext, days = ACCURACY_DAYS) {
  const to = toUtcDay(ctx.clock.now());
  const from = addDays(to, 1 - days);
  const [rows, heldChance] = await Promise.all([countGraded(ctx, from), gradeHeldChances(ctx, from)]);
  const months = [...new Set(rows.map((row) => row.month))].sort().toReversed();
  return {
    from,
    to,
    /** Days on which a channel had an alert. */
    alerts: sumAlerts(rows),
    /** Alerts without another of the same channel in the 7 days before. */
    rises: sumAlerts(rows.filter((row) => row.isFirst)),
    held_chance: heldChance,
    /** By days from the alert to its grade. */
    horizons: HORIZONS.map((horizon) => {
      const grade = (some: typeof rows) => countOutcomes(some, horizon);
      /** All alerts, and the first of each rise. */
      const gradeBoth = (some: typeof rows) => ({ all: grade(some), rises: grade(some.filter((row) => row.isFirst)) });
      const pick = (name: "month" | "severity" | "label", value: string) => rows.filter((row) => row[name] === value);
      return {
        days: horizon,
        ...gradeBoth(rows),
        by_severity: SEVERITIES.map((severity) => ({ severity, ...grade(pick("severity", severity)) })),
        /** By the month of the alert, newest first. */
        by_month: months.map((month) => ({ month, ...gradeBoth(pick("month", month)) })),
        by_label: ALERT_LABELS.map((label) => ({ label, ...grade(pick("label", label)) })),
      };
    }),
  };
}

/** The days since `from` on which a channel had an alert, with the best outcomes that any key saw. */
function selectRiseDays({ db }: CoreContext, from: Day) {
  return db
    .select({
      isFirst: sql<boolean>`not exists (select from alerts as earlier where earlier.channel_id = alerts.channel_id
        and earlier.day between alerts.day - ${RISE_DAYS}::int and alerts.day - 1)`.as("is_first"),
      month: sql<string>`to_char(${alerts.day}, 'YYYY-MM')`.as("month"),
      severity: alerts.severity,
      label: alerts.label,
      chance: sql<number | null>`avg(${alerts.fittedHeldChance})`.as("chance"),
      after7: selectBestOutcomeSql(alerts.outcome7d).as("after_7"),
      after28: selectBestOutcomeSql(alerts.outcome28d).as("after_28"),
    })
    .from(alerts)
    .where(gt(alerts.day, addDays(from, -1)))
    .groupBy(alerts.channelId, alerts.day, alerts.severity, alerts.label)
    .as("grouped");
}

function countGraded(ctx: CoreContext, from: Day) {
  const grouped = selectRiseDays(ctx, from);
  const { isFirst, month, severity, label, after7, after28 } = grouped;
  return ctx.db
    .select({ isFirst, month, severity, label, 7: after7, 28: after28, alerts: sql<number>`count(*)::int` })
    .from(grouped)
    .groupBy(isFirst, month, severity, label, after7, after28);
}

/**
 * The mean of held_chance before its correction, the share that held for 7 days, the mean squared distance of both, and
 * the same had that share been given to all; null without graded alerts.
 */
async function gradeHeldChances(ctx: CoreContext, from: Day) {
  const grouped = selectRiseDays(ctx, from);
  const came = sql`(${grouped.after7} = 'held')::int`;
  const [graded] = await ctx.db
    .select({
      graded: sql<number>`count(*)::int`,
      predicted: sql<number>`avg(${grouped.chance})`,
      seen: sql<number>`avg(${came})::float8`,
      brier: sql<number>`avg((${grouped.chance} - ${came}) ^ 2)`,
    })
    .from(grouped)
    .where(and(isNotNull(grouped.chance), inArray(grouped.after7, ["held", "faded"])));
  return graded?.graded ? { ...graded, base_brier: graded.seen * (1 - graded.seen) } : null;
}

/** The outcome that any key saw. A key that untracked the creator saw none. */
function selectBestOutcomeSql(outcome: typeof alerts.outcome7d | typeof alerts.outcome28d): SQL<Outcome | null> {
  return sql`coalesce(max(${outcome}) filter (where ${outcome} <> 'unclear'), max(${outcome}))`;
}

type Graded = Record<Horizon, Outcome | null> & { alerts: number };

function countOutcomes(rows: readonly Graded[], horizon: Horizon): Grades {
  const countOutcome = (outcome: Outcome) => sumAlerts(rows.filter((row) => row[horizon] === outcome));
  return { held: countOutcome("held"), faded: countOutcome("faded"), unclear: countOutcome("unclear") };
}

function sumAlerts(rows: readonly Pick<Graded, "alerts">[]): number {
  return sum(rows, (row) => row.alerts);
}
