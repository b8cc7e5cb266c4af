import { and, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import {
  channels,
  keyNicheSearches,
  nicheChannels,
  nicheQuestions,
  nicheSearches,
  niches,
} from "@/core/db/schema";
import { addDays, DAY, type Day, HOUR, instant, startOfDay, utcDay } from "@/core/time";
import { isSlipOf, keptCandidates, SEARCHES_PER_DAY } from "./niches.rules";

/** An entry is renewed once it is older than this. */
export const MAX_AGE = DAY;
/** A niche asked for within so many days is renewed, and its candidates are read daily. */
export const DEMAND_DAYS = 7;
/** A candidate that no look-up has found for so long is none any more. */
const CANDIDATE_AGE = 14 * DAY;
/** A question asks for the renewal of an old entry at most this often. */
const RENEWAL_PAUSE = HOUR;

/** Whether an entry is due to be renewed. */
export function isOld(refreshedAt: Date, now: Date): boolean {
  return refreshedAt.getTime() <= now.getTime() - MAX_AGE;
}

/** Takes out of an entry who is gone, was not found for long, or is one of too many. */
export async function dropCandidates(tx: Database, niche: string, now: Date): Promise<void> {
  const candidates = await tx
    .select({
      channelId: channels.id,
      subscribers: channels.subscribers,
      score: channels.score,
      foundAt: nicheChannels.foundAt,
      status: channels.status,
    })
    .from(nicheChannels)
    .innerJoin(channels, eq(channels.id, nicheChannels.channelId))
    .where(eq(nicheChannels.niche, niche));
  const foundAfter = instant(now.getTime() - CANDIDATE_AGE);
  const standing = candidates.filter(({ status, foundAt }) => status === "active" && foundAt > foundAfter);
  const kept = new Set(keptCandidates(standing).map(({ channelId }) => channelId));
  const dropped = candidates.flatMap(({ channelId }) => (kept.has(channelId) ? [] : [channelId]));
  if (dropped.length > 0)
    await tx
      .delete(nicheChannels)
      .where(and(eq(nicheChannels.niche, niche), inArray(nicheChannels.channelId, dropped)));
}

/** The entry that a niche's spelling may have been meant for: asked for no less, and not empty. */
export async function findClose(tx: Database, niche: string, today: Day): Promise<string | null> {
  const asks = asksSince(tx, today);
  const entries = await tx
    .select({ niche: niches.niche, asks: sql<number>`coalesce(${asks.asks}, 0)` })
    .from(niches)
    .leftJoin(asks, eq(asks.niche, niches.niche))
    .where(or(eq(niches.niche, niche), hasCandidates))
    .orderBy(sql`2 desc`, niches.niche);
  const own = entries.find((entry) => entry.niche === niche)?.asks ?? 0;
  return entries.find((entry) => entry.asks >= own && isSlipOf(niche, entry.niche))?.niche ?? null;
}

/** An entry that can answer. With the tables' names, which drizzle leaves out where it sees one table alone. */
export const hasCandidates = sql`(niches.refreshed_at is not null and exists (
  select from niche_channels where niche_channels.niche = niches.niche))`;

/** The spellings of all entries that can answer. */
export async function indexedSpellings({ db }: CoreContext): Promise<string[]> {
  const rows = await db
    .select({ spelling: niches.spelling })
    .from(niches)
    .where(hasCandidates)
    .orderBy(niches.niche);
  return rows.map(({ spelling }) => spelling);
}

/** Notes that the renewal of an old entry is wanted. @returns whether nobody has wanted it within the last hour */
export async function wantRenewal({ db, clock }: CoreContext, niche: string): Promise<boolean> {
  const now = clock.now();
  const pausedUntil = instant(now.getTime() - RENEWAL_PAUSE);
  const wanted = await db
    .update(niches)
    .set({ renewalAskedAt: now })
    .where(
      and(
        eq(niches.niche, niche),
        lte(niches.refreshedAt, instant(now.getTime() - MAX_AGE)),
        or(isNull(niches.renewalAskedAt), lte(niches.renewalAskedAt, pausedUntil)),
      ),
    )
    .returning({ niche: niches.niche });
  return wanted.length > 0;
}

/** Niches asked for within the last week whose entry is due, the most asked first, as many as the day has searches. */
export async function dueNiches({ db, clock }: CoreContext): Promise<string[]> {
  const now = clock.now();
  const today = utcDay(now);
  const [spent] = await db
    .select({ searches: nicheSearches.searches })
    .from(nicheSearches)
    .where(and(eq(nicheSearches.day, today), eq(nicheSearches.purpose, "renewal")));
  const asks = asksSince(db, today);
  const rows = await db
    .select({ niche: niches.niche })
    .from(niches)
    .innerJoin(asks, eq(asks.niche, niches.niche))
    .where(lte(niches.refreshedAt, instant(now.getTime() - MAX_AGE)))
    .orderBy(desc(asks.asks), niches.refreshedAt, niches.niche)
    .limit(Math.max(0, SEARCHES_PER_DAY.renewal - (spent?.searches ?? 0)));
  return rows.map(({ niche }) => niche);
}

const ASKS = sql<number>`count(distinct (${nicheQuestions.keyId}, ${nicheQuestions.day}))::int`;

/** How much each niche was asked for within the last week: keys, each counted once a day. */
export function asksSince(db: Database, today: Day) {
  return db
    .select({ niche: nicheQuestions.niche, asks: ASKS.as("asks") })
    .from(nicheQuestions)
    .where(gt(nicheQuestions.day, addDays(today, -DEMAND_DAYS)))
    .groupBy(nicheQuestions.niche)
    .as("asks");
}

/**
 * Deletes what may no longer be kept of the index: entries and candidates not found since the given day, look-ups that
 * died, and counts and questions that nothing asks for any more.
 */
export async function purgeNiches(tx: Database, now: Date, oldest: Day): Promise<void> {
  const demandFrom = addDays(utcDay(now), -DEMAND_DAYS);
  await tx.delete(niches).where(lt(niches.refreshedAt, startOfDay(oldest)));
  await tx.delete(niches).where(and(isNull(niches.refreshedAt), lt(niches.claimedUntil, now)));
  await tx.delete(nicheChannels).where(lt(nicheChannels.foundAt, startOfDay(oldest)));
  for (const table of [nicheQuestions, nicheSearches, keyNicheSearches])
    await tx.delete(table).where(lt(table.day, demandFrom));
}
