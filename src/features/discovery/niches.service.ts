import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import { addDays, DAY, type Day, HOUR, startOfDay, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { apiKeys, channels, nicheChannels, nicheQueue, nicheRequests, niches } from "@/db/schema";
import { countSearchesLeft } from "./budget.service";
import { getMapSpelling } from "./map.rules";
import { isTypo, selectCandidates } from "./niches.rules";
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
