import { and, count, desc, eq, gt, isNull, lte } from "drizzle-orm";
import { AppError, isAppError } from "@/core/errors";
import { createToken, hashOfToken } from "@/core/http/token";
import { DAY, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { apiKeys, channels, shares } from "@/db/schema";
import type { MailContext } from "@/features/context";
import type { KeyId } from "@/features/keys/schema";
import { listHistory } from "./history.service";
import { findTracked } from "./rows.service";
import type { CreatorDetails, HistorySnapshot } from "./schema";
import { getTrackedCreator } from "./service";
import { MAX_SHARES, SHARING_OFF } from "./shares.rules";
import type { NewShare, Share, ShareInput } from "./shares.schema";

/** Whether creators may be shown to people without a key. */
interface Publishing {
  mayPublish: boolean;
}

/**
 * Makes a link to the evidence card of a creator that the key tracks.
 * @throws AppError `not_found` when it does not track it, `forbidden` where links are off, `invalid_request` at the limit
 */
export async function shareCreator(
  ctx: CoreContext & Pick<MailContext, "appUrl"> & Publishing,
  keyId: KeyId,
  { channel_id: channelId, days }: ShareInput,
): Promise<NewShare> {
  if (!ctx.mayPublish) throw new AppError("forbidden", SHARING_OFF);
  const { name } = await findTracked(ctx, keyId, channelId);
  const now = ctx.clock.now();
  const { token, tokenHash } = createToken();
  const expiresAt = toDate(now.getTime() + days * DAY);
  const row = await ctx.db.transaction(async (tx) => {
    // The lock orders concurrent links, so that the count cannot pass the limit.
    await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId)).for("no key update");
    const [open] = await tx.select({ n: count() }).from(shares).where(isOpenShareSql(keyId, now));
    if ((open?.n ?? 0) >= MAX_SHARES)
      throw new AppError(
        "invalid_request",
        `A key can have ${MAX_SHARES} open links. Revoke one in the settings first.`,
      );
    const [stored] = await tx
      .insert(shares)
      .values({ keyId, channelId, tokenHash, createdAt: now, expiresAt })
      .returning();
    return stored;
  });
  if (!row) throw new Error("a link was not stored");
  return { ...toShare({ ...row, name }), url: `${ctx.appUrl}/shared/${token}` };
}

/** The open links of a key, newest first. */
export async function listShares({ db, clock }: CoreContext, keyId: KeyId): Promise<Share[]> {
  const rows = await db
    .select({
      id: shares.id,
      channelId: shares.channelId,
      name: channels.name,
      createdAt: shares.createdAt,
      expiresAt: shares.expiresAt,
    })
    .from(shares)
    .innerJoin(channels, eq(channels.id, shares.channelId))
    .where(isOpenShareSql(keyId, clock.now()))
    .orderBy(desc(shares.createdAt), desc(shares.id));
  return rows.map(toShare);
}

/** Ends a link at once. @throws AppError `not_found` when the key has no such link */
export async function revokeShare({ db }: CoreContext, keyId: KeyId, id: string): Promise<void> {
  const revoked = await db
    .delete(shares)
    .where(and(eq(shares.keyId, keyId), eq(shares.id, id)))
    .returning({ id: shares.id });
  if (revoked.length === 0) throw new AppError("not_found", "Your key has no such link");
}

/** What an evidence card shows: the rows of now, as the key that made its link sees them. */
export interface SharedCard {
  creator: CreatorDetails;
  history: HistorySnapshot[];
  /** The key that shared it. */
  keyId: KeyId;
  expiresAt: Date;
}

/** The card of a link; null once it has expired or was revoked, or its key no longer tracks the creator or was revoked. */
export async function getSharedCard(ctx: CoreContext & Publishing, token: string): Promise<SharedCard | null> {
  const tokenHash = hashOfToken(token);
  if (tokenHash === null || !ctx.mayPublish) return null;
  const [row] = await ctx.db
    .select({ keyId: shares.keyId, channelId: shares.channelId, expiresAt: shares.expiresAt })
    .from(shares)
    .innerJoin(apiKeys, eq(apiKeys.id, shares.keyId))
    .where(and(eq(shares.tokenHash, tokenHash), gt(shares.expiresAt, ctx.clock.now()), isNull(apiKeys.revokedAt)));
  if (!row) return null;
  // A key that was just read from the database.
  const keyId = row.keyId as KeyId;
  try {
    const [creator, history] = await Promise.all([
      getTrackedCreator(ctx, keyId, row.channelId),
      listHistory(ctx, keyId, row.channelId),
    ]);
    return { creator, history, keyId, expiresAt: row.expiresAt };
  } catch (error) {
    // The key untracked it in between.
    if (isAppError(error) && error.status === 404) return null;
    throw error;
  }
}

/** Deletes expired links. */
export async function purgeShares({ db, clock }: CoreContext): Promise<void> {
  await db.delete(shares).where(lte(shares.expiresAt, clock.now()));
}

function isOpenShareSql(keyId: KeyId, now: Date) {
  return and(eq(shares.keyId, keyId), gt(shares.expiresAt, now));
}

function toShare(
  row: Pick<typeof shares.$inferSelect, "id" | "channelId" | "createdAt" | "expiresAt"> & { name: string },
): Share {
  return {
    id: row.id,
    channel_id: row.channelId,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}
