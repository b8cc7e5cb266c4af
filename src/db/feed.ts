import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { CoreContext } from "@/db/context";
import type { CHANGE_KINDS } from "@/db/values";

/** A change of a channel, for all keys that track it or for one. */
export interface ChannelChange {
  kind: Exclude<(typeof CHANGE_KINDS)[number], "alert_created" | "outcome_7d" | "outcome_28d">;
  channel_id: string;
  /** The new name of a renamed channel. */
  name?: string | null;
  /** All keys that track the channel when left out. */
  key_id?: string;
}

/**
 * Adds changes to the feeds of keys. It is the last statement of its transaction that waits for a lock, and there is one
 * of them in each, so that two transactions never wait for each other.
 */
export async function addChanges({ db, clock }: CoreContext, given: readonly ChannelChange[]): Promise<void> {
  if (given.length === 0) return;
  const changed = sql`
    select coalesce(given.key_id, tracked.key_id) as key_id, kind, given.channel_id, name, null::uuid as alert_id
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as given (key_id text, kind text, channel_id text, name text)
    left join tracked_creators as tracked on given.key_id is null and tracked.channel_id = given.channel_id
    where coalesce(given.key_id, tracked.key_id) is not null`;
  await db.execute(sql`with ${insertChangesSql(changed, clock.now())} select 1`);
}

/**
 * The tail of a `with` clause that adds changes to the feeds of their keys. Positions are taken under the lock of each
 * key's row, which lasts until the transaction ends: a reader that sees a position sees all before it. Numbers from a
 * sequence would become visible out of order. Keys are locked in one order, which prevents deadlocks.
 * @param changed a query with the columns key_id, kind, channel_id, name and alert_id
 */
export function insertChangesSql(changed: SQL, at: Date | Placeholder): SQL {
  return sql`
    changed as materialized (${changed}),
    counted as (select key_id, count(*) as added from changed group by key_id),
    taken as (
      insert into key_positions as held (key_id, position, purged)
      select key_id, added, 0 from counted order by key_id
      on conflict (key_id) do update set position = held.position + excluded.position
      returning key_id, position
    ), noted as (
      insert into changes (key_id, position, kind, at, channel_id, name, alert_id)
      select key_id, taken.position - added + row_number() over (
          partition by key_id order by kind <> 'tracked', channel_id, kind, alert_id
        ), kind, ${at instanceof Date ? at.toISOString() : at}::timestamptz, channel_id, name, alert_id
      from changed join counted using (key_id) join taken using (key_id)
    )`;
}
