import { sql } from "drizzle-orm";
import { addDays, startOfDay, systemClock, toDate, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import { SCORE_VERSION, type ScoreParts } from "@/features/growth/score.rules";
import { generateKey, hashKey } from "@/features/keys/rules";

/** How much lies in a database. */
export interface Size {
  keys: number;
  /** Channels, each with a reading a day for the last `days` days, today's included. */
  channels: number;
  days: number;
  /** Alerts of each of the first `bigKeys` keys, and of each other key. */
  bigKeys: number;
  alertsOfBig: number;
  alertsOfOther: number;
}

/** The secrets of the first keys, whose alerts are as the size says: the big ones first. */
export interface Filled {
  secrets: string[];
}

/**
 * Fills an empty database with keys, channels, snapshots and alerts, set by set in SQL. Today's run is recorded as
 * made, so that a service started on it has nothing to catch up.
 * @param asked how many keys get a secret that is returned; the others have one that nobody knows
 */
export async function fill(db: Database, size: Size, asked: number): Promise<Filled> {
  const now = systemClock.now();
  const day = toUtcDay(now);
  const secrets = Array.from({ length: asked }, generateKey);
  await inOneGo(db, async (tx) => {
    await tx.execute(sql`
      insert into api_keys (id, secret_hash, hint, label, tier, created_at)
      select 'key_' || n, coalesce(known.hash, encode(sha256(n::text::bytea), 'hex')), 'cg_…', 'Bench ' || n, 'pro',
        ${instantOf(day, -40)}
      from generate_series(1, ${size.keys}::int) as n
      left join jsonb_array_elements_text(${JSON.stringify(secrets.map(hashKey))}::jsonb)
        with ordinality as known (hash, at) on known.at = n`);
    await fillChannels(tx, size.channels, day);
    await fillSnapshots(tx, size.channels, size.days, day);
    await tx.execute(sql`
      insert into tracked_creators (key_id, channel_id, tracked_since)
      select 'key_' || key, ${channelId(sql`1 + (key * 7 + n * 13) % ${size.channels}::int`)}, ${instantOf(day, -39)}
      from generate_series(1, ${size.keys}::int) as key, generate_series(1, 10) as n
      on conflict do nothing`);
    await fillAlerts(tx, size, day);
    await tx.execute(sql`
      insert into snapshot_runs (day, started_at, finished_at, plans)
      values (${day}::date, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz, 1)`);
  });
  for (const table of ["api_keys", "channels", "snapshots", "tracked_creators", "alerts", "daily_usage"])
    await db.execute(sql.raw(`vacuum analyze ${table}`));
  return { secrets };
}

/** Millions of rows that fit each other by construction: no limit of time and no check of each reference. */
export function inOneGo(db: Database, work: (tx: Database) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`set local session_replication_role = replica`);
    await work(tx);
  });
}

export async function fillChannels(db: Database, channels: number, day: string): Promise<void> {
  await db.execute(sql`
    insert into channels (id, name, status, subscribers, views, videos, read_at, score, score_basis, score_version,
      last_snapshot_at)
    select ${channelId(sql`n`)}, 'Channel ' || n, 'active', 1000 + n, 1000 * n, 100, ${instantOf(day, 0)}, 10, 'history', ${SCORE_VERSION}::int,
      ${instantOf(day, 0)}
    from generate_series(1, ${channels}::int) as n`);
}

/** A reading a day of every channel for the `days` days up to `lastDay`, written day by day as the service does. */
export async function fillSnapshots(
  db: Database,
  channels: number,
  days: number,
  lastDay: string,
): Promise<void> {
  const parts = JSON.stringify({
    growth_28d: 0.01,
    growth_7d: 0.01,
    growth_recent: 0.01,
    growth_by_views: null,
    acceleration: 0,
    persistence: 1,
    reach: 0.5,
    confidence: 1,
  } satisfies ScoreParts);
  for (let back = days - 1; back >= 0; back--) {
    const day = addDays(lastDay, -back);
    await db.execute(sql`
      insert into snapshots (channel_id, day, read_at, source, subscribers, views, videos, score, score_version,
        score_parts)
      select ${channelId(sql`n`)}, ${day}::date, ${startOfDay(day).toISOString()}::timestamptz + interval '6 hours',
        'daily', 1000 + n, 1000 * n, 100, 10, ${SCORE_VERSION}::int, ${parts}::jsonb
      from generate_series(1, ${channels}::int) as n`);
  }
}

/** Alerts of one key lie on different days and channels, about as many on each day, and are graded as far as they are due. */
async function fillAlerts(db: Database, size: Size, day: string): Promise<void> {
  const { keys, bigKeys, alertsOfBig, alertsOfOther, channels, days } = size;
  await db.execute(sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, label,
      reason, created_at, outcome_7d, outcome_7d_at, outcome_28d, outcome_28d_at)
    select 'key_' || key, ${channelId(sql`1 + ((n - 1) / ${days}::int) % ${channels}::int`)},
      ${day}::date - n % ${days}::int, 1000 + n, (1000 + n) * 5 / 4, 'SURGING',
      'Channel ' || n || ' grew 25.0% in one day', 'single_day', 'The day stands alone',
      ${instantOf(day, 0)} - make_interval(days => n % ${days}::int, secs => n / ${days}::int),
      week.outcome, week.at, month.outcome, month.at
    from generate_series(1, ${keys}::int) as key,
      generate_series(1, case when key <= ${bigKeys}::int then ${alertsOfBig}::int else ${alertsOfOther}::int end) as n
      left join (values ('held', ${instantOf(day, 0)})) as week (outcome, at) on n % ${days}::int >= 7
      left join (values ('faded', ${instantOf(day, 0)})) as month (outcome, at) on n % ${days}::int >= 28`);
}

export function channelId(number: ReturnType<typeof sql>) {
  return sql`'UC' || lpad((${number})::text, 22, '0')`;
}

export function instantOf(day: string, offset: number) {
  return sql`${toDate(startOfDay(addDays(day, offset)).getTime()).toISOString()}::timestamptz`;
}
