import { buildPagination } from "@/core/http/page";
import { filterTracked } from "@/features/creators/service";
import { loadGrowth } from "@/features/growth/details.service";
import type { Key } from "@/features/keys/schema";
import { type DiscoveryContext, findIndexed, hasSearchedToday } from "./entries.service";
import { findNearestSpelling, getMapSpelling, isChannelName, toNicheIdentity } from "./niches.rules";
import { findSimilarNiche, getNicheAllowance, listSpellings } from "./niches.service";
import { getExpectedTime, isWaiting, queueNiche } from "./queue.service";
import type { DiscoverQuery, Discovery, SuggestingDiscovery } from "./schema";
import { searchNewNiche } from "./search.service";

/**
 * Creators of a niche, best first, from the niche's index entry. An entry older than a day answers at once and is renewed
 * in the background. A new niche is searched at once while key, service and platform have searches left today; after
 * that it is queued, and the nearest niche of the index answers. A channel in place of a niche costs no search.
 * @throws PlatformError when the platform fails
 */
export async function discover(ctx: DiscoveryContext, key: Key, query: DiscoverQuery): Promise<Discovery> {
  const { suggested_niche, ...answer } = await answerNiche(ctx, key, query);
  return answer;
}

async function answerNiche(ctx: DiscoveryContext, key: Key, query: DiscoverQuery): Promise<SuggestingDiscovery> {
  if (isChannelName(query.niche)) return createChannelAnswer(query);
  const niche = toNicheIdentity(query.niche);
  const known = await findIndexed(ctx, key, niche, query);
  if (known && !known.isUnsearched) return known.answer;
  const spelling = getMapSpelling(niche) ?? query.niche;
  const refusal = await searchNewNiche(ctx, key, { niche, spelling, isEmpty: known !== null });
  const found = known && refusal ? known : await findIndexed(ctx, key, niche, query);
  if (found) return found.answer;
  const expected = await queueNiche(ctx, { ...key, niche, spelling }, refusal?.earliest ?? null);
  return answerWithNearest(ctx, query, expected);
}

/** The answer for a niche that is queued: the creators of the most similar indexed niche, if there is one. */
async function answerWithNearest(ctx: DiscoveryContext, query: DiscoverQuery, expected: Date | null) {
  const nearest = findNearestSpelling(query.niche, await listSpellings(ctx));
  const known = nearest && (await findIndexed(ctx, null, toNicheIdentity(nearest), query));
  const status = { niche: query.niche, suggested_niche: null, expected_at: expected?.toISOString() ?? null };
  if (known) {
    const hint = `Showing creators of the similar niche "${nearest}" until this niche is searched.`;
    return { ...known.answer, ...status, niche_status: "related" as const, related_niche: nearest, hint };
  }
  const hint = expected
    ? "This niche is queued: ask again after expected_at."
    : "The queue of new niches is full: ask again in a few days.";
  return { ...createEmptyAnswer(query, "queued", hint), ...status };
}

function createChannelAnswer(query: DiscoverQuery): SuggestingDiscovery {
  return createEmptyAnswer(query, "indexed", "This is a channel, not a niche: track it with POST /api/track.");
}

function createEmptyAnswer({ niche, ...page }: DiscoverQuery, niche_status: Discovery["niche_status"], hint: string) {
  const nothing = { related_niche: null, suggested_niche: null, expected_at: null, as_of: null, creators: [] };
  return { niche, niche_status, hint, ...nothing, pagination: buildPagination(page, 0) };
}

/** {@link discover} with what explains each score, whether the key tracks the creator, and the key's allowance. */
export async function discoverWithDetails(ctx: DiscoveryContext, key: Key, query: DiscoverQuery) {
  return addDetails(ctx, key, await answerNiche(ctx, key, query));
}

/**
 * Answers a niche that the key searched today or waits for, without counting or searching; null for any other
 * niche. So reloading the console, or changing filter, order or page, costs no request.
 */
export async function discoverAgain(ctx: DiscoveryContext, key: Key, query: DiscoverQuery) {
  if (isChannelName(query.niche)) return addDetails(ctx, key, createChannelAnswer(query));
  const niche = toNicheIdentity(query.niche);
  if (await hasSearchedToday(ctx, key, niche)) {
    const known = await findIndexed(ctx, key, niche, query);
    return known && addDetails(ctx, key, known.answer);
  }
  if (!(await isWaiting(ctx, key.id, niche))) return null;
  return addDetails(ctx, key, await answerWithNearest(ctx, query, await getExpectedTime(ctx, niche)));
}

export type NicheCheck = Awaited<ReturnType<typeof checkNiche>>;

/** Whether a search of a niche would use a new niche, and which known niche may be meant. Records and costs nothing. */
export async function checkNiche(ctx: DiscoveryContext, query: DiscoverQuery) {
  const niche = toNicheIdentity(query.niche);
  const known = await findIndexed(ctx, null, niche, query);
  if (isChannelName(query.niche) || known?.isUnsearched === false) return { is_new: false, suggested_niche: null };
  const [similar, spellings] = await Promise.all([findSimilarNiche(ctx, niche), listSpellings(ctx)]);
  const meant = spellings.find((spelling) => toNicheIdentity(spelling) === similar);
  return { is_new: true, suggested_niche: meant ?? findNearestSpelling(query.niche, spellings) };
}

/** Discovery for the console. */
export type ExplainedDiscovery = Awaited<ReturnType<typeof addDetails>>;
export type FoundCreator = ExplainedDiscovery["creators"][number];

async function addDetails(ctx: DiscoveryContext, key: Key, answer: SuggestingDiscovery) {
  const ids = answer.creators.map(({ channel_id }) => channel_id);
  const [allowance, growth, tracked] = await Promise.all([
    getNicheAllowance(ctx, key),
    loadGrowth(ctx, ids),
    filterTracked(ctx, key.id, ids),
  ]);
  const creators = answer.creators.map((creator) => {
    const { channel_id: id } = creator;
    return { ...creator, ...growth(id), is_tracked: tracked.has(id) };
  });
  return { ...answer, creators, allowance };
}
