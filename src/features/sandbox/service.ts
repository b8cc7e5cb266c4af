import { and, desc, eq, gt, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { AppError, createFieldError } from "@/core/errors";
import { addDays, HOUR, ManualClock, SECOND, startOfDay, toDate, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { alerts, channels, deliveries, SANDBOX_SCHEMA, sandboxSessions, trackedCreators } from "@/db/schema";
import { listPendingCauses, readCause } from "@/features/alerts/cause.service";
import { gradeAlerts } from "@/features/alerts/outcomes.service";
import { trackCreators } from "@/features/creators/service";
import { computeGrowthPercent, formatPercent } from "@/features/growth/rules";
import type { KeyId } from "@/features/keys/schema";
import { issueKey, toKeyId } from "@/features/keys/service";
import { markUnavailable } from "@/features/snapshots/batches.service";
import { recordDaily } from "@/features/snapshots/daily.service";
import { getNextRunTime } from "@/features/snapshots/rules";
import type { PlatformContext } from "@/platform/port";
import { createSandboxPlatform, listSandboxChannelIds } from "@/platform/sandbox";
import { CLOCK_HEADER, SESSION_HEADER } from "./schema";

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

const { id, endsAt, requests } = sandboxSessions;
export type Session = Omit<typeof sandboxSessions.$inferSelect, "keyId"> & { keyId: KeyId };
type Visitor = Pick<Session, "id" | "address">;
type InSession<Context> = Context & PlatformContext & { clock: ManualClock };

/**
 * Runs work in a session, in one transaction that locks it. The session begins with its first request.
 * @param start the time in a session that begins now
 * @throws AppError `unavailable` or `too_many_attempts` when there are too many sessions
 */
export function runInSession<Context extends CoreContext, Result>(
  ctx: Context,
  visitor: Visitor,
  start: Date,
  work: (ctx: InSession<Context>, session: Session) => Promise<Result>,
): Promise<Result> {
  return runInSchema(ctx, async (inner) => {
    let session = await lockSession(inner, visitor);
    if (!session) {
      // The lock orders what all instances count.
      await inner.db.execute(sql`select pg_advisory_xact_lock(${BEGIN_LOCK}::int)`);
      session = (await lockSession(inner, visitor)) ?? (await beginSession(inner, visitor, start));
    }
    return work(enterSession(inner, session), session);
  });
}

/** A transaction that sees the tables of the sandbox alone, also behind a pooler. */
function runInSchema<Context extends CoreContext, Result>(ctx: Context, work: (ctx: Context) => Promise<Result>) {
  return inTransaction(ctx, async (inner) => {
    await inner.db.execute(sql`set local search_path to ${sql.identifier(SANDBOX_SCHEMA)}`);
    return work(inner);
  });
}

/** Locks a session that has not ended, and counts a request. */
async function lockSession({ db, clock }: CoreContext, visitor: Visitor): Promise<Session | undefined> {
  const isOpen = and(eq(id, visitor.id), gt(endsAt, clock.now()));
  const counted = { requests: sql`${requests} + 1` };
  const [row] = await db.update(sandboxSessions).set(counted).where(isOpen).returning();
  return row && { ...row, keyId: toKeyId(row.keyId) };
}

function enterSession<Context extends CoreContext>(ctx: Context, session: Session): InSession<Context> {
  const clock = new ManualClock(session.clock);
  return { ...ctx, clock, platform: createSandboxPlatform(clock, session.startDay, session.id) };
}

/** Begins a session whose creators are tracked since before its history. */
async function beginSession(ctx: CoreContext, visitor: Visitor, start: Date): Promise<Session> {
  await deleteEnded(ctx, visitor.id);
  await requireRoom(ctx, visitor);
  const { record } = await issueKey(ctx, { tier: "pro", label: "Sandbox" });
  const startDay = toUtcDay(start);
  const clock = startOfDay(addDays(startDay, -HISTORY_DAYS));
  const ends = toDate(ctx.clock.now().getTime() + HOUR);
  const session = { ...visitor, keyId: record.id, startDay, clock, requests: 1, endsAt: ends };
  await ctx.db.insert(sandboxSessions).values(session);
  const inner = enterSession(ctx, session);
  await trackCreators(inner, session.keyId, listSandboxChannelIds(session.id));
  await advanceClock(inner, session, start);
  return { ...session, clock: start };
}

/** @throws AppError `sandbox_busy` when all sessions are in use, `sandbox_limit` when all of the visitor's address are */
async function requireRoom({ db, clock }: CoreContext, visitor: Visitor): Promise<void> {
  const now = clock.now();
  const open = await db.select().from(sandboxSessions).where(gt(endsAt, now)).orderBy(desc(endsAt));
  const own = open.filter(({ address }) => address === visitor.address)[SESSIONS_PER_ADDRESS - 1];
  const any = open[MAX_SESSIONS - 1];
  if (any) throw createWaitError("sandbox_busy", "All sandbox sessions are in use. Try again when one ends.", any, now);
  const held = `Your address has ${SESSIONS_PER_ADDRESS} sandbox sessions. Try again when one ends.`;
  if (own) throw createWaitError("sandbox_limit", held, own, now);
}

function createWaitError(code: AppError["code"], problem: string, { endsAt }: Pick<Session, "endsAt">, now: Date) {
  return new AppError(code, problem, { retryAfter: Math.ceil((endsAt.getTime() - now.getTime()) / SECOND) });
}

/** Moves the clock of a session. @param now in real time @returns why the session does not answer, or null */
export async function moveClock(ctx: InSession<CoreContext>, session: Session, time: Date | undefined, now: Date) {
  const [own] = await ctx.db.execute<{ requests: number }>(sql`
    select sum(requests)::int as requests from sandbox_sessions
    where address = ${session.address} and ends_at > ${now.toISOString()}::timestamptz`);
  const busy = `The sandbox takes ${REQUESTS_PER_ADDRESS} requests an hour from one address. Try again when your session ends.`;
  if (own && own.requests > REQUESTS_PER_ADDRESS) return createWaitError("sandbox_limit", busy, session, now);
  if (!time) return null;
  const current = ctx.clock.now();
  const problem = `must not be before ${current.toISOString()}, the time in your session. To go back, start another session with ${SESSION_HEADER}`;
  if (time < current) return createFieldError(CLOCK_HEADER, problem);
  await advanceClock(ctx, session, time);
  return null;
}

/** Makes the latest daily runs that are due by an instant, and sets the clock to it. */
async function advanceClock(ctx: InSession<CoreContext>, { id: sessionId, keyId }: Session, to: Date) {
  const { db, clock, platform } = ctx;
  const runs: Date[] = [];
  for (let at = getNextRunTime(clock.now()); at <= to; at = getNextRunTime(at)) runs.push(at);
  const tracked = await db.select().from(trackedCreators).where(eq(trackedCreators.keyId, keyId));
  const ids = tracked.map(({ channelId }) => channelId);
  for (const time of runs.slice(-RUNS_PER_REQUEST)) {
    clock.set(time);
    const { channels: stats } = await platform.listChannels(ids);
    const day = toUtcDay(time);
    await recordDaily(ctx, day, time, stats);
    for (const risen of await listPendingCauses(ctx, day, ids)) await readCause(ctx, risen);
    const missing = ids.filter((id) => !stats.some(({ channelId }) => channelId === id));
    await markUnavailable(ctx, missing);
    await gradeAlerts(ctx, keyId);
  }
  clock.set(to);
  await db.update(sandboxSessions).set({ clock: to }).where(eq(id, sessionId));
}

/** Empties the index of niches, which belongs to no key. Done in each transaction, so no session sees another's rows. */
export async function clearNiches({ db }: CoreContext): Promise<void> {
  await db.execute(sql`
    with queue as (delete from niche_queue),
      spent as (delete from daily_allowances where key_id is null or kind = 'new_niche')
    delete from niches`);
}

/** The emails about alerts that would have been sent. */
export async function listMails({ db }: CoreContext, alertIds: string[]) {
  const { formatGrowthAlertSubject } = await import("@emails/growth-alert");
  const mails = await db
    .select({ alert: alerts, to: sql<string>`${deliveries.recipient}`, creatorName: channels.name })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .innerJoin(channels, eq(channels.id, alerts.channelId))
    .where(and(inArray(alerts.id, alertIds), isNotNull(deliveries.recipient)))
    .orderBy(desc(alerts.createdAt), desc(alerts.id));
  return mails.map(({ alert: { id, severity, subscribersBefore, subscribersAfter }, to, creatorName }) => {
    const percent = formatPercent(computeGrowthPercent(subscribersBefore, subscribersAfter) ?? 0);
    return { alert_id: id, to, subject: formatGrowthAlertSubject({ severity, creatorName, percent }) };
  });
}

/** Deletes all sessions that have ended, with their data. */
export async function purgeEndedSessions(ctx: CoreContext): Promise<void> {
  while ((await runInSchema(ctx, (inner) => deleteEnded(inner))) === DELETED_AT_ONCE);
}

/** Deletes a session if it has ended, or the first sessions that have. @returns their number */
async function deleteEnded({ db, clock }: CoreContext, sessionId?: string): Promise<number> {
  const isEnded = and(lte(endsAt, clock.now()), sessionId ? eq(id, sessionId) : undefined);
  const first = db.select().from(sandboxSessions).where(isEnded).limit(DELETED_AT_ONCE);
  const ended = await first.for("update", { skipLocked: true });
  if (ended.length === 0) return 0;
  const keyIds = ended.map(({ keyId }) => keyId);
  const channelIds = ended.flatMap((session) => listSandboxChannelIds(session.id));
  await db.execute(sql`delete from api_keys where id in ${keyIds}`);
  await db.execute(sql`delete from snapshots where channel_id in ${channelIds}`);
  await db.execute(sql`delete from channels where id in ${channelIds}`);
  return ended.length;
}
