import { inArray, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { channels } from "@/core/db/schema";
import { lowerCase } from "@/core/db/schema/columns";
import { isAppError } from "@/core/errors";
import { DAY, instant, isoTime, utcDay } from "@/core/time";
import { upsertChannels } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference, PlatformContext } from "@/platform/port";
import {
  itemError,
  lookupAllowance,
  noSuchChannel,
  parseName,
  readChannels,
  requireAnswer,
  withoutErrors,
} from "./lookups.service";
import { asCreator, creatorColumns } from "./rows.service";
import { referenceName } from "./rules";
import type { ChannelPreview, PreviewAnswer } from "./schema";
import { trackedAmong } from "./service";

/**
 * Channels before a key tracks them. Those read within the last day come from the database. The others use the key's
 * look-ups of the day: one for all ids, and one for each handle or user name.
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
  if (known.size === 0) requireAnswer(found.values());
  const readings = withoutErrors(found.values());
  await upsertChannels(ctx.db, readings, ctx.clock.now());
  const previews = await previewsOf(ctx, keyId, [
    ...known.values(),
    ...readings.map(({ channelId }) => channelId),
  ]);
  const results = asked.map((reference) => {
    if (isAppError(reference)) return { error: itemError(reference) };
    const name = referenceName(reference);
    const reading = found.get(name) ?? noSuchChannel();
    const id = known.get(name) ?? (isAppError(reading) ? null : reading.channelId);
    const channel = id && previews.get(id);
    return channel ? { channel } : { error: itemError(isAppError(reading) ? reading : noSuchChannel()) };
  });
  return { results, ...(await lookupAllowance(ctx, keyId)) };
}

/** The ids of channels that the platform showed within the last day, by {@link referenceName}. */
async function knownIds(
  { db, clock }: CoreContext,
  references: readonly ChannelReference[],
): Promise<Map<string, string>> {
  const names = JSON.stringify(references.map(referenceName));
  const dayAgo = isoTime(instant(clock.now().getTime() - DAY));
  const rows = await db.execute<{ name: string; id: string }>(sql`
    select name, channels.id from jsonb_array_elements_text(${names}::jsonb) as asked (name)
    join channels on channels.id = name or ${lowerCase(channels.handle)} = name
    where channels.status = 'active' and channels.read_at >= ${dayAgo}::timestamptz
    order by channels.read_at`);
  return new Map(rows.map(({ name, id }) => [name, id]));
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
