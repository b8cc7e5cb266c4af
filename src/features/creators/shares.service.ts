import { and, desc, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { createToken, hashOfToken } from "@/core/http/token";
import { DAY, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { apiKeys, channels, creatorLists, shares } from "@/db/schema";
import { toIsoText } from "@/db/statement";
import type { MailContext } from "@/features/context";
import type { KeyId } from "@/features/keys/schema";
import { runExclusively, toKeyId } from "@/features/keys/service";
import { listHistory } from "./history.service";
import { type ShareInput, TrackedQuery } from "./query.schema";
import { findTracked } from "./rows.service";
import { MAX_SHARES, SHARING_OFF } from "./rules";
import { getTrackedCreator } from "./service";
import { getTrackedTable } from "./table.service";

/** Whether creators may be shown to people without a key. */
interface Publishing {
  mayPublish: boolean;
}

/**
 * Makes a link to the evidence card of a creator that the key tracks, or to one of its lists.
 * @throws AppError `not_found` when the key has no such creator or list, `forbidden` where links are off,
 * `invalid_request` at the limit
 */
export async function createShare(
  ctx: CoreContext & Pick<MailContext, "appUrl"> & Publishing,
  keyId: KeyId,
  { days, ...shared }: ShareInput,
) {
  if (!ctx.mayPublish) throw new AppError("forbidden", SHARING_OFF);
  const { name } =
    "list_id" in shared ? await findList(ctx, keyId, shared.list_id) : await findTracked(ctx, keyId, shared.channel_id);
  const subject = "list_id" in shared ? { listId: shared.list_id } : { channelId: shared.channel_id };
  const now = ctx.clock.now();
  const { token, tokenHash } = createToken();
  const expiresAt = toDate(now.getTime() + days * DAY);
  const [row] = await runExclusively(ctx, keyId, async ({ db }) => {
    const problem = `A key can have ${MAX_SHARES} open links. Revoke one in the settings first.`;
    if ((await db.$count(shares, isOpenShareSql(keyId, now))) >= MAX_SHARES)
      throw new AppError("invalid_request", problem);
    const link = { keyId, ...subject, tokenHash, createdAt: now, expiresAt };
    return db.insert(shares).values(link).returning(SHARE);
  });
  if (!row) throw new Error("a link was not stored");
  // The URL is given once; only the hash of its token is stored.
  return { ...row, name, url: `${ctx.appUrl}/shared/${token}` };
}

const SHARE = {
  id: shares.id,
  /** Null for a list. */
  channel_id: shares.channelId,
  created_at: toIsoText(shares.createdAt),
  expires_at: toIsoText(shares.expiresAt),
};

/** @throws AppError `not_found` */
async function findList({ db }: CoreContext, keyId: KeyId, id: string): Promise<{ name: string }> {
  const isList = and(eq(creatorLists.keyId, keyId), eq(creatorLists.id, id));
  const [list] = await db.select({ name: creatorLists.name }).from(creatorLists).where(isList);
  if (!list) throw new AppError("not_found", "This key has no list with that id");
  return list;
}

/** A link to an evidence card or a list, as its key sees it. Its name is that of the creator or the list. */
export type Share = Awaited<ReturnType<typeof listShares>>[number];

/** The open links of a key, newest first. */
export function listShares({ db, clock }: CoreContext, keyId: KeyId) {
  return db
    .select({ ...SHARE, name: sql<string>`coalesce(${channels.name}, ${creatorLists.name})` })
    .from(shares)
    .leftJoin(channels, eq(channels.id, shares.channelId))
    .leftJoin(creatorLists, and(eq(creatorLists.keyId, shares.keyId), eq(creatorLists.id, shares.listId)))
    .where(isOpenShareSql(keyId, clock.now()))
    .orderBy(desc(shares.createdAt), desc(shares.id));
}

/** Ends a link at once. @throws AppError `not_found` when the key has no such link */
export async function revokeShare({ db }: CoreContext, keyId: KeyId, id: string): Promise<void> {
  const { count } = await db.delete(shares).where(and(eq(shares.keyId, keyId), eq(shares.id, id)));
  if (count === 0) throw new AppError("not_found", "Your key has no such link");
}

/** What an evidence card shows: the rows of now, as the key that made its link sees them. */
export type SharedCard = NonNullable<Awaited<ReturnType<typeof getSharedCard>>>;
/** A shared list: its creators of now, the highest score first, as the key that made its link sees them. */
export type SharedList = NonNullable<Awaited<ReturnType<typeof getSharedList>>>;

/** The most creators that a shared list shows. */
const LIST_LENGTH = 100;

/** The card of a link; null once it has expired or was revoked, or its key no longer tracks the creator or was revoked. */
export async function getSharedCard(ctx: CoreContext & Publishing, token: string) {
  const share = await findShare(ctx, token);
  if (!share?.channelId) return null;
  const { keyId, channelId, expiresAt } = share;
  const [creator, history] = await Promise.all([
    getTrackedCreator(ctx, keyId, channelId),
    listHistory(ctx, keyId, channelId),
  ]);
  return { creator, history, keyId, expiresAt };
}

/** The list of a link; null once it has expired or was revoked, or its list was deleted or its key revoked. */
export async function getSharedList(ctx: CoreContext & Publishing, token: string) {
  const share = await findShare(ctx, token);
  if (!share?.listId) return null;
  const { keyId, listId, expiresAt } = share;
  const { name } = await findList(ctx, keyId, listId);
  const table = await getTrackedTable(ctx, keyId, TrackedQuery.parse({ list: listId, limit: LIST_LENGTH }));
  return { name, table, expiresAt };
}

async function findShare({ db, clock, mayPublish }: CoreContext & Publishing, token: string) {
  const tokenHash = hashOfToken(token);
  if (tokenHash === null || !mayPublish) return null;
  const { keyId, channelId, listId, expiresAt } = shares;
  const [row] = await db
    .select({ keyId, channelId, listId, expiresAt })
    .from(shares)
    .innerJoin(apiKeys, eq(apiKeys.id, shares.keyId))
    .where(and(eq(shares.tokenHash, tokenHash), gt(shares.expiresAt, clock.now()), isNull(apiKeys.revokedAt)));
  return row ? { ...row, keyId: toKeyId(row.keyId) } : null;
}

/** Deletes expired links. */
export async function purgeShares({ db, clock }: CoreContext): Promise<void> {
  await db.delete(shares).where(lte(shares.expiresAt, clock.now()));
}

function isOpenShareSql(keyId: KeyId, now: Date) {
  return and(eq(shares.keyId, keyId), gt(shares.expiresAt, now));
}
