import computeEditDistance from "damerau-levenshtein";
import { foldName } from "@/core/fields";
import { parseReference } from "@/features/creators/addresses.rules";

/** The platform allows the service 100 searches a day: these, and ten in reserve for retries. */
export const SEARCHES_PER_DAY = { first: 50, renewal: 30, map: 10 } as const;

/** Whether a niche as normalised is an id, a handle or a URL of a channel. */
export function isChannelName(niche: string): boolean {
  const { kind } = parseReference(niche.replace(/(?<=^|\/)uc(?=[\w-]{22}(?:$|[/?#]))/, "UC"));
  return kind !== "other" && kind !== "none";
}

/** A niche as shown and searched: NFC, trimmed, single spaces, lower case. */
export function normaliseNiche(niche: string): string {
  return niche.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}

/**
 * The key of a niche's index entry, the same for all spellings: `E-Sports`, `e sports` and `esport`. Ignores
 * compatibility forms (NFKC), case, spaces, hyphens, underscores, apostrophes and the plural of Latin words.
 */
export function toNicheIdentity(niche: string): string {
  const singulars = splitWords(niche).map(stripPluralS);
  const words = [...singulars.slice(0, -1), normaliseEnding(singulars.at(-1) ?? "")];
  const identity = words.map((word, at) => getGapBefore(words, at) + word).join("") || foldName(niche).trim();
  return [...identity].slice(0, MAX_IDENTITY).join("");
}

/** Bounded because NFKC turns one character into up to eighteen. */
const MAX_IDENTITY = 100;

/** Keeps single letters apart: `c-o-o-k` is not `cook`. */
function getGapBefore(words: readonly string[], at: number): string {
  const isLetter = (word: string | undefined) => word !== undefined && [...word].length === 1;
  return isLetter(words[at]) && isLetter(words[at - 1]) ? " " : "";
}

/** The search query for a niche: NFKC without hyphens, because a hyphen before a word excludes it from a search. */
export function toSearchQuery(spelling: string): string {
  const plain = spelling.normalize("NFKC").replace(/[\s_\p{Pd}\u2212]+/gu, " ");
  return plain.trim() || spelling;
}

/** Whether two spellings differ in more than case, spaces and hyphens, which a search ignores. */
export function hasDifferentLetters(one: string, other: string): boolean {
  return splitWords(one).join("") !== splitWords(other).join("");
}

function splitWords(niche: string): string[] {
  const words = foldName(niche).replace(/['’ʼ]/g, "");
  return words.split(/[\s_\p{Pd}\p{Cf}\u2212]+/u).filter(Boolean);
}

const LATIN_WORD = /^\p{Script=Latin}{4,}$/u;
const NO_PLURAL = /(?:ss|us|is|^news)$/;

function stripPluralS(word: string): string {
  return LATIN_WORD.test(word) && word.endsWith("s") && !NO_PLURAL.test(word) ? word.slice(0, -1) : word;
}

/** Gives singular and plural without its `s` one ending: `boxe` and `box`, `hobbie` and `hobby`. */
function normaliseEnding(word: string): string {
  return LATIN_WORD.test(word) ? word.replace(/(?<=[sxzoi]|[cs]h)e$/, "").replace(/y$/, "i") : word;
}

/** A channel that a search of a niche found. */
export interface Candidate {
  channelId: string;
  subscribers: number | null;
  /** Null without a subscriber count. */
  score: number | null;
  foundAt: Date;
}

/** The most candidates a niche keeps. */
const MAX_CANDIDATES = 100;
/** Channels with fewer subscribers count as small. */
const SMALL_BELOW = 10_000;

/** Selects the best candidates by score, up to half of them small channels. In a tie the later one wins. */
export function selectCandidates(candidates: readonly Candidate[], limit = MAX_CANDIDATES): Candidate[] {
  const ranked = candidates.toSorted(
    (one, other) => (other.score ?? -1) - (one.score ?? -1) || other.foundAt.getTime() - one.foundAt.getTime(),
  );
  const isSmall = ({ subscribers }: Candidate) => subscribers !== null && subscribers < SMALL_BELOW;
  const small = new Set(ranked.filter(isSmall).slice(0, Math.ceil(limit / 2)));
  const others = ranked.filter((candidate) => !small.has(candidate)).slice(0, limit - small.size);
  return [...small, ...others];
}

/** Minimum Dice coefficient of two similar niches. */
const MIN_SIMILARITY = 0.3;

/** The most similar spelling by trigrams of words (Dice coefficient); null when none is similar. */
export function findNearestSpelling(niche: string, known: readonly string[]): string | null {
  const pieces = splitTrigrams(niche);
  const ranked = known
    .map((spelling) => ({ spelling, similarity: computeSimilarity(pieces, splitTrigrams(spelling)) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .toSorted((one, other) => other.similarity - one.similarity);
  return ranked[0]?.spelling ?? null;
}

function computeSimilarity(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((piece) => other.has(piece)).length;
  return (2 * shared) / (one.size + other.size || 1);
}

function splitTrigrams(niche: string): Set<string> {
  const words = niche.split(/[\s_\p{Pd}]+/u).filter(Boolean);
  const trigrams = words.flatMap((word) => {
    const letters = ["", "", ...word, ""];
    return letters.slice(0, -2).map((_, at) => letters.slice(at, at + 3).join("\u0000"));
  });
  return new Set(trigrams);
}

/** Whether two identities differ by a typo: one letter or swap of neighbours from 5 letters on, two from 9 on. */
export function isTypo(one: string, other: string): boolean {
  const [a, b] = [toSingleUnits(one), toSingleUnits(other)];
  const shortest = Math.min(a.length, b.length);
  const allowed = shortest >= 9 ? 2 : 1;
  if (one === other || shortest < 5 || Math.abs(a.length - b.length) > allowed) return false;
  return computeEditDistance(a, b).steps <= allowed;
}

/** Replaces characters of two UTF-16 units, such as emoji, by one, since the edit distance counts units. */
function toSingleUnits(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd");
}

/** The map of niches: common topics, each wide enough for weekly videos by creators of any size. */
export const NICHE_MAP = [
  { name: "Games & fun", niches: ["gaming", "esports", "chess", "animation", "comedy"] },
  { name: "Technology", niches: ["technology", "programming", "artificial intelligence", "robotics", "cybersecurity"] },
  { name: "Learning", niches: ["science", "education", "history", "books", "astronomy"] },
  { name: "Money", niches: ["finance", "personal finance", "investing", "business", "real estate"] },
  { name: "Health & sport", niches: ["fitness", "health", "yoga", "sports", "football"] },
  { name: "Food & home", niches: ["cooking", "baking", "gardening", "diy", "woodworking"] },
  { name: "Style & family", niches: ["beauty", "fashion", "skincare", "parenting", "pets"] },
  { name: "Arts & travel", niches: ["music", "photography", "film making", "travel", "cars"] },
] as const;

const SPELLINGS = new Map<string, string>(
  NICHE_MAP.flatMap(({ niches }) => niches).map((niche) => [toNicheIdentity(niche), niche]),
);

/** The identities of the map's niches, in its order. */
export const MAP_NICHES: readonly string[] = [...SPELLINGS.keys()];

/** How the map spells a niche; undefined for a niche that is not on it. */
export function getMapSpelling(niche: string): string | undefined {
  return SPELLINGS.get(niche);
}
