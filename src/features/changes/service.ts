import { sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { DAY, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { changes } from "@/db/schema";
import { type Selected, selectColumnsSql } from "@/db/statement";
import { type AlertRow, selectAlertSql, toAlert } from "@/features/alerts/service";
import type { KeyId } from "@/features/keys/schema";
import { FEED_DAYS, parseCursor, toCursor } from "./rules";
import type { Change, ChangesQuery } from "./schema";

const CHANGE_COLUMNS = { kind: changes.kind, at: changes.at, ofChannel: changes.channelId, newName: changes.name };
type ChangeRow = Selected<typeof CHANGE_COLUMNS> & AlertRow;
/** A row without a change has only the state of the feed. */
type FeedRow = { latest: number; purged: number; position: number | null } & ChangeRow;

/**
 * The key's changes after a cursor, oldest first.
 * @throws AppError `cursor_not_found` unless it is one of this key, `cursor_expired` when it is older than the feed
 */
export async function listChanges({ db }: CoreContext, keyId: KeyId, { after, limit }: ChangesQuery) {
  const start = after === "" ? 0 : parseCursor(keyId, after);
  if (start === null) throw new AppError("cursor_not_found", "after is not a cursor of your key");
  // One statement, so a purge cannot run between reading the feed's state and its rows.
  const rows = await db.execute<FeedRow>(sql`
    select feed.position::float8 as latest, feed.purged::float8 as purged, found.position::float8 as position,
      ${selectColumnsSql(CHANGE_COLUMNS)}, ${selectAlertSql()}
    from key_positions as feed
    left join lateral (
      select * from changes
      where changes.key_id = feed.key_id and changes.position > greatest(feed.purged, ${start}::int8)
      order by changes.position limit ${limit + 1}
    ) as found on true
    left join changes on changes.key_id = found.key_id and changes.position = found.position
    left join alerts on alerts.id = found.alert_id
    where feed.key_id = ${keyId}
    order by found.position`);
  const { latest = 0, purged = 0 } = rows[0] ?? {};
  if (after !== "" && (start < purged || start > latest)) throw createExpiredCursorError(keyId, purged);
  const found = rows.filter(hasChange);
  const page = found.slice(0, limit);
  return {
    changes: page.map((row) => toChange(keyId, row)),
    next_after: toCursor(keyId, page.at(-1)?.position ?? Math.max(start, purged)),
    has_more: found.length > limit,
  };
}

function hasChange(row: FeedRow): row is FeedRow & { position: number } {
  return row.position !== null;
}

/** A cursor can also be newer than the feed, after the database was restored from a backup. */
function createExpiredCursorError(keyId: KeyId, purged: number): AppError {
  const problem = `The changes after this cursor have expired; changes are kept for ${FEED_DAYS} days. Read GET /api/track and GET /api/alerts again, then continue with oldest_after.`;
  return new AppError("cursor_expired", problem, { members: { oldest_after: toCursor(keyId, purged) } });
}

function toChange(keyId: KeyId, row: FeedRow & { position: number }): Change {
  const { kind, position, at, ofChannel, newName } = row;
  const alert = row.id === null ? null : toAlert(row);
  return { type: kind, cursor: toCursor(keyId, position), at, channel_id: ofChannel, name: newName, alert };
}

/** Removes changes older than 30 days from the feeds. The order of alerts is kept, for their own list. */
export async function purgeChanges({ db, clock }: CoreContext): Promise<void> {
  const oldest = toDate(clock.now().getTime() - FEED_DAYS * DAY).toISOString();
  await db.execute(sql`
    with old as (
      select key_id, max(position) as position from changes where at < ${oldest}::timestamptz group by key_id
    ), locked as (
      select feed.key_id, old.position from key_positions as feed join old on old.key_id = feed.key_id
      where feed.purged < old.position order by feed.key_id for update of feed
    ), marked as (
      update key_positions as feed set purged = locked.position from locked where feed.key_id = locked.key_id
    )
    delete from changes using locked
    where changes.key_id = locked.key_id and changes.position <= locked.position and kind <> 'alert_created'`);
}
