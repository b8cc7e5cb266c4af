import { and, desc, eq, gt, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { AppError, createFieldError } from "@/core/errors";
import { addDays, HOUR, ManualClock, SECOND, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import {
  alerts,
  apiKeys,
  channels,
  deliveries,
  niches,
  SANDBOX_SCHEMA,
  sandboxSessions,
  snapshots,
  trackedCreators,
} from "@/db/schema";
import { listPendingCauses, readCause } from "@/features/alerts/cause.service";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import { trackCreators } from "@/features/creators/service";
import { computeGrowthPercent, formatPercent } from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import { issueKey } from "@/features/keys/service";
import { markUnavailable } from "@/features/snapshots/batches.service";
import { recordDaily } from "@/features/snapshots/daily.service";
import { getNextRunTime } from "@/features/snapshots/rules";
import type { PlatformContext } from "@/platform/port";
import { createSandboxPlatform, listSandboxChannelIds } from "@/platform/sandbox";
import { CLOCK_HEADER, type SandboxState, SESSION_HEADER } from "./schema";

export const MAX_SESSIONS = 1000;
export const SESSIONS_PER_ADDRESS = 50;
/** Requests of an address in its sessions, which last an hour each. */
export const REQUESTS_PER_ADDRESS = 2000;
/** Days with daily runs before a session begins. */
const HISTORY_DAYS = 30;
/** Maximum daily runs of one request. A longer jump leaves a gap before them. */
const RUNS_PER_REQUEST = 60;
const DELETED_AT_ONCE = 100;
const BEGIN_LOCK = 7_201;

const { id, address, endsAt, requests } = sandboxSessions;
type SessionRow = typeof sandboxSessions.$inferSelect;
type Visitor = Pick<SessionRow, "id" | "address">;

/** A session, locked until its transaction ends. */
export interface Session extends PlatformContext, Omit<SessionRow, "clock" | "keyId"> {
  clock: ManualClock;
  keyId: KeyId;
}

/**
 * Runs work in a session, in one transaction. The session begins with its first request.
 * @param start the time in a session that begins now
 * @throws AppError `unavailable` when there are too many sessions
 */
export function runInSession<T>(
  ctx: CoreContext,
  visitor: Visitor,
  start: Date,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return runInSandboxSchema(ctx, async (inner) => {
    const open = await lockSession(inner, visitor.id);
    if (open) return work(open);
    // The lock orders what all instances count.
    await inner.db.execute(sql`select pg_advisory_xact_lock(${BEGIN_LOCK}::int)`);
    return work((await lockSession(inner, visitor.id)) ?? (await beginSession(inner, visitor, start)));
  });
}

/** A transaction that sees the tables of the sandbox alone, also behind a pooler. */
function runInSandboxSchema<T>(ctx: CoreContext, work: (inner: CoreContext) => Promise<T>): Promise<T> {
  return ctx.db.transaction(async (db) => {
    await db.execute(sql`set local search_path to ${sql.identifier(SANDBOX_SCHEMA)}`);
    return work({ ...ctx, db });
  });
}

/** Locks a session that has not ended, and counts a request. */
async function lockSession(ctx: CoreContext, sessionId: string): Promise<Session | undefined> {
  const [row] = await ctx.db
    .update(sandboxSessions)
    .set({ requests: sql`${requests} + 1` })
    .where(and(eq(id, sessionId), gt(endsAt, ctx.clock.now())))
    .returning();
  return row && toSession(ctx, row);
}

function toSession(ctx: CoreContext, row: SessionRow): Session {
  const clock = new ManualClock(row.clock);
  const platform = createSandboxPlatform(clock, row.startDay, row.id);
  return { ...ctx, ...row, clock, platform, keyId: row.keyId as KeyId };
}

/** Begins a session whose creators are tracked since before its history. */
async function beginSession(ctx: CoreContext, visitor: Visitor, start: Date): Promise<Session> {
  await deleteEnded(ctx, eq(id, visitor.id));
  await requireRoom(ctx, MAX_SESSIONS, "All sandbox sessions are in use.");
  const problem = `Your address has ${SESSIONS_PER_ADDRESS} sandbox sessions.`;
  await requireRoom(ctx, SESSIONS_PER_ADDRESS, problem, eq(address, visitor.address));
  const { record } = await issueKey(ctx, { tier: "pro", label: "Sandbox" });
  const startDay = toUtcDay(start);
  const row = {
    ...visitor,
    keyId: record.id,
    startDay,
    clock: startOfDay(addDays(startDay, -HISTORY_DAYS)),
    requests: 1,
    endsAt: toDate(ctx.clock.now().getTime() + HOUR),
  };
  await ctx.db.insert(sandboxSessions).values(row);
  const session = toSession(ctx, row);
  await trackCreators(session, session.keyId, listSandboxChannelIds(row.id));
  await advanceClock(session, start);
  return session;
}

/** @throws AppError `unavailable` when this many sessions have not ended */
async function requireRoom({ db, clock }: CoreContext, max: number, problem: string, isAmong?: SQL) {
  const now = clock.now();
  const live = db
    .select({ endsAt })
    .from(sandboxSessions)
    .where(and(gt(endsAt, now), isAmong));
  const [last] = await live.orderBy(desc(endsAt)).offset(max - 1);
  if (!last) return;
  const retryAfter = getSecondsLeft(last, now);
  throw new AppError("unavailable", `${problem} Try again when one ends.`, { retryAfter });
}

function getSecondsLeft(session: Pick<Session, "endsAt">, now: Date): number {
  return Math.ceil((session.endsAt.getTime() - now.getTime()) / SECOND);
}

/** The reason why a session does not answer at this time, or null. @param now in real time */
export async function findRefusal(session: Session, time: Date | undefined, now: Date) {
  const isOwn = and(eq(address, session.address), gt(endsAt, now));
  const own = await session.db.select({ requests }).from(sandboxSessions).where(isOwn);
  if (own.reduce((sum, each) => sum + each.requests, 0) > REQUESTS_PER_ADDRESS)
    return new AppError(
      "too_many_attempts",
      `The sandbox takes ${REQUESTS_PER_ADDRESS} requests an hour from one address. Try again when your session ends.`,
      { retryAfter: getSecondsLeft(session, now) },
    );
  const current = session.clock.now();
  if (!time || time >= current) return null;
  return createFieldError(
    CLOCK_HEADER,
    `must not be before ${current.toISOString()}, the time in your session. To go back, start another session with ${SESSION_HEADER}`,
  );
}

/** Moves the clock of a session, and makes the daily runs that are due by then. */
export async function advanceClock(session: Session, to: Date): Promise<void> {
  const { db, clock, platform, keyId } = session;
  const isTracked = eq(trackedCreators.keyId, keyId);
  const tracked = await db.select({ id: trackedCreators.channelId }).from(trackedCreators).where(isTracked);
  const ids = tracked.map((creator) => creator.id);
  for (const time of listRunTimes(clock.now(), to)) {
    clock.set(time);
    const { channels: stats } = await platform.listChannels(ids);
    const day = toUtcDay(time);
    await recordDaily(session, day, time, stats);
    for (const risen of await listPendingCauses(session, day, ids)) await readCause(session, risen);
    const shown = new Set(stats.map(({ channelId }) => channelId));
    const missing = ids.filter((channelId) => !shown.has(channelId));
    await markUnavailable(session, missing);
    await gradeAlerts(session, keyId);
  }
  clock.set(to);
  await db.update(sandboxSessions).set({ clock: to }).where(eq(id, session.id));
}

/** The times of the daily runs after one instant and not after another, the latest only. */
function listRunTimes(after: Date, until: Date): Date[] {
  const times: Date[] = [];
  for (let at = getNextRunTime(after); at <= until; at = getNextRunTime(at)) times.push(at);
  return times.slice(-RUNS_PER_REQUEST);
}

/** Empties the index of niches, which belongs to no key. Done in each transaction, so no session sees another's rows. */
export async function clearNiches({ db, keyId }: Session): Promise<void> {
  await db.execute(sql`
    with queue as (delete from niche_queue),
      spent as (delete from daily_allowances where key_id is null or (key_id = ${keyId} and kind = 'new_niche'))
    delete from ${niches}`);
}

/** The emails about alerts that would have been sent. */
export async function listMails({ db }: Session, alertIds: string[]): Promise<SandboxState["mails"]> {
  const { formatGrowthAlertSubject } = await import("@emails/growth-alert");
  const mails = await db
    .select({ alert: alerts, to: sql<string>`${deliveries.recipient}`, creatorName: channels.name })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .innerJoin(channels, eq(channels.id, alerts.channelId))
    .where(and(inArray(deliveries.alertId, alertIds), isNotNull(deliveries.recipient)))
    .orderBy(desc(alerts.createdAt), desc(alerts.id));
  return mails.map(({ alert: { id, severity, subscribersBefore, subscribersAfter }, to, creatorName }) => {
    const percent = formatPercent(computeGrowthPercent(subscribersBefore, subscribersAfter) ?? 0);
    return { alert_id: id, to, subject: formatGrowthAlertSubject({ severity, creatorName, percent }) };
  });
}

/** Deletes all sessions that have ended, with their data. */
export async function purgeEndedSessions(ctx: CoreContext): Promise<void> {
  while ((await runInSandboxSchema(ctx, (inner) => deleteEnded(inner))) === DELETED_AT_ONCE);
}

/** Deletes the first sessions that have ended. @returns their number */
async function deleteEnded({ db, clock }: CoreContext, isAmong?: SQL): Promise<number> {
  const ended = await db
    .select({ id, keyId: sandboxSessions.keyId })
    .from(sandboxSessions)
    .where(and(lte(endsAt, clock.now()), isAmong))
    .limit(DELETED_AT_ONCE)
    .for("update", { skipLocked: true });
  const keyIds = ended.map(({ keyId }) => keyId);
  const channelIds = ended.flatMap((session) => listSandboxChannelIds(session.id));
  await db.delete(apiKeys).where(inArray(apiKeys.id, keyIds));
  await db.delete(snapshots).where(inArray(snapshots.channelId, channelIds));
  await db.delete(channels).where(inArray(channels.id, channelIds));
  return ended.length;
}
