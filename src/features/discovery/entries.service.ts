import { and, asc, eq, gte, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { getErrorMessage } from "@/core/errors";
import { buildPagination } from "@/core/http/page";
import { type Day, SECOND, toUtcDay, withTimeout } from "@/core/time";
import { isMissingKey, isMissingReference } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { channels, nicheChannels, nicheRequests, niches } from "@/db/schema";
import { CREATOR_COLUMNS, toCreator } from "@/features/creators/rows.service";
import { currentGrowthSql } from "@/features/growth/details.service";
import { MIN_SCORE } from "@/features/growth/score.rules";
import type { Key } from "@/features/keys/schema";
import type { PlatformContext } from "@/platform/port";
import { findNearestSpelling, hasDifferentLetters } from "./niches.rules";
import { isOldSql, listSpellings, markForRenewal } from "./niches.service";
import type { DiscoverQuery } from "./schema";

/** What a search needs. */
export interface DiscoveryContext extends PlatformContext {
  /** Renews an entry of the index in the background. */
  requestRenewal(niche: string): Promise<void>;
}

/** Milliseconds that an answer waits for the renewal to be requested. */
const RENEWAL_TIMEOUT = 2 * SECOND;

/**
 * Answers from a niche's entry and records the question, in one query. Null when there is no entry.
 * `isUnsearched`: the entry is empty and no key has searched with this spelling.
 * @param key null when the niche is shown instead of the requested one, which records nothing
 */
export async function findIndexed(ctx: DiscoveryContext, key: Key | null, niche: string, query: DiscoverQuery) {
  const now = ctx.clock.now();
  const close = alias(niches, "close");
  const rows = await ctx.db
    .with(...(key ? [insertQuestionSql(ctx, key, niche, query.niche)] : []))
    .select({
      spelling: niches.spelling,
      refreshedAt: niches.refreshedAt,
      isOld: isOldSql(now),
      close: close.spelling,
      candidate: nicheChannels.channelId,
      // A statement does not see the question that it inserts.
      isUsual: sql<boolean>`exists (select from ${nicheRequests}
        where ${nicheRequests.niche} = ${niches.niche} and ${nicheRequests.spelling} = ${query.niche})`,
      creator: CREATOR_COLUMNS,
    })
    .from(niches)
    .leftJoin(close, eq(close.niche, niches.closeTo))
    .leftJoin(nicheChannels, eq(nicheChannels.niche, niches.niche))
    .leftJoin(channels, and(eq(channels.id, nicheChannels.channelId), matchesQuerySql(query)))
    .where(and(eq(niches.niche, niche), isNotNull(niches.refreshedAt)))
    .orderBy(...orderBestFirstSql(query, toUtcDay(now)))
    .catch((error) => {
      // The entry was deleted while the statement ran.
      if (!isMissingKey(error) && isMissingReference(error)) return [];
      throw error;
    });
  const entry = rows[0];
  if (!entry?.refreshedAt) return null;
  if (entry.isOld) await scheduleRenewal(ctx, niche);
  const isEmpty = entry.candidate === null;
  const isNew = !entry.isUsual && hasDifferentLetters(entry.spelling, query.niche);
  const suggested = entry.close ?? (isEmpty ? findNearestSpelling(query.niche, await listSpellings(ctx)) : null);
  // Paged here, because a niche has 100 candidates at most and the total is needed anyway.
  const found = rows.flatMap(({ creator }) => (creator ? [creator] : []));
  const shown = found.slice(query.offset, query.offset + query.limit);
  const answer = {
    niche: entry.spelling,
    niche_status: "indexed" as const,
    related_niche: null,
    suggested_niche: suggested,
    expected_at: null,
    as_of: entry.refreshedAt.toISOString(),
    hint: getHint(suggested, isEmpty, found.length),
    pagination: buildPagination(query, found.length),
    creators: shown.map((creator) => toCreator(creator, toUtcDay(now))),
  };
  return { answer, isUnsearched: isEmpty && isNew };
}

/** Inserts the key's search of a niche that has an entry. */
function insertQuestionSql({ db, clock }: CoreContext, key: Key, niche: string, spelling: string) {
  const question = {
    niche: niches.niche,
    keyId: sql<string>`${key.id}`.as("key_id"),
    day: sql<Day>`${toUtcDay(clock.now())}::date`.as("day"),
    spelling: sql<string>`${spelling}`.as("spelling"),
  };
  const isIndexed = and(eq(niches.niche, niche), isNotNull(niches.refreshedAt));
  const insert = db.insert(nicheRequests).select(db.select(question).from(niches).where(isIndexed));
  return db.$with("question").as(insert.onConflictDoNothing().returning({ niche: nicheRequests.niche }));
}

function matchesQuerySql({ min_subscribers: min, max_subscribers: max, country, rising }: DiscoverQuery) {
  return and(
    eq(channels.status, "active"),
    rising ? isRisingSql : undefined,
    country === undefined ? undefined : eq(channels.country, country),
    min === undefined ? undefined : gte(channels.subscribers, min),
    max === undefined ? undefined : lte(channels.subscribers, max),
  );
}

/** Whether measured growth puts a channel at WATCH or above. */
export const isRisingSql = and(eq(channels.scoreBasis, "history"), gte(channels.score, MIN_SCORE.WATCH));

/** Measured growth before totals, then the requested order. */
function orderBestFirstSql({ sort }: DiscoverQuery, today: Day): SQL[] {
  const value = {
    score: channels.score,
    growth_7d: currentGrowthSql(channels.growth7dPercent, today),
    subscribers: channels.subscribers,
  }[sort];
  return [sql`${channels.scoreBasis} = 'history' desc nulls last`, sql`${value} desc nulls last`, asc(channels.id)];
}

/** Requests a renewal. A failure is only logged, because the hourly job renews old entries too. */
async function scheduleRenewal(ctx: DiscoveryContext, niche: string): Promise<void> {
  if (!(await markForRenewal(ctx, niche))) return;
  await withTimeout(ctx.requestRenewal(niche), RENEWAL_TIMEOUT, "the job engine").catch((error) => {
    ctx.log.error({ niche, problem: getErrorMessage(error) }, "niche renewal not requested");
  });
}

function getHint(suggested: string | null, isEmpty: boolean, found: number): string | null {
  if (suggested) return `Did you mean "${suggested}"?`;
  if (isEmpty) return "No creators found: try another spelling or niche.";
  return found === 0 ? "No creators match: use fewer filters." : null;
}

/** Whether the key has searched the niche on this UTC day. */
export async function hasSearchedToday({ db, clock }: CoreContext, key: Key, niche: string): Promise<boolean> {
  const { keyId, day } = nicheRequests;
  const isToday = and(eq(nicheRequests.niche, niche), eq(keyId, key.id), eq(day, toUtcDay(clock.now())));
  return (await db.$count(nicheRequests, isToday)) > 0;
}
