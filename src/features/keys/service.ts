import { randomBytes } from "node:crypto";
import { and, count, desc, eq, exists, gt, isNull, max, or, sql } from "drizzle-orm";
import type { PgColumn, PgUpdateSetSource } from "drizzle-orm/pg-core";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import type { CoreContext } from "@/db/context";
import {
  alertEmails,
  alerts,
  apiKeys,
  consoleSessions,
  dailyUsage,
  hasActiveSecret,
  trackedCreators,
} from "@/db/schema";
import type { Tier } from "@/db/values";
import { formatKeyHint, generateKey, hashKey, isWellFormedKey } from "./rules";
import type { FirstSteps, IssuedKey, Key, KeyFacts, KeyId, KeyRecord, SignedInKey } from "./schema";

/**
 * Authenticates a key.
 * @throws AppError `unauthorized`, the same for a missing, mistyped, unknown or revoked key
 */
export async function authenticate(ctx: CoreContext, presented: string | null): Promise<Key> {
  const [key] = await ctx.db
    .select({ id: apiKeys.id, tier: apiKeys.tier })
    .from(apiKeys)
    .where(hasActiveSecret(requireHash(presented), ctx.clock.now().toISOString()));
  if (!key) throw new AppError("unauthorized", INVALID_API_KEY);
  return { ...key, id: toKeyId(key.id) };
}

/**
 * Authenticates a key for a console session.
 * @throws AppError `unauthorized`
 */
export async function signInKey(ctx: CoreContext, presented: string): Promise<SignedInKey> {
  const { id, tier, label, hint } = apiKeys;
  const hash = requireHash(presented);
  const [key] = await ctx.db
    .select({ id, tier, label, hint })
    .from(apiKeys)
    .where(hasActiveSecret(hash, ctx.clock.now().toISOString()));
  if (!key) throw new AppError("unauthorized", INVALID_API_KEY);
  return { ...key, id: toKeyId(key.id), stamp: hash.slice(0, STAMP_LENGTH) };
}

/** Part of the hash identifies a secret without exposing the whole hash. */
const STAMP_LENGTH = 16;
const selectStampSql = (hash: PgColumn) => sql<string>`left(${hash}, ${sql.raw(String(STAMP_LENGTH))})`;

/**
 * An active key by its id.
 * @param session must be open, and its secret must still work
 * @throws AppError `unauthorized` when the session has ended, its secret no longer works, or the key was deleted
 */
export async function requireActiveKey(
  ctx: CoreContext,
  id: string,
  session?: { id: string; stamp: string },
): Promise<SignedInKey> {
  const { tier, label, hint, secretHash, previousSecretHash, previousWorksUntil } = apiKeys;
  const isSessionValid = session && [
    or(
      eq(selectStampSql(secretHash), session.stamp),
      and(eq(selectStampSql(previousSecretHash), session.stamp), gt(previousWorksUntil, ctx.clock.now())),
    ),
    exists(
      ctx.db
        .select({ id: consoleSessions.id })
        .from(consoleSessions)
        .where(and(eq(consoleSessions.id, session.id), eq(consoleSessions.keyId, apiKeys.id))),
    ),
  ];
  const [key] = await ctx.db
    .select({ id: apiKeys.id, tier, label, hint, stamp: selectStampSql(secretHash) })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), ...(isSessionValid ?? [])));
  if (!key) throw new AppError("unauthorized", INVALID_API_KEY);
  return { ...key, id: toKeyId(key.id) };
}

/** A key as the console shows it. */
export async function getKeyFacts(ctx: CoreContext, id: KeyId): Promise<KeyFacts> {
  const record = await findKey(ctx, id);
  const { label, hint, tier, createdAt, rotatedAt, previousWorksUntil, lastUsedAt } = record;
  const overlaps = previousWorksUntil !== null && previousWorksUntil > ctx.clock.now();
  return {
    label,
    hint,
    tier,
    created_at: createdAt.toISOString(),
    rotated_at: rotatedAt?.toISOString() ?? null,
    previous_key_works_until: overlaps ? previousWorksUntil.toISOString() : null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

/** Which of the steps to a first alert a key has taken. */
export async function getFirstSteps({ db }: CoreContext, id: KeyId): Promise<FirstSteps> {
  const [steps] = await db.execute<{ [Step in keyof FirstSteps]: boolean }>(sql`
    select exists (select from ${trackedCreators} where key_id = ${id}) as tracks_creator,
           exists (select from ${alertEmails} where key_id = ${id}) as has_address,
           exists (select from ${dailyUsage} where key_id = ${id}) as made_request`);
  return steps ?? { tracks_creator: false, has_address: false, made_request: false };
}

/** Issues a key. Its secret is returned once. */
export async function issueKey(ctx: CoreContext, input: { tier: Tier; label: string }): Promise<IssuedKey> {
  const secret = generateKey();
  const id = `key_${randomBytes(12).toString("hex")}`;
  await ctx.db.insert(apiKeys).values({
    id,
    ...input,
    secretHash: hashKey(secret),
    hint: formatKeyHint(secret),
    createdAt: ctx.clock.now(),
  });
  return { record: await findKey(ctx, id), secret };
}

/** All keys, newest first, revoked ones included. */
export async function listKeys({ db }: CoreContext): Promise<KeyRecord[]> {
  const rows = await selectRecords(db).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map(toRecord);
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

/** @throws AppError `not_found` */
export async function findKey({ db }: CoreContext, id: string): Promise<KeyRecord> {
  const [row] = await selectRecords(db).where(eq(apiKeys.id, id));
  if (!row) throw createUnknownKeyError(id);
  return toRecord(row);
}

/** Counts what a deletion would delete, for the confirmation. */
export async function countKeyData({ db }: CoreContext, id: KeyId): Promise<{ creators: number; alerts: number }> {
  const [creators] = await db.select({ n: count() }).from(trackedCreators).where(eq(trackedCreators.keyId, id));
  const [held] = await db.select({ n: count() }).from(alerts).where(eq(alerts.keyId, id));
  return { creators: creators?.n ?? 0, alerts: held?.n ?? 0 };
}

/** Changes the tier from the next request on. @throws AppError `not_found` */
export function setTier(ctx: CoreContext, id: string, tier: Tier): Promise<KeyRecord> {
  return updateKey(ctx, id, { tier });
}

/** Revokes a key at once and keeps its data. Repeating it changes nothing. @throws AppError `not_found` */
export function revokeKey(ctx: CoreContext, id: string): Promise<KeyRecord> {
  return updateKey(ctx, id, {
    revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${ctx.clock.now().toISOString()}::timestamptz)`,
  });
}

/** Deletes a key with all of its data. @throws AppError `not_found` */
export async function deleteKey({ db }: CoreContext, id: string): Promise<void> {
  const deleted = await db.delete(apiKeys).where(eq(apiKeys.id, id)).returning({ id: apiKeys.id });
  if (deleted.length === 0) throw createUnknownKeyError(id);
}

async function updateKey(ctx: CoreContext, id: string, change: PgUpdateSetSource<typeof apiKeys>): Promise<KeyRecord> {
  await ctx.db.update(apiKeys).set(change).where(eq(apiKeys.id, id));
  return findKey(ctx, id);
}

function selectRecords(db: CoreContext["db"]) {
  return db
    .select({
      id: apiKeys.id,
      tier: apiKeys.tier,
      label: apiKeys.label,
      hint: apiKeys.hint,
      createdAt: apiKeys.createdAt,
      rotatedAt: apiKeys.rotatedAt,
      previousWorksUntil: apiKeys.previousWorksUntil,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: max(dailyUsage.lastRequestAt),
    })
    .from(apiKeys)
    .leftJoin(dailyUsage, eq(dailyUsage.keyId, apiKeys.id))
    .groupBy(apiKeys.id)
    .$dynamic();
}

function toRecord(row: Omit<KeyRecord, "id"> & { id: string }): KeyRecord {
  return { ...row, id: toKeyId(row.id) };
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
