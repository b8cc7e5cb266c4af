import { and, eq, gte, inArray, or, sql } from "drizzle-orm";
import { isAppError } from "@/core/errors";
import { DAY, instant, utcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { addChanges } from "@/db/feed";
import { channels } from "@/db/schema";
import { lowerCase } from "@/db/schema/columns";
import { upsertChannels } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference, PlatformContext } from "@/platform/port";
import {
  isSpent,
  itemError,
  lookupAllowance,
  noSuchChannel,
  parseName,
  readChannels,
  readingsOf,
  requireAnswer,
  withoutErrors,
} from "./lookups.service";
import { asCreator, creatorColumns } from "./rows.service";
import { channelUrl, referenceName } from "./rules";
import type { ChannelPreview, PreviewAnswer } from "./schema";
import { trackedAmong } from "./service";

/**
 * Channels before a key tracks them. Those read within the last day come from the database. The others use the key's
 * look-ups of the day: one for all ids, and one for each handle or user name. Without a look-up left, an id is shown as
 * far as it is known, because it can still be tracked.
 * @throws PlatformError when the platform cannot answer and no channel could be read
 */
export async function previewChannels(
  ctx: PlatformContext,
  keyId: KeyId,
  names: readonly string[],
): Promise<PreviewAnswer> {
  const asked = names.map(parseName);
  const references = withoutErrors(asked);
  const known = await knownIds(ctx, references);
  const unknown = references.filter((reference) => !known.has(referenceName(reference)));
  const found = await readChannels(ctx, keyId, unknown, 1);
  if (unknown.length === references.length) requireAnswer(found.values());
  const readings = readingsOf(found);
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await addChanges(tx, now, await upsertChannels(tx, [...readings.values()], now));
  });
  const unread = unknown.flatMap((reference) =>
    reference.kind === "id" && isSpent(found.get(reference.id)) ? [reference.id] : [],
  );
  const previews = new Map([
    ...unread.map((id): [string, ChannelPreview] => [id, unreadPreview(id)]),
    ...(await previewsOf(ctx, keyId, [...known.values(), ...readings.keys(), ...unread])),
  ]);
  const results = asked.map((reference) => {
    if (isAppError(reference)) return { error: itemError(reference) };
    const name = referenceName(reference);
    const reading = found.get(name) ?? noSuchChannel();
    const id = known.get(name) ?? (isAppError(reading) ? name : reading.channelId);
    const channel = previews.get(id);
    return channel ? { channel } : { error: itemError(isAppError(reading) ? reading : noSuchChannel()) };
  });
  return { results, ...(await lookupAllowance(ctx, keyId)) };
}

/** A channel of which only the id is known. */
function unreadPreview(id: string): ChannelPreview {
  const unknown = { handle: null, thumbnail_url: null, country: null, subscribers: null };
  return { channel_id: id, name: id, url: channelUrl(id), counts: "unread", is_tracked: false, ...unknown };
}

/** The ids of channels that the platform showed within the last day, by {@link referenceName}. */
async function knownIds(
  { db, clock }: CoreContext,
  references: readonly ChannelReference[],
): Promise<Map<string, string>> {
  const names = references.map(referenceName);
  const handle = lowerCase(channels.handle);
  const rows = await db
    .select({ id: channels.id, handle: sql<string | null>`${handle}` })
    .from(channels)
    .where(
      and(
        or(inArray(channels.id, names), inArray(handle, names)),
        eq(channels.status, "active"),
        gte(channels.readAt, instant(clock.now().getTime() - DAY)),
      ),
    )
    .orderBy(channels.readAt);
  return new Map(
    rows.flatMap((row): [string, string][] => [
      [row.id, row.id],
      [row.handle ?? row.id, row.id],
    ]),
  );
}

async function previewsOf(
  ctx: CoreContext,
  keyId: KeyId,
  ids: readonly string[],
): Promise<Map<string, ChannelPreview>> {
  const tracked = await trackedAmong(ctx, keyId, ids);
  const rows = await ctx.db
    .select(creatorColumns)
    .from(channels)
    .where(inArray(channels.id, [...ids]));
  const today = utcDay(ctx.clock.now());
  return new Map(rows.map((row) => [row.id, { ...asCreator(row, today), is_tracked: tracked.has(row.id) }]));
}
