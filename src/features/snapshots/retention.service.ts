import { and, inArray, isNotNull, lt, ne, or, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import {
  alerts,
  channels,
  deliveries,
  mailEvents,
  platformUnits,
  runNotices,
  scoreGrades,
  snapshotRuns,
  snapshots,
} from "@/core/db/schema";
import { addDays, DAY, type Day, instant, startOfDay, utcDay } from "@/core/time";
import { purgeNiches } from "@/features/discovery/niches.service";
import { purgeRequests } from "@/features/keys/requests.service";
import { purgeSessions } from "@/features/keys/sessions.service";

/** How long the record of a run, and of the units it cost, is kept; it holds no count of any channel. */
const RUN_RECORD_DAYS = 400;
/** The mail service tells an event again for two days at most. */
const MAIL_EVENT_DAYS = 7;
/** How long names and pictures may be kept unread, also where the platform lets counts be kept for longer. */
const NAME_DAYS = 30;

/** How long is kept what the operator may bound, in days; null without end. */
export interface Retention {
  snapshotDays: number;
  alertDays: number | null;
}

/**
 * Deletes what may no longer be kept: readings that would pass the retention before the next purge, what is known of
 * channels not read for as long, channels nobody refers to any more, the text of mails that were sent, old requests of
 * the request log, sessions that are over, and, where the operator bounds them, old
 * alerts.
 */
export async function purge(
  { db, clock, log }: CoreContext,
  { snapshotDays, alertDays }: Retention,
): Promise<void> {
  const now = clock.now();
  const today = utcDay(now);
  const oldest = addDays(today, 1 - snapshotDays);
  const unread = lt(channels.readAt, startOfDay(addDays(today, 1 - Math.min(snapshotDays, NAME_DAYS))));
  // By itself, as questions for what it deletes wait for its end.
  await unhurried(db, (tx) => purgeNiches(tx, now, oldest));
  await unhurried(db, async (tx) => {
    await purgeSnapshots(tx, oldest);
    await tx.delete(scoreGrades).where(lt(scoreGrades.day, oldest));
    await tx.delete(snapshotRuns).where(lt(snapshotRuns.day, addDays(today, -RUN_RECORD_DAYS)));
    await tx.delete(runNotices).where(lt(runNotices.day, addDays(today, -RUN_RECORD_DAYS)));
    await tx.delete(platformUnits).where(lt(platformUnits.day, addDays(today, -RUN_RECORD_DAYS)));
    await tx
      .update(deliveries)
      .set({ mail: null })
      .where(and(isNotNull(deliveries.mail), lt(deliveries.finishedAt, instant(now.getTime() - DAY))));
    await tx
      .delete(mailEvents)
      .where(lt(mailEvents.receivedAt, instant(now.getTime() - MAIL_EVENT_DAYS * DAY)));
    if (alertDays !== null) await tx.delete(alerts).where(lt(alerts.day, addDays(today, -alertDays)));
    await tx.execute(sql`
      with gone as (
        select id from channels where ${unread}
          and not exists (select from tracked_creators where channel_id = channels.id)
          and not exists (select from alerts where channel_id = channels.id)
          and not exists (select from snapshots where channel_id = channels.id)
          and not exists (select from niche_channels where channel_id = channels.id)
        -- Whom somebody else is writing is not gone, and is not waited for.
        for update skip locked
      )
      delete from channels using gone where channels.id = gone.id`);
    const known = sql`num_nonnulls(handle, thumbnail_url, country, subscribers, views, videos) > 0`;
    const unknown = {
      handle: null,
      thumbnailUrl: null,
      country: null,
      subscribers: null,
      views: null,
      videos: null,
    };
    await tx
      .update(channels)
      .set({ ...unknown, name: sql`${channels.id}` })
      .where(
        inArray(
          channels.id,
          tx
            .select({ id: channels.id })
            .from(channels)
            // One that has been emptied is not written again every day.
            .where(and(unread, or(ne(channels.name, channels.id), known)))
            .for("update", { skipLocked: true }),
        ),
      );
  });
  await unhurried(db, (tx) => purgeRequests({ db: tx, clock, log }));
  await purgeSessions({ db, clock, log });
}

/**
 * Deletes the readings of all days before one, in portions, as no statement may take longer than a database is waited for
 * that has fallen silent.
 */
export async function purgeSnapshots(tx: Database, before: Day, portion = 1_000_000): Promise<void> {
  for (;;) {
    const { count } = await tx.execute(sql`
      delete from ${snapshots}
      where ctid = any(array(select ctid from ${snapshots} where ${lt(snapshots.day, before)} limit ${portion}))`);
    if (count < portion) return;
  }
}

/** Once a day tables are read from end to end, which no request may. */
function unhurried(db: Database, work: (tx: Database) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '2min'`);
    await work(tx);
  });
}
