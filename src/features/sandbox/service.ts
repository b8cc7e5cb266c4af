import { and, asc, count, eq, gt, inArray, lte, min, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { addDays, ManualClock, SECOND, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { apiKeys, channels, SANDBOX_SCHEMA, sandboxSessions, snapshots } from "@/db/schema";
import { trackCreators } from "@/features/creators/service";
import type { KeyId } from "@/features/keys/schema";
import type { PlatformContext } from "@/platform/port";
import { buildSandboxChannelId, createSandboxPlatform, SANDBOX_CREATORS } from "@/platform/sandbox";
import {
  getSessionPrefix,
  HISTORY_DAYS,
  hashTexts,
  MAX_SESSIONS,
  SESSION_LASTS,
  SESSIONS_PER_ADDRESS,
} from "./rules";

const BEGIN_LOCK = 7_201;
/** Ended sessions that one new session deletes at most, so that it begins at once. */
const DELETED_AT_ONCE = 20;
const DELETED_BY_PURGE = 100;

/** The client and its session. */
export interface Caller {
  /** The id of the session. */
  id: string;
  /** A hash of the client's address. */
  address: string;
}

/** A session, locked until its transaction ends. */
export interface Session extends PlatformContext, Caller {
  clock: ManualClock;
  keyId: KeyId;
  endsAt: Date;
  /** Until when its daily runs are made. */
  runUntil: Date;
  /** Requests of the address in all of its sessions, this one included. */
  requests: number;
}

/**
 * Runs work in the caller's session, in one transaction. The session begins with its first request.
 * @param start the time in a session that begins now
 * @throws AppError `unavailable` when there are too many sessions
 */
export async function runInSession<T>(
  ctx: CoreContext,
  caller: Caller,
  start: Date,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const run = () =>
    runInSandboxSchema(ctx.db, async (db) => {
      const session = await lockSession({ ...ctx, db }, caller);
      return session && { result: await work(session) };
    });
  let done = await run();
  if (!done) {
    await runInSandboxSchema(ctx.db, (db) => beginSession({ ...ctx, db }, caller, start));
    done = await run();
  }
  if (!done) throw createUnavailableError("Your sandbox session has just ended. Try again.", SECOND);
  return done.result;
}

/** A transaction that sees the tables of the sandbox alone, also behind a pooler. */
function runInSandboxSchema<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local search_path to ${sql.identifier(SANDBOX_SCHEMA)}`);
    return work(tx);
  });
}

/** Locks a session and counts a request. Null when there is none. */
async function lockSession(ctx: CoreContext, caller: Caller): Promise<Session | null> {
  const now = ctx.clock.now();
  const isLive = gt(sandboxSessions.endsAt, now);
  const [row] = await ctx.db
    .update(sandboxSessions)
    .set({ requests: sql`${sandboxSessions.requests} + 1` })
    .where(and(eq(sandboxSessions.id, caller.id), isLive))
    .returning();
  if (!row) return null;
  const [total] = await ctx.db
    .select({ requests: sql<number>`sum(${sandboxSessions.requests})::int` })
    .from(sandboxSessions)
    .where(and(eq(sandboxSessions.address, caller.address), isLive));
  return toSession(ctx, { ...row, requests: total?.requests ?? 0 });
}

function toSession(ctx: CoreContext, row: typeof sandboxSessions.$inferSelect): Session {
  const clock = new ManualClock(row.clock);
  const platform = createSandboxPlatform(clock, row.startDay, getSessionPrefix(row.id));
  return { ...ctx, ...row, clock, platform, keyId: row.keyId as KeyId };
}

/** Stores a session whose creators are tracked since before its history, unless it exists. */
async function beginSession(ctx: CoreContext, { id, address }: Caller, start: Date): Promise<void> {
  const { db, clock } = ctx;
  const now = clock.now();
  // The lock orders what all instances count.
  await db.execute(sql`select pg_advisory_xact_lock(${BEGIN_LOCK}::int)`);
  await deleteEnded(db, id, now);
  // Begun by another request meanwhile.
  if ((await db.$count(sandboxSessions, eq(sandboxSessions.id, id))) > 0) return;
  await requireFreeSession(db, now);
  await requireFreeSession(db, now, address);
  const startDay = toUtcDay(start);
  const row = {
    id,
    keyId: `sandbox_${id}`,
    address,
    startDay,
    clock: start,
    runUntil: startOfDay(addDays(startDay, -HISTORY_DAYS)),
    requests: 0,
    endsAt: toDate(now.getTime() + SESSION_LASTS),
  };
  const secretHash = hashTexts("hex", row.keyId);
  const key = { secretHash, hint: "cg_test_…", label: "Sandbox", tier: "pro" as const, createdAt: now };
  await db.insert(apiKeys).values({ id: row.keyId, ...key });
  await db.insert(sandboxSessions).values(row);
  const session = toSession(ctx, row);
  session.clock.set(row.runUntil);
  await trackCreators(session, session.keyId, listChannelIds(id));
}

/** @throws AppError `unavailable` when an address, or all together, have as many sessions as they may */
async function requireFreeSession(db: Database, now: Date, address?: string): Promise<void> {
  const isLive = gt(sandboxSessions.endsAt, now);
  const [live] = await db
    .select({ sessions: count(), end: min(sandboxSessions.endsAt) })
    .from(sandboxSessions)
    .where(address === undefined ? isLive : and(isLive, eq(sandboxSessions.address, address)));
  const max = address === undefined ? MAX_SESSIONS : SESSIONS_PER_ADDRESS;
  if (!live?.end || live.sessions < max) return;
  const message =
    address === undefined ? "All sandbox sessions are in use." : `Your address has ${max} sandbox sessions.`;
  throw createUnavailableError(`${message} Try again when one ends.`, live.end.getTime() - now.getTime());
}

/** Deletes this session if it has ended, and the first others that have. */
async function deleteEnded(db: Database, id: string, now: Date, limit = DELETED_AT_ONCE): Promise<number> {
  const ended = await db
    .select({ id: sandboxSessions.id, keyId: sandboxSessions.keyId })
    .from(sandboxSessions)
    .where(lte(sandboxSessions.endsAt, now))
    .orderBy(sql`${sandboxSessions.id} <> ${id}`, asc(sandboxSessions.endsAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  if (ended.length === 0) return 0;
  const ids = ended.flatMap((session) => listChannelIds(session.id));
  const keyIds = ended.map(({ keyId }) => keyId);
  await db.delete(apiKeys).where(inArray(apiKeys.id, keyIds));
  await db.delete(snapshots).where(inArray(snapshots.channelId, ids));
  await db.delete(channels).where(inArray(channels.id, ids));
  return ended.length;
}

/** Deletes all sessions that have ended, with their data. */
export async function purgeEndedSessions({ db, clock }: CoreContext): Promise<void> {
  const deleteSome = () => runInSandboxSchema(db, (tx) => deleteEnded(tx, "", clock.now(), DELETED_BY_PURGE));
  while ((await deleteSome()) === DELETED_BY_PURGE);
}

function listChannelIds(sessionId: string): string[] {
  return SANDBOX_CREATORS.map((name) => buildSandboxChannelId(getSessionPrefix(sessionId), name));
}

function createUnavailableError(message: string, milliseconds: number): AppError {
  return new AppError("unavailable", message, { retryAfter: Math.ceil(milliseconds / SECOND) });
}
