import { desc, eq, inArray, lte, sql } from "drizzle-orm";
import { AppError, createFieldError, isUnauthorized } from "@/core/errors";
import { getAddressGroup } from "@/core/http/client-address";
import { toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { consoleSessions, failedSignIns } from "@/db/schema";
import { SANDBOX_KEY } from "@/features/keys/rules";
import type { KeyId, SignedInKey } from "@/features/keys/schema";
import { runExclusively, signInKey } from "@/features/keys/service";
import { FAILURE_WINDOW, getSecondsToWait, MAX_SESSION_AGE, MAX_SESSIONS } from "./rules";

/**
 * Signs in with a key. A valid key always works, so that others cannot lock its owner out. Failures count per address.
 * @param address of the client
 * @throws AppError `invalid_request` for an invalid key, `too_many_attempts` after many of them
 */
export async function signIn(ctx: CoreContext, presented: string, address: string): Promise<SignedInKey> {
  if (presented === SANDBOX_KEY)
    throw createFieldError("key", "is the sandbox key, which works with the API only. Sign in with your own key");
  try {
    return await signInKey(ctx, presented);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    throw await createSignInError(ctx, address);
  }
}

/** Begins a session and ends the key's oldest beyond the limit. @returns the session's id */
export function beginSession(ctx: CoreContext, keyId: KeyId): Promise<string> {
  // Concurrent sign-ins could deadlock on the sessions they end.
  return runExclusively(ctx, keyId, async ({ db, clock }) => {
    const surplus = db
      .select({ id: consoleSessions.id })
      .from(consoleSessions)
      .where(eq(consoleSessions.keyId, keyId))
      .orderBy(desc(consoleSessions.begunAt), desc(consoleSessions.id))
      .offset(MAX_SESSIONS - 1);
    await db.delete(consoleSessions).where(inArray(consoleSessions.id, surplus));
    const begun = db.insert(consoleSessions).values({ keyId, begunAt: clock.now() });
    const [session] = await begun.returning({ id: consoleSessions.id });
    if (!session) throw new Error("a session was not stored");
    return session.id;
  });
}

/** Ends a session, also for copies of its cookie. Repeating it changes nothing. */
export async function endSession({ db }: CoreContext, id: string): Promise<void> {
  await db.delete(consoleSessions).where(eq(consoleSessions.id, id));
}

/** Ends all sessions of a key, also for copies of their cookies. */
export async function endAllSessions({ db }: CoreContext, keyId: KeyId): Promise<void> {
  await db.delete(consoleSessions).where(eq(consoleSessions.keyId, keyId));
}

/** Deletes expired sessions. */
export async function purgeSessions({ db, clock }: CoreContext): Promise<void> {
  const oldest = toDate(clock.now().getTime() - MAX_SESSION_AGE);
  await db.delete(consoleSessions).where(lte(consoleSessions.begunAt, oldest));
}

async function createSignInError(ctx: CoreContext, address: string): Promise<AppError> {
  const wait = getSecondsToWait(await countFailure(ctx, getAddressGroup(address)), ctx.clock.now());
  const message =
    wait > 0
      ? `was wrong too often. Try again in ${Math.ceil(wait / 60)} min.`
      : "is not valid. It may be mistyped, rotated or revoked";
  return new AppError(wait > 0 ? "too_many_attempts" : "invalid_request", `The API key ${message}`, {
    issues: [{ field: "key", message }],
    ...(wait > 0 && { retryAfter: wait }),
  });
}

/** Counts a failure in one statement, after deleting those older than 15 minutes. */
async function countFailure({ db, clock }: CoreContext, address: string): Promise<{ failures: number; since: Date }> {
  const now = clock.now();
  await db.delete(failedSignIns).where(lte(failedSignIns.since, toDate(now.getTime() - FAILURE_WINDOW)));
  const failures = sql`${failedSignIns.failures} + 1`;
  const [counted] = await db
    .insert(failedSignIns)
    .values({ address, since: now, failures: 1 })
    .onConflictDoUpdate({ target: failedSignIns.address, set: { failures } })
    .returning();
  return counted ?? { failures: 1, since: now };
}
