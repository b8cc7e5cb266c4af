import { sql } from "drizzle-orm";
import { type AppError, isAppError } from "@/core/errors";
import { toChunks } from "@/core/parallel";
import { type Day, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { addChanges, type ChannelChange, insertChangesSql } from "@/db/feed";
import { trackedCreators } from "@/db/schema";
import { loadGrowth } from "@/features/growth/details.service";
import { insertUnread, recordSnapshots } from "@/features/growth/service";
import type { KeyId } from "@/features/keys/schema";
import type { ChannelReference, ChannelStats, PlatformContext } from "@/platform/port";
import { describeGuess, formatProblem } from "./addresses.rules";
import {
  acceptGuess,
  createChannelNotFoundError,
  describeResolution,
  indexStats,
  omitErrors,
  parseName,
  readChannels,
  requireAnswer,
  toItemError,
} from "./lookups.service";
import { createNotTrackedError, findTracked, isTrackedSql, listTrackedWhere } from "./rows.service";
import { formatTracking, getReferenceName } from "./rules";
import type { CreatorDetails, TrackedCreator, TrackResult } from "./schema";

const UNREAD_PER_INSERT = 1000;

/**
 * Tracks a creator for a key and takes its first snapshot. Safe to repeat.
 * @throws AppError `not_found` when the platform has no such channel, `invalid_request` when the key has no look-up left;
 * PlatformError when the platform cannot answer
 */
export async function trackCreator(ctx: PlatformContext, keyId: KeyId, reference: ChannelReference) {
  const { tracked } = await trackReferences(ctx, keyId, [reference]);
  const creator = tracked.get(getReferenceName(reference)) ?? createChannelNotFoundError();
  if (isAppError(creator)) throw creator;
  return creator;
}

export type TrackListAnswer = Awaited<ReturnType<typeof trackCreators>>;

/**
 * Tracks a list of channels for a key. A channel that cannot be tracked gets an error in the results.
 * @param acceptsGuesses whether custom URLs are resolved by their names
 * @throws PlatformError when the platform cannot answer and no channel could be read
 */
export async function trackCreators(
  ctx: PlatformContext,
  keyId: KeyId,
  names: readonly string[],
  acceptsGuesses = false,
) {
  const requested = names.map((input) => ({ input, parsed: parseName(input) }));
  const references = omitErrors(requested.map(({ parsed }) => parsed))
    .filter(({ kind }) => acceptsGuesses || kind !== "guess")
    .map(acceptGuess);
  const { tracked, added } = await trackReferences(ctx, keyId, references);
  requireAnswer(tracked.values());
  const results = requested.map(({ input, parsed }): TrackResult => {
    if (isAppError(parsed)) return { input, ...toItemError(parsed) };
    const resolution = describeResolution(parsed);
    if (parsed.kind === "guess" && !acceptsGuesses) {
      const error = formatProblem(describeGuess(parsed));
      return { input, code: "guess", error, ...resolution, resolved_to: parsed.handle };
    }
    const creator = tracked.get(getReferenceName(acceptGuess(parsed))) ?? createChannelNotFoundError();
    return { input, ...(isAppError(creator) ? toItemError(creator) : { creator }), ...resolution };
  });
  const ids = new Set(results.flatMap((result) => (result.creator ? [result.creator.channel_id] : [])));
  const codes = results.flatMap((result) => (result.code ? [result.code] : []));
  return { message: formatTracking(added.size, ids.size - added.size, codes), results };
}

/**
 * Reads channels and tracks those that the platform shows, all in one transaction.
 * @returns the creators by {@link getReferenceName}, and the ids of those that the key did not track before
 */
async function trackReferences(
  ctx: PlatformContext,
  keyId: KeyId,
  references: readonly ChannelReference[],
): Promise<{ tracked: Map<string, TrackedCreator | AppError>; added: Set<string> }> {
  const requestedOn = toUtcDay(ctx.clock.now());
  const found = await readChannels(ctx, keyId, references);
  const started = await startTracking(ctx, keyId, requestedOn, [...indexStats(found).values()]);
  // Statistics from before midnight do not belong to the new day.
  if (!started) return trackReferences(ctx, keyId, references);
  const tracked = [...found].map(([name, stats]): [string, TrackedCreator | AppError] => [
    name,
    isAppError(stats) ? stats : (started.creators.get(stats.channelId) ?? createChannelNotFoundError()),
  ]);
  return { tracked: new Map(tracked), added: started.added };
}

/** Stores first snapshots and marks the channels as tracked. @returns null when the day has ended */
async function startTracking(ctx: PlatformContext, keyId: KeyId, day: Day, channelStats: readonly ChannelStats[]) {
  if (channelStats.length === 0) return { creators: new Map<string, TrackedCreator>(), added: new Set<string>() };
  return ctx.db.transaction(async (tx) => {
    // The planner waits for this transaction, so a run reads exactly what was tracked at planning time.
    await tx.execute(sql`lock ${trackedCreators} in row exclusive mode`);
    const now = ctx.clock.now();
    if (toUtcDay(now) !== day) return null;
    const at = { ...ctx, db: tx, clock: { now: () => now } };
    const { changes } = await recordSnapshots(at, day, "track", channelStats);
    // One order for all writers prevents deadlocks.
    const ids = channelStats.map(({ channelId }) => channelId).sort();
    const inserted = await insertTracked(at, keyId, ids);
    await addChanges(at, [...inserted, ...changes]);
    const creators = await listTrackedWhere(at, isTrackedSql(keyId, ids));
    return {
      creators: new Map(creators.map((creator) => [creator.channel_id, creator])),
      added: new Set(inserted.map(({ channel_id }) => channel_id)),
    };
  });
}

/** @returns the channels that the key did not track before, as changes of its feed */
async function insertTracked({ db, clock }: CoreContext, keyId: KeyId, channelIds: readonly string[]) {
  const trackedSince = clock.now();
  const inserted = await db
    .insert(trackedCreators)
    .values(channelIds.map((channelId) => ({ keyId, channelId, trackedSince })))
    .onConflictDoNothing()
    .returning({ channel_id: trackedCreators.channelId });
  return inserted.map(({ channel_id }) => ({ kind: "tracked" as const, channel_id, key_id: keyId }));
}

/**
 * Starts tracking many channels for a key without reading them: the next daily run does. For replays and demo data,
 * whose channels may not exist yet on the first day.
 */
export async function trackUnread(ctx: CoreContext, keyId: KeyId, channelIds: readonly string[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const inserted: ChannelChange[] = [];
    // One order for all writers prevents deadlocks.
    for (const ids of toChunks(channelIds.toSorted(), UNREAD_PER_INSERT)) {
      await insertUnread(tx, ids);
      inserted.push(...(await insertTracked(tx, keyId, ids)));
    }
    await addChanges(tx, inserted);
  });
}

/** Stops tracking a creator for a key; its alerts stay. @throws AppError `not_found` when the key does not track it */
export async function untrackCreator(ctx: CoreContext, keyId: KeyId, channelId: string): Promise<void> {
  const removed = await untrackCreators(ctx, keyId, [channelId]);
  if (removed.length === 0) throw createNotTrackedError();
}

/**
 * Stops tracking creators for a key; their alerts stay. Their lists and note are hidden until it tracks them again.
 * @returns the ids of those that it tracked
 */
export async function untrackCreators({ db, clock }: CoreContext, keyId: KeyId, channelIds: readonly string[]) {
  const removed = await db.execute<{ id: string }>(sql`
    with removed as (
      delete from ${trackedCreators} where ${isTrackedSql(keyId, channelIds)} returning key_id, channel_id
    ), ${insertChangesSql(
      sql`select key_id, 'untracked' as kind, channel_id, null as name, null::uuid as alert_id from removed`,
      clock.now(),
    )}
    select channel_id as id from removed`);
  return removed.map(({ id }) => id);
}

/** A tracked creator with its growth over several spans and the parts of its score. @throws AppError `not_found` */
export async function getTrackedCreator(ctx: CoreContext, keyId: KeyId, channelId: string): Promise<CreatorDetails> {
  const creator = await findTracked(ctx, keyId, channelId);
  const { trend, ...growth } = (await loadGrowth(ctx, [channelId]))(channelId);
  return { ...creator, ...growth };
}

/** Which of the channels the key tracks. */
export async function filterTracked({ db }: CoreContext, keyId: KeyId, channelIds: readonly string[]) {
  const rows = await db
    .select({ channelId: trackedCreators.channelId })
    .from(trackedCreators)
    .where(isTrackedSql(keyId, channelIds));
  return new Set(rows.map(({ channelId }) => channelId));
}
