import { and, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { addDays, DAY, type Day, startOfDay, toDate, toUtcDay } from "@/core/time";
import { purgeAllowances } from "@/db/allowance";
import { type CoreContext, inTransaction } from "@/db/context";
import {
  alerts,
  backups,
  channels,
  deliveries,
  digests,
  mailEvents,
  redisOutages,
  runNotices,
  scoreGrades,
  snapshotRuns,
  snapshots,
  videos,
} from "@/db/schema";
import { purgeCauses } from "@/features/alerts/cause.service";
import { purgeChanges } from "@/features/changes/service";
import { purgeShares } from "@/features/creators/shares.service";
import { purgeNiches } from "@/features/discovery/niches.service";
import { purgeAuditLog } from "@/features/keys/audit.service";
import { purgeKeyRequests } from "@/features/keys/requests.service";
import { purgeListsAndNotes } from "@/features/lists/service";
import { purgeSessions } from "@/features/sessions/service";
import { purgeRequests } from "@/features/usage/request-log.service";

/** Longer than the week in which a digest may be planned. */
const MIN_DIGEST_DAYS = 8;
const RUN_RECORD_DAYS = 400;
/** The mail service repeats an event for two days at most. */
const MAIL_EVENT_DAYS = 7;
/** Maximum days that names and pictures stay without being read again. Counts may stay longer. */
const NAME_DAYS = 30;

/** How many days data is kept; null for ever. */
export interface Retention {
  snapshotDays: number;
  alertDays: number | null;
}

/**
 * Deletes what may no longer be kept: snapshots that would exceed the retention before the next purge, the data of
 * channels not read for as long, channels without references, list entries and notes of creators not tracked for as
 * long, videos and all that alerts say of them but their ids, digests, the text of sent mails, changes older than 30
 * days, old requests, expired sessions, and alerts older than the operator's limit.
 */
export async function purgeExpired(ctx: CoreContext, { snapshotDays, alertDays }: Retention): Promise<void> {
  const today = toUtcDay(ctx.clock.now());
  const oldest = addDays(today, 1 - snapshotDays);
  // In a transaction of its own, since questions about deleted niches wait for its end.
  await runWithLongTimeout(ctx, (tx) => purgeNiches(tx, oldest));
  await runWithLongTimeout(ctx, async (tx) => {
    await purgeSnapshots(tx, oldest);
    await tx.db.delete(scoreGrades).where(lt(scoreGrades.day, oldest));
    const oldestDigest = addDays(today, 1 - Math.max(snapshotDays, MIN_DIGEST_DAYS));
    await tx.db.delete(digests).where(lt(digests.week, oldestDigest));
    await purgeRecords(tx);
    if (alertDays !== null) await tx.db.delete(alerts).where(lt(alerts.day, addDays(today, -alertDays)));
    await purgeListsAndNotes(tx, oldest);
    const unreadSince = startOfDay(addDays(today, 1 - Math.min(snapshotDays, NAME_DAYS)));
    await tx.db.delete(videos).where(lt(videos.readAt, unreadSince));
    await purgeCauses(tx, unreadSince);
    await deleteChannels(tx, unreadSince);
    await emptyChannels(tx, unreadSince);
  });
  await runWithLongTimeout(ctx, purgeChanges);
  await runWithLongTimeout(ctx, purgeRequests);
  await purgeSessions(ctx);
  await purgeAllowances(ctx, addDays(today, -RUN_RECORD_DAYS));
  await purgeKeyRequests(ctx);
  await purgeAuditLog(ctx);
  await purgeShares(ctx);
}

async function purgeRecords({ db, clock }: CoreContext): Promise<void> {
  const now = clock.now();
  const oldest = addDays(toUtcDay(now), -RUN_RECORD_DAYS);
  await db.delete(snapshotRuns).where(lt(snapshotRuns.day, oldest));
  await db.delete(runNotices).where(lt(runNotices.day, oldest));
  await db.delete(backups).where(lt(backups.madeAt, startOfDay(oldest)));
  await db
    .update(deliveries)
    .set({ mail: null })
    .where(and(isNotNull(deliveries.mail), lt(deliveries.finishedAt, toDate(now.getTime() - DAY))));
  await db.delete(redisOutages).where(lt(redisOutages.until, toDate(now.getTime() - DAY)));
  await db.delete(mailEvents).where(lt(mailEvents.receivedAt, toDate(now.getTime() - MAIL_EVENT_DAYS * DAY)));
}

/** Deletes channels without references. Locked rows are in use, and skipped. */
async function deleteChannels({ db }: CoreContext, unreadSince: Date): Promise<void> {
  const isUnread = or(isNull(channels.readAt), lt(channels.readAt, unreadSince));
  await db.execute(sql`
    with gone as (
      select id from channels where ${isUnread}
        and not exists (select from tracked_creators where channel_id = channels.id)
        and not exists (select from alerts where channel_id = channels.id)
        and not exists (select from snapshots where channel_id = channels.id)
        and not exists (select from niche_channels where channel_id = channels.id)
      for update skip locked
    )
    delete from channels using gone where channels.id = gone.id`);
}

async function emptyChannels({ db }: CoreContext, unreadSince: Date): Promise<void> {
  const stale = db
    .select({ id: channels.id })
    .from(channels)
    .where(lt(channels.readAt, unreadSince))
    .for("update", { skipLocked: true });
  await db
    .update(channels)
    .set({
      name: sql`${channels.id}`,
      handle: null,
      thumbnailUrl: null,
      country: null,
      subscribers: null,
      views: null,
      videos: null,
      readAt: null,
      score: null,
      scoreBasis: "profile",
      percentile: null,
      chance7d: null,
      chance28d: null,
      expected7d: null,
      expected28d: null,
      reason: null,
    })
    .where(inArray(channels.id, stale));
}

/** Deletes the snapshots of all days before one, in portions that stay within the time a statement may take. */
export async function purgeSnapshots({ db }: CoreContext, before: Day, portion = 1_000_000): Promise<void> {
  for (;;) {
    const { count } = await db.execute(sql`
      delete from ${snapshots}
      where ctid = any(array(select ctid from ${snapshots} where ${lt(snapshots.day, before)} limit ${portion}))`);
    if (count < portion) return;
  }
}

function runWithLongTimeout(ctx: CoreContext, work: (ctx: CoreContext) => Promise<void>): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    await tx.db.execute(sql`set local statement_timeout = '2min'`);
    await work(tx);
  });
}
