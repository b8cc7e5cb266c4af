import { type SQL, sql } from "drizzle-orm";
import { addDays, startOfDay, systemClock, toDate, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import type { ScoreParts } from "@/features/growth/schema";
import { SCORE_VERSION } from "@/features/growth/score.rules";
import { generateKey, hashKey } from "@/features/keys/rules";

/** How much a database contains. */
export interface Size {
  keys: number;
  /** Channels, each with a snapshot on each of the last `days` days, today included. */
  channels: number;
  days: number;
  /** Alerts of each of the first `bigKeys` keys, and of each other key. */
  bigKeys: number;
  alertsOfBig: number;
  alertsOfOther: number;
}

/** As many digits as the service computes, because they are most of a snapshot's size. */
const SCORE_PARTS: ScoreParts = {
  growth_28d: 0.00028129032992091027,
  growth_7d: 0.0003979892941504845,
  growth_recent: 0.00048360735836460377,
  growth_by_views: 0,
  persistence: 0.25,
  reach: 0.5,
  confidence: 0.8166259168704156,
  size: 1000,
  history_days: 28,
  largest_day_share: 0.14285714285714285,
  growth_since_largest_day: 0.0003979892941504845,
  slowest_week: 0,
};

/**
 * Fills an empty database with keys, channels, snapshots and alerts. Today's run is stored as finished, so that a
 * service has nothing to catch up when it starts.
 * @param usable how many keys, the big ones first, can be used
 * @returns the secrets of those keys
 */
export async function fillDatabase(db: Database, size: Size, usable: number): Promise<string[]> {
  const now = systemClock.now();
  const day = toUtcDay(now);
  const secrets = Array.from({ length: usable }, generateKey);
  await insertUnchecked(db, async (tx) => {
    await insertKeys(tx, size.keys, day, secrets);
    await insertChannels(tx, size.channels, day);
    await insertSnapshots(tx, size.channels, size.days, day);
    await tx.execute(sql`
      insert into tracked_creators (key_id, channel_id, tracked_since)
      select 'key_' || key, ${channelIdSql(sql`1 + (key * 7 + n * 13) % ${size.channels}::int`)}, ${daySql(day, -39)}
      from generate_series(1, ${size.keys}::int) as key, generate_series(1, 10) as n
      on conflict do nothing`);
    await insertAlerts(tx, size, day);
    await tx.execute(sql`
      insert into snapshot_runs (day, started_at, finished_at, plans)
      values (${day}::date, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz, 1)`);
  });
  await db.execute(sql`vacuum analyze`);
  return secrets;
}

/** Inserts millions of rows that fit each other by construction: without time limit and checks of references. */
export function insertUnchecked(db: Database, work: (tx: Database) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`set local session_replication_role = replica`);
    await work(tx);
  });
}

/** @param secrets of the first keys; the others cannot be used */
export async function insertKeys(db: Database, keys: number, day: string, secrets: readonly string[] = []) {
  await db.execute(sql`
    insert into api_keys (id, secret_hash, hint, label, tier, created_at)
    select 'key_' || n, coalesce(known.hash, encode(sha256(n::text::bytea), 'hex')), 'cg_…', 'Bench ' || n, 'pro',
      ${daySql(day, -40)}
    from generate_series(1, ${keys}::int) as n
    left join jsonb_array_elements_text(${JSON.stringify(secrets.map(hashKey))}::jsonb)
      with ordinality as known (hash, number) on known.number = n`);
}

export async function insertChannels(db: Database, channels: number, day: string): Promise<void> {
  await db.execute(sql`
    insert into channels (id, name, status, subscribers, views, videos, read_at, score, score_basis, score_version,
      last_snapshot_at)
    select ${channelIdSql(sql`n`)}, 'Channel ' || n, 'active', 1000 + n, 1000 * n, 100, ${daySql(day, 0)}, 10,
      'history', ${SCORE_VERSION}::int, ${daySql(day, 0)}
    from generate_series(1, ${channels}::int) as n`);
}

/** Inserts a snapshot of every channel on each of the `days` days up to `lastDay`, in the order of the service. */
export async function insertSnapshots(db: Database, channels: number, days: number, lastDay: string): Promise<void> {
  for (let back = days - 1; back >= 0; back--) {
    const day = addDays(lastDay, -back);
    await db.execute(sql`
      insert into snapshots (channel_id, day, read_at, source, subscribers, views, videos, score, score_version,
        score_parts)
      select ${channelIdSql(sql`n`)}, ${day}::date, ${daySql(day, 0)} + interval '6 hours',
        'daily', 1000 + n, 1000 * n, 100, 10, ${SCORE_VERSION}::int, ${JSON.stringify(SCORE_PARTS)}::jsonb
      from generate_series(1, ${channels}::int) as n`);
  }
}

/** Spreads each key's alerts over days and channels, and grades those that are due. */
async function insertAlerts(db: Database, size: Size, day: string): Promise<void> {
  const { keys, bigKeys, alertsOfBig, alertsOfOther, channels, days } = size;
  await db.execute(sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, label,
      reason, created_at, outcome_7d, outcome_7d_at, outcome_28d, outcome_28d_at)
    select 'key_' || key, ${channelIdSql(sql`1 + ((n - 1) / ${days}::int) % ${channels}::int`)},
      ${day}::date - n % ${days}::int, 1000 + n, (1000 + n) * 5 / 4, 'SURGING',
      'Channel ' || n || ' grew 25.0% in one day', 'single_day', 'The day stands alone',
      ${daySql(day, 0)} - make_interval(days => n % ${days}::int, secs => n / ${days}::int),
      week.outcome, week.graded_at, month.outcome, month.graded_at
    from generate_series(1, ${keys}::int) as key,
      generate_series(1, case when key <= ${bigKeys}::int then ${alertsOfBig}::int else ${alertsOfOther}::int end) as n
      left join (values ('held', ${daySql(day, 0)})) as week (outcome, graded_at) on n % ${days}::int >= 7
      left join (values ('faded', ${daySql(day, 0)})) as month (outcome, graded_at) on n % ${days}::int >= 28`);
}

export function channelIdSql(number: SQL): SQL {
  return sql`'UC' || lpad((${number})::text, 22, '0')`;
}

/** The start of a day some days off. */
export function daySql(day: string, offset: number): SQL {
  return sql`${toDate(startOfDay(addDays(day, offset)).getTime()).toISOString()}::timestamptz`;
}
