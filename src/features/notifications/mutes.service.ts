import { and, eq, sql } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { buildPagination, type PageQuery } from "@/core/http/page";
import type { CoreContext } from "@/db/context";
import { channels, mutedCreators } from "@/db/schema";
import { toIsoText } from "@/db/statement";
import type { MailContext } from "@/features/context";
import { findStoredChannel } from "@/features/creators/rows.service";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference } from "@/platform/port";

const isMuteSql = (keyId: string, channelId: string) =>
  and(eq(mutedCreators.keyId, keyId), eq(mutedCreators.channelId, channelId));

/** The link by which the reader of an alert mail mutes its creator. */
export function createMuteToken({ links }: MailContext, keyId: string, channelId: string): string {
  return links.sign("mute", [keyId, channelId]);
}

/** The name of the creator in a signed link; the channel id once the name is deleted. Null when the link is not valid. */
export async function findCreatorToMute({ db, links }: MailContext, token: string): Promise<string | null> {
  const [, channelId] = links.verify("mute", token) ?? [];
  if (!channelId) return null;
  const [channel] = await db.select({ name: channels.name }).from(channels).where(eq(channels.id, channelId));
  return channel?.name || channelId;
}

/** Mutes the creator of a signed link. False when the link is not valid, or its key or creator was deleted. */
export async function muteByLink(ctx: MailContext, token: string): Promise<boolean> {
  const [keyId, channelId] = ctx.links.verify("mute", token) ?? [];
  return keyId !== undefined && channelId !== undefined && (await storeMute(ctx, keyId, channelId));
}

/**
 * Stops the emails about one creator. Its alerts are still created. Safe to repeat.
 * @throws AppError `not_found` unless the key tracks the creator or has an alert of it
 */
export async function muteCreator(ctx: CoreContext, keyId: KeyId, channelId: string): Promise<void> {
  if (!(await storeMute(ctx, keyId, channelId))) throw createUnknownCreatorError();
}

/** The id of a creator that the key tracks, muted or has an alert of, by id or handle. @throws AppError `not_found` */
export async function findKnownId(ctx: CoreContext, keyId: KeyId, reference: ChannelReference): Promise<string> {
  const known = sql`(
    select channel_id from tracked_creators where key_id = ${keyId}
    union select channel_id from alerts where key_id = ${keyId}
    union select channel_id from muted_creators where key_id = ${keyId})`;
  const id = await findStoredChannel(ctx, reference, known);
  if (id === null) throw createUnknownCreatorError();
  return id;
}

function createUnknownCreatorError(): AppError {
  return new AppError("not_tracked", "Your key neither tracks this creator nor has an alert of it");
}

async function storeMute({ db, clock }: CoreContext, keyId: string, channelId: string): Promise<boolean> {
  const now = clock.now().toISOString();
  const stored = await db.execute(sql`
    insert into muted_creators (key_id, channel_id, muted_at)
    select key_id, channel_id, ${now}::timestamptz from (
      select key_id, channel_id from tracked_creators
      union
      select key_id, channel_id from alerts
    ) as known
    where key_id = ${keyId} and channel_id = ${channelId}
    on conflict (key_id, channel_id) do update set muted_at = muted_creators.muted_at
    returning channel_id`);
  return stored.length > 0;
}

/** Allows the emails about a creator again. Safe to repeat. */
export async function unmuteCreator({ db }: CoreContext, keyId: KeyId, channelId: string): Promise<void> {
  await db.delete(mutedCreators).where(isMuteSql(keyId, channelId));
}

/** Whether the key muted a creator. */
export async function isMuted({ db }: CoreContext, keyId: KeyId, channelId: string): Promise<boolean> {
  return (await db.$count(mutedCreators, isMuteSql(keyId, channelId))) > 0;
}

/** A page of the creators that the key muted. */
export async function listMutedPage(ctx: CoreContext, keyId: KeyId, page: PageQuery) {
  const creators = await listMutedCreators(ctx, keyId).offset(page.offset).limit(page.limit);
  const total = await ctx.db.$count(mutedCreators, eq(mutedCreators.keyId, keyId));
  return { pagination: buildPagination(page, total), creators };
}

/** The creators that the key muted, by name. */
export function listMutedCreators({ db }: CoreContext, keyId: KeyId) {
  return db
    .select({ channel_id: channels.id, name: channels.name, muted_at: toIsoText(mutedCreators.mutedAt) })
    .from(mutedCreators)
    .innerJoin(channels, eq(channels.id, mutedCreators.channelId))
    .where(eq(mutedCreators.keyId, keyId))
    .orderBy(sql`lower(${channels.name})`, channels.id)
    .$dynamic();
}
