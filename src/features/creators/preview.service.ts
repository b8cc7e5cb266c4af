import { and, eq, gte, inArray, or, sql } from "drizzle-orm";
import { isAppError } from "@/core/errors";
import { DAY, toDate, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { addChanges } from "@/db/feed";
import { channels } from "@/db/schema";
import { lowerCaseSql } from "@/db/schema/columns";
import { upsertChannels } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import { type ChannelReference, type ChannelStats, isPlatformError, type PlatformContext } from "@/platform/port";
import {
  acceptGuess,
  createChannelNotFoundError,
  getLookupAllowance,
  indexStats,
  isLookupsSpent,
  omitErrors,
  parseName,
  readChannels,
  requireAnswer,
  toItemError,
} from "./lookups.service";
import { CREATOR_COLUMNS, toCreator } from "./rows.service";
import { getReferenceName, toChannelUrl } from "./rules";
import type { Creator } from "./schema";
import { filterTracked } from "./service";

/** A channel before it is tracked. */
type Shown = "channel_id" | "name" | "handle" | "url" | "thumbnail_url" | "country" | "counts" | "subscribers";
export type ChannelPreview = Pick<Creator, Shown> & { is_tracked: boolean };
export type PreviewAnswer = Awaited<ReturnType<typeof previewChannels>>;

/**
 * Previews channels that a key does not track yet. Channels read within the last day come from the database.
 * The others use the key's daily look-ups: one for all ids, one for each handle or user name. Without a
 * look-up left, an id is shown with what is known, because it can still be tracked.
 * @throws PlatformError when the platform cannot answer and no channel could be read
 */
export async function previewChannels(ctx: PlatformContext, keyId: KeyId, names: readonly string[]) {
  const requested = names.map(parseName).map((name) => (isAppError(name) ? name : acceptGuess(name)));
  const references = omitErrors(requested);
  const known = await listKnownIds(ctx, references, toDate(ctx.clock.now().getTime() - DAY));
  const unknown = references.filter((reference) => !known.has(getReferenceName(reference)));
  const found = await readChannels(ctx, keyId, unknown, 1);
  if (unknown.length === references.length) requireAnswer(found.values());
  const statsById = indexStats(found);
  await storeStats(ctx, [...statsById.values()]);
  const unread = unknown.flatMap((reference) =>
    reference.kind === "id" && isLookupsSpent(found.get(reference.id)) ? [reference.id] : [],
  );
  const previews = new Map([
    ...unread.map((id): [string, ChannelPreview] => [id, createUnreadPreview(id)]),
    ...(await listPreviews(ctx, keyId, [...known.values(), ...statsById.keys(), ...unread])),
  ]);
  const results = requested.map((reference) => {
    if (isAppError(reference)) return toItemError(reference);
    const name = getReferenceName(reference);
    const stats = found.get(name) ?? createChannelNotFoundError();
    const id = known.get(name) ?? (isAppError(stats) ? name : stats.channelId);
    const channel = previews.get(id);
    return channel ? { channel } : toItemError(isAppError(stats) ? stats : createChannelNotFoundError());
  });
  return { results, ...(await getLookupAllowance(ctx, keyId)) };
}

/**
 * A creator that the key need not track: as stored when it was read within the last day, otherwise by one of the key's
 * daily look-ups. Returns what is stored when no look-up is left or the platform does not answer.
 * @throws AppError `not_found`, or `invalid_request` when nothing is stored and no look-up is left; PlatformError
 */
export async function getCreator(ctx: PlatformContext, keyId: KeyId, reference: ChannelReference) {
  const now = ctx.clock.now();
  const stored = await findStoredId(ctx, reference, toDate(now.getTime() - DAY));
  const id = stored ?? (await lookUp(ctx, keyId, reference));
  const [row] = await ctx.db.select(CREATOR_COLUMNS).from(channels).where(eq(channels.id, id));
  if (!row) throw createChannelNotFoundError();
  const tracked = await filterTracked(ctx, keyId, [id]);
  const readOn = row.readAt && toUtcDay(row.readAt);
  return { creator: toCreator(row, toUtcDay(now)), is_tracked: tracked.has(id), counts_day: readOn };
}

/** Reads a channel with one look-up of the key. @returns its id, once it is stored */
async function lookUp(ctx: PlatformContext, keyId: KeyId, reference: ChannelReference): Promise<string> {
  const name = getReferenceName(reference);
  const stats = (await readChannels(ctx, keyId, [reference], 1)).get(name) ?? createChannelNotFoundError();
  if (!isAppError(stats)) {
    await storeStats(ctx, [stats]);
    return stats.channelId;
  }
  const mayBeStored = isLookupsSpent(stats) || isPlatformError(stats);
  const stored = mayBeStored ? await findStoredId(ctx, reference, toDate(0)) : undefined;
  if (stored === undefined) throw stats;
  return stored;
}

async function findStoredId(ctx: PlatformContext, reference: ChannelReference, since: Date) {
  const id = (await listKnownIds(ctx, [reference], since)).get(getReferenceName(reference));
  if (id === undefined || !ctx.platform.searchesAreFree) return id;
  // Sessions of the sandbox share tables but no channels.
  const { channels: shown } = await ctx.platform.listChannels([id]);
  return shown[0]?.channelId;
}

function storeStats(ctx: CoreContext, stats: ChannelStats[]): Promise<void> {
  return inTransaction(ctx, async (tx) => addChanges(tx, await upsertChannels(tx, stats)));
}

/** A channel of which only the id is known. */
function createUnreadPreview(id: string): ChannelPreview {
  const unknown = { handle: null, thumbnail_url: null, country: null, subscribers: null };
  return { channel_id: id, name: id, url: toChannelUrl(id), counts: "unread", is_tracked: false, ...unknown };
}

/** The ids of channels that the platform showed since an instant, by {@link getReferenceName}. */
async function listKnownIds({ db }: CoreContext, references: readonly ChannelReference[], since: Date) {
  const names = references.map(getReferenceName);
  const handle = lowerCaseSql(channels.handle);
  const isNamed = or(inArray(channels.id, names), inArray(handle, names));
  const rows = await db
    .select({ id: channels.id, handle: sql<string | null>`${handle}` })
    .from(channels)
    .where(and(isNamed, eq(channels.status, "active"), gte(channels.readAt, since)))
    .orderBy(channels.readAt);
  return new Map(rows.flatMap((row) => [row.id, row.handle ?? row.id].map((name) => [name, row.id] as const)));
}

async function listPreviews(ctx: CoreContext, keyId: KeyId, ids: readonly string[]) {
  const tracked = await filterTracked(ctx, keyId, ids);
  const rows = await ctx.db.select(CREATOR_COLUMNS).from(channels).where(inArray(channels.id, ids));
  const today = toUtcDay(ctx.clock.now());
  return new Map(
    rows.map((row) => {
      const { channel_id, name, handle, url, thumbnail_url, country, counts, subscribers } = toCreator(row, today);
      const is_tracked = tracked.has(channel_id);
      return [channel_id, { channel_id, name, handle, url, thumbnail_url, country, counts, subscribers, is_tracked }];
    }),
  );
}
