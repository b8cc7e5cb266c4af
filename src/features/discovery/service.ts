import { getSecondsToMidnight, SECOND, sleep, toDate, toUtcDay } from "@/core/time";
import { filterTracked } from "@/features/creators/service";
import { listScoreParts, loadGrowth } from "@/features/growth/details.service";
import type { Key } from "@/features/keys/schema";
import { getNicheAllowance, refundLookup } from "./budget.service";
import { type DiscoveryContext, findIndexed, hasSearchedToday, type IndexedAnswer } from "./entries.service";
import { isBeingLookedUp, leaseNewLookup, type NewNiche } from "./lease.service";
import { isExhausted, lookUp } from "./lookups.service";
import { getMapSpelling } from "./map.rules";
import { findNearestSpelling, isChannelName, toNicheIdentity } from "./niches.rules";
import { listSpellings } from "./niches.service";
import { getExpectedTime, isWaiting, queueNiche } from "./queue.service";
import type { DiscoverQuery, Discovery, ExplainedDiscovery, FoundNiche } from "./schema";

/** The key that searches. */
type RequestingKey = Pick<Key, "id" | "tier">;

/** Milliseconds to wait for a look-up that another request makes, and between two checks. */
const LOOKUP_TIMEOUT = 20 * SECOND;
const CHECK_EVERY = SECOND / 10;

/**
 * Creators of a niche, best first, from the niche's index entry. An entry older than a day answers at once and is renewed
 * in the background. A new niche is looked up at once while key, service and platform have searches left today; after
 * that it is queued, and the nearest niche of the index answers. A channel in place of a niche costs no search.
 * @throws PlatformError when the platform fails
 */
export async function discover(
  ctx: DiscoveryContext,
  key: RequestingKey,
  query: DiscoverQuery,
): Promise<Discovery> {
  const { suggested_niche, ...answer } = await search(ctx, key, query);
  return answer;
}

async function search(ctx: DiscoveryContext, key: RequestingKey, query: DiscoverQuery): Promise<FoundNiche> {
  if (isChannelName(query.niche)) return createChannelAnswer(query);
  const niche = toNicheIdentity(query.niche);
  const known = await findIndexed(ctx, key, niche, query);
  if (known && !known.deservesLookUp) return addSuggestion(ctx, query, known);
  const spelling = getMapSpelling(niche) ?? query.niche;
  const refusal = await lookUpNew(ctx, key, { niche, spelling, isKnown: known !== null });
  const found = known && refusal ? known : await findIndexed(ctx, key, niche, query);
  if (found) return addSuggestion(ctx, query, found);
  const expected = await queueNiche(ctx, { ...key, niche, spelling }, refusal?.earliest ?? null);
  return findNearest(ctx, key, query, expected);
}

/** {@link discover} with what explains each score, whether the key tracks the creator, and the key's allowance. */
export async function discoverWithDetails(
  ctx: DiscoveryContext,
  key: RequestingKey,
  query: DiscoverQuery,
): Promise<ExplainedDiscovery> {
  return addDetails(ctx, key, await search(ctx, key, query));
}

/**
 * Answers a niche that the key searched today or waits for, without counting or searching; null for any other
 * niche. So reloading the console, or changing filter, order or page, costs no request.
 */
export async function discoverAgain(
  ctx: DiscoveryContext,
  key: RequestingKey,
  query: DiscoverQuery,
): Promise<ExplainedDiscovery | null> {
  if (isChannelName(query.niche)) return addDetails(ctx, key, createChannelAnswer(query));
  const niche = toNicheIdentity(query.niche);
  if (await hasSearchedToday(ctx, key, niche)) {
    const known = await findIndexed(ctx, key, niche, query);
    return known && addDetails(ctx, key, await addSuggestion(ctx, query, known));
  }
  if (!(await isWaiting(ctx, key.id, niche))) return null;
  return addDetails(ctx, key, await findNearest(ctx, key, query, await getExpectedTime(ctx, niche)));
}

async function addDetails(
  ctx: DiscoveryContext,
  key: RequestingKey,
  answer: FoundNiche,
): Promise<ExplainedDiscovery> {
  const ids = answer.creators.map(({ channel_id }) => channel_id);
  const [allowance, parts, growth, tracked] = await Promise.all([
    getNicheAllowance(ctx, key),
    listScoreParts(ctx, ids),
    loadGrowth(ctx, ids),
    filterTracked(ctx, key.id, ids),
  ]);
  const creators = answer.creators.map((creator) => ({
    ...creator,
    ...growth(creator.channel_id),
    score_parts: parts.get(creator.channel_id) ?? null,
    is_tracked: tracked.has(creator.channel_id),
  }));
  return { ...answer, creators, allowance };
}

/** Why a niche is not looked up now. */
interface Refusal {
  /** When the platform has searches again; null when it has some. */
  earliest: Date | null;
}

/** Looks a niche up, or waits for the request that already does. @returns null unless it is refused */
async function lookUpNew(
  ctx: DiscoveryContext,
  key: RequestingKey,
  entry: NewNiche,
): Promise<Refusal | null> {
  const now = ctx.clock.now();
  const { niche, spelling } = entry;
  const lease = await leaseNewLookup(ctx, key, entry);
  if (lease === "key_spent" || lease === "service_spent") return { earliest: null };
  if (lease === "taken") {
    await awaitLookup(ctx, niche);
    return null;
  }
  try {
    await lookUp(ctx, niche, spelling, () => refundLookup(ctx, key.id, toUtcDay(now)));
    return null;
  } catch (error) {
    if (!isExhausted(error)) throw error;
    const wait = error.retryAfter ?? getSecondsToMidnight(now);
    return { earliest: toDate(now.getTime() + wait * SECOND) };
  }
}

/** Waits until a look-up by another request or process has ended. */
async function awaitLookup(ctx: DiscoveryContext, niche: string): Promise<void> {
  for (let waited = 0; waited < LOOKUP_TIMEOUT; waited += CHECK_EVERY) {
    if (!(await isBeingLookedUp(ctx, niche))) return;
    await sleep(CHECK_EVERY);
  }
}

function createEmptyAnswer({ niche, offset, limit }: DiscoverQuery) {
  return {
    niche,
    related_niche: null,
    expected_at: null,
    as_of: null,
    suggested_niche: null,
    pagination: { total: 0, offset, limit, has_more: false },
    creators: [],
  };
}

function createChannelAnswer(query: DiscoverQuery): FoundNiche {
  const hint = "This is a channel, not a niche: track it with POST /api/track.";
  return { ...createEmptyAnswer(query), niche_status: "indexed", hint };
}

/** An answer from the niche's own entry. An empty entry suggests a niche that has creators. */
async function addSuggestion(
  ctx: DiscoveryContext,
  query: DiscoverQuery,
  { answer, isEmpty }: IndexedAnswer,
): Promise<FoundNiche> {
  if (!isEmpty || answer.suggested_niche !== null) return answer;
  const nearest = findNearestSpelling(query.niche, await listSpellings(ctx));
  const hint = nearest ? `Did you mean "${nearest}"?` : "No creators found: try another spelling or niche.";
  return { ...answer, hint, suggested_niche: nearest };
}

/** The answer for a niche that waits for its search: the creators of the most similar indexed niche, if there is one. */
async function findNearest(
  ctx: DiscoveryContext,
  key: RequestingKey,
  query: DiscoverQuery,
  expected: Date | null,
): Promise<FoundNiche> {
  const nearest = findNearestSpelling(query.niche, await listSpellings(ctx));
  const known = nearest && (await findIndexed(ctx, key, toNicheIdentity(nearest), query));
  const status = { niche: query.niche, expected_at: expected?.toISOString() ?? null };
  if (!known) {
    const hint = expected
      ? "This niche is queued: ask again after expected_at."
      : "The queue of new niches is full: ask again in a few days.";
    return { ...createEmptyAnswer(query), ...status, niche_status: "queued", hint };
  }
  const hint = `Showing creators of the similar niche "${nearest}" until this niche is searched.`;
  return {
    ...known.answer,
    ...status,
    niche_status: "related",
    related_niche: nearest,
    hint,
    suggested_niche: null,
  };
}
