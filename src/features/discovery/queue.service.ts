import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { MINUTE, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { apiKeys, dailyAllowances, nicheQueue, niches } from "@/db/schema";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import type { PlatformContext } from "@/platform/port";
import { countSearchesLeft, getNicheAllowance, type Spender } from "./niches.service";
import {
  computeExpectedTime,
  computeFirstDay,
  computeNextTurn,
  planQueue,
  QUEUE_SHARE,
  type Waiting,
} from "./queue.rules";
import { isBeingSearched, trySearch } from "./search.service";

/** A niche to be searched for a key that waits for it. */
export interface QueuedNiche extends Spender {
  niche: string;
  spelling: string;
}

/**
 * Queues a niche for a key.
 * @param earliest when the platform has searches again, if it has none
 * @returns when the creators are expected; null when it is not queued, because its turn is more than 30 days away
 */
export async function queueNiche(ctx: CoreContext, queued: QueuedNiche, earliest: Date | null): Promise<Date | null> {
  const { id: keyId, tier, niche, spelling } = queued;
  const [waiting, allowance] = await Promise.all([loadQueue(ctx), getNicheAllowance(ctx, { id: keyId, tier })]);
  const perDay = allowance.new_niches_limit;
  const turn = computeNextTurn(waiting, keyId, perDay);
  const leftToday = perDay - allowance.new_niches_today;
  const row = { keyId, niche, spelling, turn, queuedAt: ctx.clock.now(), earliestAt: earliest };
  const added = { ...row, tier, perDay, leftToday };
  const isKnown = waiting.some((other) => other.keyId === keyId && other.niche === niche);
  const expected = await computeExpected(ctx, niche, isKnown ? waiting : [...waiting, added], earliest);
  if (expected)
    await ctx.db
      .insert(nicheQueue)
      .values(row)
      .onConflictDoUpdate({
        target: [nicheQueue.keyId, nicheQueue.niche],
        set: { earliestAt: sql`coalesce(excluded.earliest_at, ${nicheQueue.earliestAt})` },
      });
  return expected;
}

/** Whether a key waits for a niche. */
export async function isWaiting({ db }: CoreContext, keyId: string, niche: string): Promise<boolean> {
  const isOwn = and(eq(nicheQueue.keyId, keyId), eq(nicheQueue.niche, niche));
  return (await db.$count(nicheQueue, isOwn)) > 0;
}

/** When the creators of a queued niche are expected; null when its turn is more than 30 days away. */
export async function getExpectedTime(ctx: CoreContext, niche: string): Promise<Date | null> {
  return computeExpected(ctx, niche, await loadQueue(ctx));
}

async function computeExpected(ctx: CoreContext, niche: string, waiting: readonly QueueRow[], reset?: Date | null) {
  const now = ctx.clock.now();
  if (await isBeingSearched(ctx, niche)) return toDate(now.getTime() + MINUTE);
  const latest = Math.max(...[reset, ...waiting.map(({ earliestAt }) => earliestAt)].map((at) => at?.getTime() ?? 0));
  const earliest = latest > now.getTime() ? toDate(latest) : null;
  const plan = planQueue(waiting, computeFirstDay(earliest, toUtcDay(now)), await countLeftToday(ctx));
  const planned = plan.find(({ row }) => row.niche === niche);
  return planned ? computeExpectedTime(planned.day, now, earliest) : null;
}

/** The queued niches to search today, in order. Takes niches that were indexed meanwhile off the queue. */
export async function listDueQueued(ctx: CoreContext): Promise<QueuedNiche[]> {
  const indexed = ctx.db.select({ niche: niches.niche }).from(niches).where(isNotNull(niches.refreshedAt));
  await ctx.db.delete(nicheQueue).where(inArray(nicheQueue.niche, indexed));
  const plan = planQueue(await loadQueue(ctx), 0, await countLeftToday(ctx));
  return plan.flatMap(({ row: { keyId: id, tier, niche, spelling }, day }) =>
    day === 0 ? [{ id, tier, niche, spelling }] : [],
  );
}

/** Searches a queued niche for its key, unless another process does. @returns false when the platform cannot answer */
export function searchQueued(ctx: PlatformContext, { niche, spelling, ...key }: QueuedNiche): Promise<boolean> {
  return trySearch(ctx, { niche, spelling, key, purpose: "first", limit: QUEUE_SHARE });
}

type QueueRow = Waiting & Pick<QueuedNiche, "tier" | "spelling"> & { earliestAt: Date | null };

/** What active keys wait for. */
async function loadQueue({ db, clock }: CoreContext): Promise<QueueRow[]> {
  const { keyId, niche, spelling, turn, queuedAt, earliestAt } = nicheQueue;
  const isSpentToday = and(
    eq(dailyAllowances.keyId, keyId),
    eq(dailyAllowances.kind, "new_niche"),
    eq(dailyAllowances.day, toUtcDay(clock.now())),
  );
  const rows = await db
    .select({ keyId, niche, spelling, turn, queuedAt, earliestAt, tier: apiKeys.tier, spent: dailyAllowances.used })
    .from(nicheQueue)
    .innerJoin(apiKeys, and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)))
    .leftJoin(dailyAllowances, isSpentToday);
  return rows.map(({ spent, ...row }) => {
    const perDay = TIER_RULES[row.tier].newNichesPerDay;
    return { ...row, perDay, leftToday: perDay - (spent ?? 0) };
  });
}

/** The searches of the queue that are left today. */
function countLeftToday(ctx: CoreContext): Promise<number> {
  return countSearchesLeft(ctx, "first", QUEUE_SHARE);
}
