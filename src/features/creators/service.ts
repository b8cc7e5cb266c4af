import { and, eq, inArray, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { trackedCreators } from "@/core/db/schema";
import { AppError } from "@/core/errors";
import { type PageQuery, type Pagination, pagination } from "@/core/http/page";
import { utcDay } from "@/core/time";
import { growthOf, scorePartsOf } from "@/features/growth/details.service";
import { insertUnread, recordReadings } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference, PlatformContext } from "@/platform/port";
import { asTracked, findTracked, latestTracked, notTracked } from "./rows.service";
import type { CreatorDetails, TrackedCreator } from "./schema";

const UNREAD_PER_INSERT = 1000;

/**
 * Starts tracking a creator for a key and takes the first reading at once. Tracking it again changes nothing.
 * @throws AppError `not_found` when the platform has no such channel; PlatformError when it cannot answer
 */
export async function trackCreator(
  ctx: PlatformContext,
  keyId: KeyId,
  reference: ChannelReference,
): Promise<TrackedCreator> {
  const asked = utcDay(ctx.clock.now());
  const reading = await ctx.platform.find(reference);
  if (!reading) throw new AppError("not_found", "The platform has no such channel");
  const tracked = await ctx.db.transaction(async (tx) => {
    // The planner waits for this transaction, so a run reads exactly what was tracked when it was planned.
    await tx.execute(sql`lock ${trackedCreators} in row exclusive mode`);
    const now = ctx.clock.now();
    if (utcDay(now) !== asked) return null;
    await recordReadings({ ...ctx, db: tx, clock: { now: () => now } }, asked, "track", [reading]);
    await tx
      .insert(trackedCreators)
      .values({ keyId, channelId: reading.channelId, trackedSince: now })
      .onConflictDoNothing();
    return findTracked({ db: tx, clock: ctx.clock }, keyId, reading.channelId);
  });
  // A reading from before midnight does not belong to the new day.
  return tracked ?? trackCreator(ctx, keyId, reference);
}

/**
 * Starts tracking many channels for a key without reading them: the next daily run does. For replays and demo data,
 * whose channels may not exist yet on the first day.
 */
export async function trackUnread(
  { db, clock }: CoreContext,
  keyId: KeyId,
  channelIds: readonly string[],
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    for (let from = 0; from < channelIds.length; from += UNREAD_PER_INSERT) {
      const ids = channelIds.slice(from, from + UNREAD_PER_INSERT);
      await insertUnread(tx, ids);
      await tx
        .insert(trackedCreators)
        .values(ids.map((channelId) => ({ keyId, channelId, trackedSince: now })))
        .onConflictDoNothing();
    }
  });
}

/** A page of the key's tracked creators, the latest tracked first. */
export async function listTracked(
  { db, clock }: CoreContext,
  keyId: KeyId,
  page: PageQuery,
): Promise<{ pagination: Pagination; creators: TrackedCreator[] }> {
  const rows = await latestTracked(db, { keyId, ...page });
  const total = rows[0]?.total ?? 0;
  const today = utcDay(clock.now());
  // A page after the last has one row, with the total and no creator.
  const creators = page.offset < total ? rows.map((row) => asTracked(row, today)) : [];
  return { pagination: pagination(page, total), creators };
}

/** Stops tracking a creator for a key; its alerts stay. @throws AppError `not_found` when the key does not track it */
export async function untrackCreator({ db }: CoreContext, keyId: KeyId, channelId: string): Promise<void> {
  const removed = await db
    .delete(trackedCreators)
    .where(and(eq(trackedCreators.keyId, keyId), eq(trackedCreators.channelId, channelId)))
    .returning({ channelId: trackedCreators.channelId });
  if (removed.length === 0) throw notTracked();
}

/**
 * A tracked creator with its growth over several spans and the parts of its score.
 * @throws AppError `not_found` when the key does not track it
 */
export async function trackedCreator(
  ctx: CoreContext,
  keyId: KeyId,
  channelId: string,
): Promise<CreatorDetails> {
  const creator = await findTracked(ctx, keyId, channelId);
  const ids = [channelId];
  const [growth, parts] = await Promise.all([growthOf(ctx, ids), scorePartsOf(ctx, ids)]);
  return { ...creator, ...growth(channelId), score_parts: parts.get(channelId) ?? null };
}

/** Which of the channels the key tracks. */
export async function trackedAmong(
  { db }: CoreContext,
  keyId: KeyId,
  channelIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .select({ channelId: trackedCreators.channelId })
    .from(trackedCreators)
    .where(and(eq(trackedCreators.keyId, keyId), inArray(trackedCreators.channelId, [...channelIds])));
  return new Set(rows.map(({ channelId }) => channelId));
}
