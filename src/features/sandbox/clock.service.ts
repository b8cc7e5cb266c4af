import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Day } from "@/core/time";
import { alerts, channels, deliveries, niches, sandboxSessions, trackedCreators } from "@/db/schema";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import { computeGrowthPercent, formatPercent } from "@/features/growth/rules";
import { markUnavailable } from "@/features/snapshots/batches.service";
import { recordDaily } from "@/features/snapshots/daily.service";
import { getRunTime, listRunDays } from "./rules";
import type { SandboxMail } from "./schema";
import type { Session } from "./service";

/** Moves the clock of a session, and makes the daily runs that are due by then. */
export async function advanceClock(session: Session, to: Date): Promise<void> {
  const { db, clock, keyId, id, runUntil } = session;
  if (to <= runUntil) return;
  const tracked = await db
    .select({ channelId: trackedCreators.channelId })
    .from(trackedCreators)
    .where(eq(trackedCreators.keyId, keyId));
  const ids = tracked.map(({ channelId }) => channelId);
  let hasAlerts = (await db.$count(alerts, eq(alerts.keyId, keyId))) > 0;
  for (const day of listRunDays(runUntil, to)) {
    clock.set(getRunTime(day));
    hasAlerts = (await runDaily(session, day, ids)).length > 0 || hasAlerts;
    if (hasAlerts) await gradeAlerts(session, keyId);
  }
  clock.set(to);
  await db.update(sandboxSessions).set({ clock: to, runUntil: to }).where(eq(sandboxSessions.id, id));
}

/** @returns ids of the new alerts */
async function runDaily(session: Session, day: Day, channelIds: string[]): Promise<string[]> {
  const stats = await session.platform.listChannels(channelIds, "run");
  const made = await recordDaily(session, day, session.clock.now(), stats);
  const shown = new Set(stats.map(({ channelId }) => channelId));
  const absent = channelIds.filter((id) => !shown.has(id));
  if (absent.length > 0) await markUnavailable(session, absent);
  return made;
}

/**
 * Empties the index of niches, which belongs to no key: each request of the sandbox searches again, for free. Requests of
 * other sessions never see its rows, because they are deleted in the transaction that made them.
 */
export async function clearNiches({ db, keyId }: Session): Promise<void> {
  await db.execute(sql`
    with queue as (delete from niche_queue),
      spent as (delete from daily_allowances where key_id is null or (key_id = ${keyId} and kind = 'new_niche'))
    delete from ${niches}`);
}

/** The emails about alerts that would have been sent. */
export async function listMails({ db }: Session, alertIds: string[]): Promise<SandboxMail[]> {
  const mails = await db
    .select({
      alertId: alerts.id,
      to: sql<string>`${deliveries.recipient}`,
      creatorName: channels.name,
      severity: alerts.severity,
      before: alerts.subscribersBefore,
      after: alerts.subscribersAfter,
    })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .innerJoin(channels, eq(channels.id, alerts.channelId))
    .where(and(inArray(deliveries.alertId, alertIds), isNotNull(deliveries.recipient)))
    .orderBy(desc(alerts.createdAt), desc(alerts.id));
  if (mails.length === 0) return [];
  const { formatGrowthAlertSubject: growthAlertSubject } = await import("@emails/growth-alert");
  return mails.map(({ alertId, to, creatorName, severity, before, after }) => {
    const percent = formatPercent(computeGrowthPercent(before, after) ?? 0);
    return { alert_id: alertId, to, subject: growthAlertSubject({ severity, creatorName, percent }) };
  });
}
