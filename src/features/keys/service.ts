import { randomBytes } from "node:crypto";
import { and, count, desc, eq, gt, isNull, max, or, sql } from "drizzle-orm";
import { type PgColumn, type PgUpdateSetSource, union } from "drizzle-orm/pg-core";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { DAY, toDate } from "@/core/time";
import { forgetAddresses } from "@/db/allowance";
import { type CoreContext, inTransaction } from "@/db/context";
import {
  alertEmails,
  alerts,
  apiKeys,
  consoleSessions,
  dailyUsage,
  deliveries,
  hasActiveSecret,
  keyRequests,
  requestLog,
  suppressions,
  trackedCreators,
} from "@/db/schema";
import type { Tier } from "@/db/values";
import type { MailContext } from "@/features/context";
import { formatKeyHint, generateKey, hashKey, isWellFormedKey } from "./rules";
import type { Key, KeyId, SignedInKey } from "./schema";

/** Authenticates a key. @throws AppError `unauthorized`, the same for a missing, mistyped, unknown or revoked key */
export async function authenticate(ctx: CoreContext, presented: string | null): Promise<Key> {
  const { id, tier } = await signInKey(ctx, presented);
  return { id, tier };
}

/** Authenticates a key for a console session. @throws AppError `unauthorized` */
export async function signInKey(ctx: CoreContext, presented: string | null): Promise<SignedInKey> {
  const { tier, label, hint } = apiKeys;
  const hash = requireHash(presented);
  const [key] = await ctx.db
    .select({ id: KEY_ID_SQL, tier, label, hint })
    .from(apiKeys)
    .where(hasActiveSecret(hash, ctx.clock.now().toISOString()));
  if (!key) throw new AppError("unauthorized", INVALID_API_KEY);
  return { ...key, stamp: hash.slice(0, STAMP_LENGTH) };
}

const KEY_ID_SQL = sql<KeyId>`${apiKeys.id}`;
/** Part of the hash identifies a secret without exposing the whole hash. */
const STAMP_LENGTH = 16;
const selectStampSql = (hash: PgColumn) => sql<string>`left(${hash}, ${sql.raw(String(STAMP_LENGTH))})`;

/**
 * An active key by its id.
 * @param session must be open unless it is one of the demo, and its secret must still work
 * @throws AppError `unauthorized` when the session has ended, its secret no longer works, or the key was deleted
 */
export async function requireActiveKey(ctx: CoreContext, id: string, session?: OpenSession): Promise<SignedInKey> {
  const { tier, label, hint, secretHash } = apiKeys;
  const isOpen = session && isSessionOpenSql(session, ctx.clock.now());
  const [key] = await ctx.db
    .select({ id: KEY_ID_SQL, tier, label, hint, stamp: selectStampSql(secretHash) })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), isOpen));
  if (!key) throw new AppError("unauthorized", INVALID_API_KEY);
  return key;
}

type OpenSession = { id: string; stamp: string; isDemo?: true };

function isSessionOpenSql({ id, stamp, isDemo }: OpenSession, now: Date) {
  const isCurrent = eq(selectStampSql(apiKeys.secretHash), stamp);
  const isPrevious = eq(selectStampSql(apiKeys.previousSecretHash), stamp);
  const isStored = sql`exists (select from ${consoleSessions}
    where ${consoleSessions.id} = ${id} and ${consoleSessions.keyId} = ${apiKeys.id})`;
  const worksStill = and(isPrevious, gt(apiKeys.previousWorksUntil, now));
  return and(or(isCurrent, worksStill), isDemo ? undefined : isStored);
}

export type KeyFacts = Awaited<ReturnType<typeof getKeyFacts>>;

/** A key as the console shows it. */
export async function getKeyFacts(ctx: CoreContext, id: KeyId) {
  const record = await findKey(ctx, id);
  const { label, hint, tier, createdAt, rotatedAt, previousWorksUntil, lastUsedAt } = record;
  const overlaps = previousWorksUntil !== null && previousWorksUntil > ctx.clock.now();
  return {
    label,
    hint,
    tier,
    created_at: createdAt.toISOString(),
    rotated_at: rotatedAt?.toISOString() ?? null,
    /** Null when only the present key works. */
    previous_key_works_until: overlaps ? previousWorksUntil.toISOString() : null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

/** How far back the request log reaches. */
const LOGGED_DAYS = 7;

export type FirstSteps = Awaited<ReturnType<typeof getFirstSteps>>;

/** Which of the steps to a first alert a key has taken. A key older than the request log has made its requests. */
export async function getFirstSteps({ db, clock }: CoreContext, id: KeyId) {
  const logStart = toDate(clock.now().getTime() - LOGGED_DAYS * DAY);
  const none = { tracks_creator: false, has_address: false, made_request: false };
  const [steps] = await db.execute<typeof none>(sql`
    select exists (select from ${trackedCreators} where key_id = ${id}) as tracks_creator,
           exists (select from ${alertEmails} where key_id = ${id}) as has_address,
           exists (select from ${requestLog} where key_id = ${id})
             or created_at < ${logStart.toISOString()}::timestamptz as made_request
    from ${apiKeys} where id = ${id}`);
  return steps ?? none;
}

/** A new key with its secret, which is shown once. */
export type IssuedKey = Awaited<ReturnType<typeof issueKey>>;

/** Issues a key. Its secret is returned once. */
export async function issueKey(ctx: CoreContext, input: { tier: Tier; label: string }) {
  const secret = generateKey();
  const id = `key_${randomBytes(12).toString("hex")}`;
  const hashed = { secretHash: hashKey(secret), hint: formatKeyHint(secret) };
  await ctx.db.insert(apiKeys).values({ id, ...input, ...hashed, createdAt: ctx.clock.now() });
  return { record: await findKey(ctx, id), secret };
}

/** All keys, newest first, revoked ones included. */
export function listKeys(ctx: CoreContext): Promise<KeyRecord[]> {
  return selectRecords(ctx).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

/** Counts active and revoked keys by tier; tiers without keys are left out. */
export function countKeys({ db }: CoreContext): Promise<{ tier: Tier; active: number; revoked: number }[]> {
  return db
    .select({
      tier: apiKeys.tier,
      active: sql<number>`(count(*) filter (where ${apiKeys.revokedAt} is null))::int`,
      revoked: count(apiKeys.revokedAt),
    })
    .from(apiKeys)
    .groupBy(apiKeys.tier);
}

/** A key as the operator sees it, without its secret. */
export type KeyRecord = Awaited<ReturnType<typeof findKey>>;

/** @throws AppError `not_found` */
export async function findKey(ctx: CoreContext, id: string) {
  const [record] = await selectRecords(ctx).where(eq(apiKeys.id, id));
  if (!record) throw createUnknownKeyError(id);
  return record;
}

/** Counts what a deletion would delete, for the confirmation. */
export async function countKeyData({ db }: CoreContext, id: KeyId): Promise<{ creators: number; alerts: number }> {
  const creators = await db.$count(trackedCreators, eq(trackedCreators.keyId, id));
  return { creators, alerts: await db.$count(alerts, eq(alerts.keyId, id)) };
}

/** Changes the tier from the next request on. @throws AppError `not_found` */
export function setTier(ctx: CoreContext, id: string, tier: Tier): Promise<KeyRecord> {
  return updateKey(ctx, id, { tier });
}

/** Revokes a key at once and keeps its data. Repeating it changes nothing. @throws AppError `not_found` */
export function revokeKey(ctx: CoreContext, id: string): Promise<KeyRecord> {
  const revokedAt = sql`coalesce(${apiKeys.revokedAt}, ${ctx.clock.now().toISOString()}::timestamptz)`;
  return updateKey(ctx, id, { revokedAt });
}

/** Makes a revoked key work again. Nothing happens when no key has this secret. */
export async function restoreKey({ db }: CoreContext, secret: string): Promise<void> {
  const isIt = eq(apiKeys.secretHash, hashKey(secret));
  await db.update(apiKeys).set({ revokedAt: null }).where(isIt);
}

/** Deletes a key with all of its data. @throws AppError `not_found` */
export async function deleteKey({ db }: CoreContext, id: string): Promise<void> {
  const { count } = await db.delete(apiKeys).where(eq(apiKeys.id, id));
  if (count === 0) throw createUnknownKeyError(id);
}

async function updateKey(ctx: CoreContext, id: string, change: PgUpdateSetSource<typeof apiKeys>): Promise<KeyRecord> {
  await ctx.db.update(apiKeys).set(change).where(eq(apiKeys.id, id));
  return findKey(ctx, id);
}

function selectRecords({ db }: CoreContext) {
  const { tier, label, hint, createdAt, rotatedAt, previousWorksUntil, revokedAt } = apiKeys;
  const lastUsedAt = max(dailyUsage.lastRequestAt);
  return db
    .select({ id: KEY_ID_SQL, tier, label, hint, createdAt, rotatedAt, previousWorksUntil, revokedAt, lastUsedAt })
    .from(apiKeys)
    .leftJoin(dailyUsage, eq(dailyUsage.keyId, apiKeys.id))
    .groupBy(apiKeys.id)
    .$dynamic();
}

/** Runs work in a transaction, one after another for a key, so that parallel requests cannot exceed a limit. */
export function runExclusively<T>(ctx: CoreContext, id: KeyId, work: (ctx: CoreContext) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    // Inserts that refer to the key do not wait for this lock.
    await tx.db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id)).for("no key update");
    return work(tx);
  });
}

/** The hash of a well-formed key. @throws AppError `unauthorized` without a query */
export function requireHash(presented: string | null): string {
  if (!presented || !isWellFormedKey(presented)) throw new AppError("unauthorized", INVALID_API_KEY);
  return hashKey(presented);
}

/** A key id that was just read from the database. */
export function toKeyId(id: string): KeyId {
  return id as KeyId;
}

function createUnknownKeyError(id: string): AppError {
  return new AppError("not_found", `No key has the id "${id}".`);
}

/** Deletes a key with all of its data, and the mails in the outbox that are to or about its addresses. @throws AppError `not_found` */
export async function eraseKey(ctx: MailContext, id: string): Promise<void> {
  const addresses = await listAddresses(ctx, id);
  await deleteKey(ctx, id);
  const counted = addresses.map((address) => address.toLowerCase());
  await forgetAddresses(ctx, counted);
  await ctx.mailer.forget?.(({ mail }) =>
    addresses.some((address) => mail.to === address || mail.text.includes(address)),
  );
}

/** All addresses that a key has used. */
async function listAddresses({ db }: MailContext, id: string): Promise<string[]> {
  const sent = db
    .select({ email: deliveries.recipient })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alertId))
    .where(eq(alerts.keyId, id));
  const current = db.select({ email: alertEmails.email }).from(alertEmails).where(eq(alertEmails.keyId, id));
  const ended = db.select({ email: suppressions.email }).from(suppressions).where(eq(suppressions.keyId, id));
  const requested = db.select({ email: keyRequests.email }).from(keyRequests).where(eq(keyRequests.keyId, id));
  const rows = await union(sent, current, ended, requested);
  return rows.flatMap(({ email }) => email ?? []);
}
