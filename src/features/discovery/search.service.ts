import { and, countDistinct, desc, eq, gt, isNotNull, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { toChunks } from "@/core/parallel";
import { addDays, type Day, getSecondsToMidnight, MINUTE, SECOND, sleep, toDate, toUtcDay } from "@/core/time";
import { giveBack, take } from "@/db/allowance";
import { type CoreContext, inTransaction } from "@/db/context";
import { addChanges } from "@/db/feed";
import { nicheChannels, nicheRequests, niches } from "@/db/schema";
import { recordSnapshots, upsertChannels } from "@/features/growth/service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import {
  CHANNELS_PER_CALL,
  type ChannelStats,
  isExhausted,
  isPlatformError,
  type PlatformContext,
} from "@/platform/port";
import { SEARCHES_PER_DAY, toSearchQuery } from "./niches.rules";
import {
  DEMAND_DAYS,
  dropCandidates,
  findSimilarNiche,
  getNewNiches,
  getSearches,
  hasCandidatesSql,
  isOldSql,
  type SearchPurpose,
  type Spender,
} from "./niches.service";

/** Milliseconds after which a search counts as crashed. */
const LEASE = MINUTE;
/** Milliseconds to wait for a search that another request makes, and between two checks. */
const SEARCH_TIMEOUT = 20 * SECOND;
const CHECK_EVERY = SECOND / 10;

/** A niche to be searched at the platform. */
export interface NicheSearch {
  niche: string;
  spelling: string;
  purpose: SearchPurpose;
  /** How many of the day's searches the purpose may spend; null where searches are free. */
  limit: number | null;
  /** The key that pays with one of its new niches. */
  key?: Spender;
  /** Whether an entry that was searched before is searched again. */
  isDue?: SQL;
}

/**
 * Searches a niche for a key, or waits for the request that already does.
 * @param isEmpty whether an earlier search found nothing
 * @returns null unless it is refused; then when the platform has searches again, null when it has some
 * @throws PlatformError
 */
export async function searchNewNiche(
  ctx: PlatformContext,
  key: Spender,
  { isEmpty, ...niche }: Pick<NicheSearch, "niche" | "spelling"> & { isEmpty: boolean },
): Promise<{ earliest: Date | null } | null> {
  const now = ctx.clock.now();
  const isDue = isEmpty ? not(hasCandidatesSql) : undefined;
  try {
    const result = await searchNiche(ctx, { ...niche, key, purpose: "first", limit: SEARCHES_PER_DAY.first, isDue });
    if (result === "taken") await awaitSearch(ctx, niche.niche);
    return result === "spent" ? { earliest: null } : null;
  } catch (error) {
    if (!isExhausted(error)) throw error;
    const wait = error.retryAfter ?? getSecondsToMidnight(now);
    return { earliest: toDate(now.getTime() + wait * SECOND) };
  }
}

/**
 * Searches a niche, reads and scores the channels found, and stores its entry, which a failed search leaves as it was.
 * @returns `taken` while another process searches or when the entry is not due, `spent` when no search is left today
 * @throws PlatformError
 */
export async function searchNiche(ctx: PlatformContext, search: NicheSearch): Promise<"searched" | "taken" | "spent"> {
  const { niche, spelling } = search;
  const day = toUtcDay(ctx.clock.now());
  const costs = listCosts(search, day);
  const lease = await leaseEntry(ctx, search, costs);
  if (lease !== "leased") return lease;
  try {
    const results = await ctx.platform.search(toSearchQuery(spelling)).catch(async (error) => {
      if (isExhausted(error)) for (const { allowance } of costs) await giveBack(ctx, allowance);
      throw error;
    });
    const stats: ChannelStats[] = [];
    for (const ids of toChunks([...new Set(results)], CHANNELS_PER_CALL))
      stats.push(...(await ctx.platform.listChannels(ids, "spare")).channels);
    await storeEntry(ctx, search, day, stats);
    return "searched";
  } catch (error) {
    await ctx.db.delete(niches).where(and(eq(niches.niche, niche), isNull(niches.refreshedAt)));
    const isFilled = and(eq(niches.niche, niche), isNotNull(niches.refreshedAt));
    await ctx.db.update(niches).set({ claimedUntil: null }).where(isFilled);
    throw error;
  }
}

/** What a search takes of the day's allowances. */
function listCosts({ key, purpose, limit }: NicheSearch, day: Day) {
  return [
    ...(key ? [{ allowance: getNewNiches(key.id, day), limit: TIER_RULES[key.tier].newNichesPerDay }] : []),
    ...(limit === null ? [] : [{ allowance: getSearches(purpose, day), limit }]),
  ];
}

/** Rolls back the transaction when no search is left. */
class NoSearchLeft extends Error {}

/** Leases a niche for one search and pays for it. Of several processes, one gets the lease and pays. */
async function leaseEntry(ctx: CoreContext, search: NicheSearch, costs: ReturnType<typeof listCosts>) {
  const { niche, spelling, isDue } = search;
  const now = ctx.clock.now();
  const claimedUntil = toDate(now.getTime() + LEASE);
  const isLeasable = or(isNull(niches.claimedUntil), lte(niches.claimedUntil, now));
  const setWhere = and(isLeasable, or(isNull(niches.refreshedAt), isDue));
  try {
    return await inTransaction(ctx, async (tx) => {
      const leased = await tx.db
        .insert(niches)
        .values({ niche, spelling, claimedUntil })
        .onConflictDoUpdate({ target: niches.niche, set: { claimedUntil }, setWhere })
        .returning({ niche: niches.niche });
      if (leased.length === 0) return "taken";
      // Locks are taken in one order (niche, key, service), so that requests cannot deadlock.
      for (const { allowance, limit } of costs) if (!(await take(tx, allowance, limit))) throw new NoSearchLeft();
      return "leased";
    });
  } catch (error) {
    if (error instanceof NoSearchLeft) return "spent";
    throw error;
  }
}

async function storeEntry(ctx: PlatformContext, search: NicheSearch, startedOn: Day, stats: ChannelStats[]) {
  const { niche, spelling } = search;
  const now = ctx.clock.now();
  const today = toUtcDay(now);
  await inTransaction({ ...ctx, clock: { now: () => now } }, async (tx) => {
    // Statistics from before midnight are a snapshot of neither day.
    const changes =
      today === startedOn
        ? (await recordSnapshots(tx, today, "track", stats)).changes
        : await upsertChannels(tx, stats);
    const found = stats.map(({ channelId }) => ({ niche, channelId, foundAt: now }));
    const target = [nicheChannels.niche, nicheChannels.channelId];
    if (found.length > 0)
      await tx.db
        .insert(nicheChannels)
        .values(found)
        .onConflictDoUpdate({ target, set: { foundAt: now } });
    await dropCandidates(tx, niche);
    const closeTo = await findSimilarNiche(tx, niche);
    // A fresh entry stays as old as it was when another spelling finds nothing either.
    const refreshedAt = sql`case when ${isOldSql(now)} then ${now.toISOString()}::timestamptz
      else coalesce(${niches.refreshedAt}, ${now.toISOString()}::timestamptz) end`;
    const ended = { claimedUntil: null, renewalRequestedAt: null, closeTo };
    await tx.db
      .update(niches)
      .set(found.length > 0 ? { ...ended, spelling, refreshedAt: now } : { ...ended, refreshedAt })
      .where(eq(niches.niche, niche));
    await endWaiting(tx, niche);
    await addChanges(tx, changes);
  });
}

/** Removes a niche from the queue and records a search of today for each key that waited. */
async function endWaiting({ db, clock }: CoreContext, niche: string): Promise<void> {
  await db.execute(sql`
    with waited as (delete from niche_queue where niche = ${niche} returning key_id, spelling)
    insert into niche_requests (niche, key_id, day, spelling)
    select ${niche}, key_id, ${toUtcDay(clock.now())}::date, spelling from waited
    on conflict do nothing`);
}

/** Waits until a search by another request or process has ended. */
async function awaitSearch(ctx: CoreContext, niche: string): Promise<void> {
  for (let waited = 0; waited < SEARCH_TIMEOUT; waited += CHECK_EVERY) {
    if (!(await isBeingSearched(ctx, niche))) return;
    await sleep(CHECK_EVERY);
  }
}

/** Whether the first search of a niche is under way. */
export async function isBeingSearched({ db }: CoreContext, niche: string): Promise<boolean> {
  return (await db.$count(niches, and(eq(niches.niche, niche), isNull(niches.refreshedAt)))) > 0;
}

/** {@link searchNiche} by a job. @returns false when the platform cannot answer */
export async function trySearch(ctx: PlatformContext, search: NicheSearch): Promise<boolean> {
  try {
    await searchNiche(ctx, search);
    return true;
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    ctx.log.info({ niche: search.niche, problem: error.detail }, "niche not searched");
    return false;
  }
}

/** Renews the entry of a niche in its usual spelling if it is due and the day has a search left. @throws PlatformError */
export async function renewNiche(ctx: PlatformContext, niche: string): Promise<void> {
  const spelling = await findUsualSpelling(ctx, niche);
  const isDue = isOldSql(ctx.clock.now());
  if (spelling === null) return;
  await searchNiche(ctx, { niche, spelling, purpose: "renewal", limit: SEARCHES_PER_DAY.renewal, isDue });
}

/** The spelling that most keys used within the last week. */
async function findUsualSpelling({ db, clock }: CoreContext, niche: string): Promise<string | null> {
  const oldest = addDays(toUtcDay(clock.now()), -DEMAND_DAYS);
  const spelling = sql<string>`coalesce(${nicheRequests.spelling}, ${niches.spelling})`;
  // Of equals the plainest.
  const plainestFirst = [sql`${spelling} <> normalize(${spelling}, nfkc)`, sql`length(${spelling})`];
  const [usual] = await db
    .select({ spelling })
    .from(niches)
    .leftJoin(nicheRequests, and(eq(nicheRequests.niche, niches.niche), gt(nicheRequests.day, oldest)))
    .where(eq(niches.niche, niche))
    .groupBy(nicheRequests.spelling, niches.spelling)
    .orderBy(desc(countDistinct(nicheRequests.keyId)), ...plainestFirst, nicheRequests.spelling)
    .limit(1);
  return usual?.spelling ?? null;
}
