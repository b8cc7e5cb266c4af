import { AppError } from "@/core/errors";
import { MINUTE, SECOND, secondsToMidnight, sleep, utcDay } from "@/core/time";
import { trackedAmong } from "@/features/creators/service";
import { growthDaysOf, scorePartsOf } from "@/features/growth/details.service";
import type { Key } from "@/features/keys/schema";
import { refundClaim } from "./budget.service";
import { type DiscoveryContext, fromIndex, hasAskedToday } from "./entries.service";
import { claimNew, isBeingLookedUp, isExhausted, lookUp, type NewNiche } from "./lookups.service";
import { NEW_NICHES_PER_DAY, nearestSpelling, nicheIdentity } from "./niches.rules";
import { indexedSpellings } from "./niches.service";
import type { DiscoverQuery, Discovery, ExplainedDiscovery } from "./schema";

/** The key that asks. */
type Asker = Pick<Key, "id" | "tier">;

/** Milliseconds to wait for a look-up that another request makes, and between two checks. */
const LOOKUP_TIMEOUT = 20 * SECOND;
const CHECK_EVERY = SECOND / 10;

/**
 * Creators of a niche, best score first, from the niche's index entry. An entry older than a day answers at once and
 * is renewed in the background. A new niche is looked up at once while key and service have look-ups left today; after
 * that the nearest niche of the index answers, and `hint` says so.
 * @throws PlatformError when the platform cannot answer; AppError `unavailable` without a look-up and a near niche
 */
export async function discover(ctx: DiscoveryContext, key: Asker, query: DiscoverQuery): Promise<Discovery> {
  const niche = nicheIdentity(query.niche);
  const known = await fromIndex(ctx, key, niche, query);
  if (known && !known.deservesLookUp) return known.answer;
  const suggested = ctx.platform.niches.find((usual) => nicheIdentity(usual) === niche);
  const spelling = suggested ?? query.niche;
  const refusal = await lookUpNew(ctx, key, { niche, spelling, isKnown: known !== null });
  if (refusal) return known?.answer ?? fromNearest(ctx, key, query, refusal);
  const found = await fromIndex(ctx, key, niche, query);
  if (found) return found.answer;
  const retryAfter = MINUTE / SECOND;
  throw new AppError("unavailable", "This niche is still being searched. Try again in a minute.", {
    retryAfter,
  });
}

/** {@link discover} with the parts of each score and whether the key tracks the creator. */
export async function discoverExplained(
  ctx: DiscoveryContext,
  key: Asker,
  query: DiscoverQuery,
): Promise<ExplainedDiscovery> {
  return explained(ctx, key, await discover(ctx, key, query));
}

/**
 * The answer for a niche that the key has searched today, without counting or searching anything; null for another
 * niche. A reload of the console does not cost a request.
 */
export async function discoverAgain(
  ctx: DiscoveryContext,
  key: Asker,
  query: DiscoverQuery,
): Promise<ExplainedDiscovery | null> {
  const niche = nicheIdentity(query.niche);
  if (!(await hasAskedToday(ctx, key, niche))) return null;
  const known = await fromIndex(ctx, key, niche, query);
  return known && explained(ctx, key, known.answer);
}

async function explained(ctx: DiscoveryContext, key: Asker, answer: Discovery): Promise<ExplainedDiscovery> {
  const ids = answer.creators.map(({ channel_id }) => channel_id);
  const [parts, days, tracked] = await Promise.all([
    scorePartsOf(ctx, ids),
    growthDaysOf(ctx, ids),
    trackedAmong(ctx, key.id, ids),
  ]);
  const creators = answer.creators.map((creator) => ({
    ...creator,
    growth_day: days.get(creator.channel_id) ?? null,
    score_parts: parts.get(creator.channel_id) ?? null,
    is_tracked: tracked.has(creator.channel_id),
  }));
  return { ...answer, creators };
}

/** Why a niche is not looked up, and after how many seconds to retry. */
interface Refusal {
  problem: string;
  retryAfter: number;
}

/** Looks a niche up, or waits for the request that already does. @returns null when it was looked up */
async function lookUpNew(ctx: DiscoveryContext, key: Asker, asked: NewNiche): Promise<Refusal | null> {
  const now = ctx.clock.now();
  const { niche, spelling } = asked;
  const claim = await claimNew(ctx, key, asked);
  if (claim === "key_spent" || claim === "service_spent") {
    const whose = claim === "key_spent" ? `This key's ${NEW_NICHES_PER_DAY[key.tier]}` : "The service's";
    const problem = `${whose} searches for new niches are used up for today.`;
    return { problem, retryAfter: secondsToMidnight(now) };
  }
  if (claim === "taken") {
    await awaitLookup(ctx, niche);
    return null;
  }
  try {
    await lookUp(ctx, niche, spelling, () => refundClaim(ctx, key.id, utcDay(now)));
    return null;
  } catch (error) {
    if (!isExhausted(error)) throw error;
    const problem = "The video platform allows no more searches for now.";
    return { problem, retryAfter: error.retryAfter ?? secondsToMidnight(now) };
  }
}

/** Waits until a look-up by another request or process has ended. */
async function awaitLookup(ctx: DiscoveryContext, niche: string): Promise<void> {
  for (let waited = 0; waited < LOOKUP_TIMEOUT; waited += CHECK_EVERY) {
    if (!(await isBeingLookedUp(ctx, niche))) return;
    await sleep(CHECK_EVERY);
  }
}

async function fromNearest(
  ctx: DiscoveryContext,
  key: Asker,
  query: DiscoverQuery,
  { problem, retryAfter }: Refusal,
): Promise<Discovery> {
  const nearest = nearestSpelling(query.niche, await indexedSpellings(ctx));
  const known = nearest && (await fromIndex(ctx, key, nicheIdentity(nearest), query));
  if (known) return { ...known.answer, hint: `Results for the similar niche "${nearest}". ${problem}` };
  const message = `No similar niche is known. ${problem}`;
  throw new AppError("unavailable", message, { retryAfter, isRoutine: true });
}
