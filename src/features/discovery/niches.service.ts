import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { addDays, DAY, type Day, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";
import { type Allowance, getLeft, getSpent } from "@/db/allowance";
import { type CoreContext, inTransaction } from "@/db/context";
import { addChanges } from "@/db/feed";
import {
  apiKeys,
  channels,
  nicheChannels,
  nicheQueue,
  nicheRequests,
  niches,
  snapshots,
  trackedCreators,
} from "@/db/schema";
import type { SEARCH_PURPOSES } from "@/db/values";
import { recordSnapshots } from "@/features/growth/service";
import type { Key } from "@/features/keys/schema";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { CHANNELS_PER_CALL, type ChannelList, isExhausted, type PlatformContext } from "@/platform/port";
import { getMapSpelling, isTypo, SEARCHES_PER_DAY, selectCandidates } from "./niches.rules";
import { QUEUE_DAYS } from "./queue.rules";

/** Age in milliseconds from which an entry is renewed. */
const MAX_AGE = DAY;
/** Days after a question during which a niche is renewed and its candidates are read daily. */
export const DEMAND_DAYS = 7;
/** Milliseconds after which a candidate that no search finds is dropped. */
const CANDIDATE_AGE = 14 * DAY;
/** Minimum milliseconds between two renewal requests for an entry. */
const RENEWAL_PAUSE = HOUR;

/** Whether an entry was searched so long ago that it is due to be searched again. */
export function isOldSql(now: Date, age = MAX_AGE): SQL<boolean> {
  return sql`${niches.refreshedAt} <= ${toDate(now.getTime() - age).toISOString()}::timestamptz`;
}

/** Drops candidates that are unavailable, were not found for 14 days, or exceed the limit of the entry. */
export async function dropCandidates({ db, clock }: CoreContext, niche: string): Promise<void> {
  const { channelId, foundAt } = nicheChannels;
  const { subscribers, score } = channels;
  const foundAfter = toDate(clock.now().getTime() - CANDIDATE_AGE);
  const candidates = await db
    .select({ channelId, subscribers, score, foundAt })
    .from(nicheChannels)
    .innerJoin(channels, and(eq(channels.id, channelId), eq(channels.status, "active")))
    .where(and(eq(nicheChannels.niche, niche), gt(foundAt, foundAfter)));
  const kept = selectCandidates(candidates).map((candidate) => candidate.channelId);
  await db.delete(nicheChannels).where(and(eq(nicheChannels.niche, niche), notInArray(channelId, kept)));
}

/** Finds an entry with creators, searched at least as often, that the niche may be a misspelling of. */
export async function findSimilarNiche(ctx: CoreContext, niche: string): Promise<string | null> {
  if (getMapSpelling(niche)) return null;
  const demand = selectDemandSql(ctx, toUtcDay(ctx.clock.now()));
  const entries = await ctx.db
    .select({ niche: niches.niche, asks: sql<number>`coalesce(${demand.asks}, 0)` })
    .from(niches)
    .leftJoin(demand, eq(demand.niche, niches.niche))
    .where(or(eq(niches.niche, niche), hasCandidatesSql))
    .orderBy(sql`2 desc`, niches.niche);
  const own = entries.find((entry) => entry.niche === niche)?.asks ?? 0;
  return entries.find((entry) => entry.asks >= own && isTypo(niche, entry.niche))?.niche ?? null;
}

/** Condition for an entry with candidates. Raw, because drizzle omits table names in a query of one table. */
export const hasCandidatesSql = sql`(niches.refreshed_at is not null and exists (
  select from niche_channels where niche_channels.niche = niches.niche))`;

/** The spellings of all entries with candidates. */
export async function listSpellings({ db }: CoreContext): Promise<string[]> {
  const { niche, spelling } = niches;
  const rows = await db.select({ spelling }).from(niches).where(hasCandidatesSql).orderBy(niche);
  return rows.map((row) => row.spelling);
}

/** Marks an old entry for renewal. @returns false when it was marked within the last hour */
export async function markForRenewal({ db, clock }: CoreContext, niche: string): Promise<boolean> {
  const now = clock.now();
  const pausedUntil = toDate(now.getTime() - RENEWAL_PAUSE);
  const isUnmarked = or(isNull(niches.renewalRequestedAt), lte(niches.renewalRequestedAt, pausedUntil));
  const isDue = and(eq(niches.niche, niche), isOldSql(now), isUnmarked);
  const { count } = await db.update(niches).set({ renewalRequestedAt: now }).where(isDue);
  return count > 0;
}

/** Niches in demand whose entry is due, most searched first, limited by the day's remaining searches. */
export async function listDueNiches(ctx: CoreContext): Promise<string[]> {
  const now = ctx.clock.now();
  const demand = selectDemandSql(ctx, toUtcDay(now));
  const rows = await ctx.db
    .select({ niche: niches.niche })
    .from(niches)
    .innerJoin(demand, eq(demand.niche, niches.niche))
    .where(isOldSql(now))
    .orderBy(desc(demand.asks), niches.refreshedAt, niches.niche)
    .limit(await countSearchesLeft(ctx, "renewal"));
  return rows.map(({ niche }) => niche);
}

const DEMAND_SQL = sql<number>`count(distinct (${nicheRequests.keyId}, ${nicheRequests.day}))::int`;

/** Demand for each niche in the last week: the number of keys, each counted once a day. */
export function selectDemandSql({ db }: CoreContext, today: Day) {
  return db
    .select({ niche: nicheRequests.niche, asks: DEMAND_SQL.as("asks") })
    .from(nicheRequests)
    .where(gt(nicheRequests.day, addDays(today, -DEMAND_DAYS)))
    .groupBy(nicheRequests.niche)
    .as("asks");
}

/**
 * Deletes expired parts of the index: entries and candidates not found since `oldest`, crashed searches,
 * questions older than a week, and what revoked keys or keys of 30 days ago wait for.
 */
export async function purgeNiches({ db, clock }: CoreContext, oldest: Day): Promise<void> {
  const now = clock.now();
  const demandFrom = addDays(toUtcDay(now), -DEMAND_DAYS);
  await db.delete(niches).where(lt(niches.refreshedAt, startOfDay(oldest)));
  await db.delete(niches).where(and(isNull(niches.refreshedAt), lt(niches.claimedUntil, now)));
  await db.delete(nicheChannels).where(lt(nicheChannels.foundAt, startOfDay(oldest)));
  await db.delete(nicheRequests).where(lt(nicheRequests.day, demandFrom));
  const revoked = db.select({ id: apiKeys.id }).from(apiKeys).where(isNotNull(apiKeys.revokedAt));
  const longAgo = toDate(now.getTime() - QUEUE_DAYS * DAY);
  await db.delete(nicheQueue).where(or(lt(nicheQueue.queuedAt, longAgo), inArray(nicheQueue.keyId, revoked)));
}

export type SearchPurpose = (typeof SEARCH_PURPOSES)[number];

/** The key that a niche is searched for. */
export type Spender = Pick<Key, "tier"> & { id: string };

/** New niches of a key on a day. */
export function getNewNiches(keyId: string, day: Day): Allowance {
  return { kind: "new_niche", scope: { key: keyId }, day };
}

/** Searches of the service on a day. */
export function getSearches(purpose: SearchPurpose, day: Day): Allowance {
  return { kind: `${purpose}_search`, day };
}

/** How many new niches a key has had searched today, and may have. */
export async function getNicheAllowance(ctx: CoreContext, { id, tier }: Spender) {
  const { used } = await getSpent(ctx, getNewNiches(id, toUtcDay(ctx.clock.now())));
  return { new_niches_today: used, new_niches_limit: TIER_RULES[tier].newNichesPerDay };
}

/** How many of the service's searches are left today. */
export function countSearchesLeft(ctx: CoreContext, purpose: SearchPurpose, limit: number = SEARCHES_PER_DAY[purpose]) {
  return getLeft(ctx, getSearches(purpose, toUtcDay(ctx.clock.now())), limit);
}

/**
 * Reads up to 50 candidates of niches in demand that have no snapshot today, the most wanted first, and stores their
 * snapshots. Where calls cost nothing, the candidates of all niches. Tracked channels are left to the daily run.
 * @returns number of channels read; 0 when none is left or the platform has no call to spare
 * @throws PlatformError
 */
export async function readCandidates(ctx: PlatformContext): Promise<number> {
  const { db, clock, platform, log } = ctx;
  const day = toUtcDay(clock.now());
  const demand = selectDemandSql(ctx, day);
  const tracked = db
    .select({ channelId: trackedCreators.channelId })
    .from(trackedCreators)
    .innerJoin(apiKeys, and(eq(apiKeys.id, trackedCreators.keyId), isNull(apiKeys.revokedAt)));
  const isToday = and(eq(snapshots.channelId, channels.id), eq(snapshots.day, day));
  const isWanted = platform.searchesAreFree ? undefined : isNotNull(demand.asks);
  const due = await db
    .select({ id: channels.id })
    .from(nicheChannels)
    .leftJoin(demand, eq(demand.niche, nicheChannels.niche))
    .innerJoin(channels, and(eq(channels.id, nicheChannels.channelId), eq(channels.status, "active")))
    .leftJoin(snapshots, isToday)
    .where(and(isWanted, isNull(snapshots.day), notInArray(channels.id, tracked)))
    .groupBy(channels.id)
    .orderBy(sql`${max(demand.asks)} desc nulls last`, channels.id)
    .limit(CHANNELS_PER_CALL);
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const answer = await platform.listChannels(ids, "spare").catch((error) => {
    if (!isExhausted(error)) throw error;
    log.info({ left: ids.length, problem: error.detail }, "candidates not read: no calls to spare");
    return null;
  });
  // Statistics of a call that runs past midnight belong to neither day.
  if (answer && toUtcDay(clock.now()) === day) await storeStats(ctx, day, ids, answer);
  return answer ? ids.length : 0;
}

async function storeStats(ctx: CoreContext, day: Day, ids: string[], answer: ChannelList): Promise<void> {
  const shown = new Set([...answer.channels.map(({ channelId }) => channelId), ...answer.unread]);
  const absent = ids.filter((id) => !shown.has(id));
  const isGone = and(inArray(channels.id, absent), eq(channels.status, "active"));
  await inTransaction(ctx, async (tx) => {
    const { changes } = await recordSnapshots(tx, day, "track", answer.channels);
    const lost = tx.db.update(channels).set({ status: "unavailable" }).where(isGone);
    const gone = await lost.returning({ channel_id: channels.id });
    await addChanges(tx, [...changes, ...gone.map((one) => ({ kind: "unavailable" as const, ...one }))]);
  });
}
