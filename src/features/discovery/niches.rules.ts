import type { Tier } from "@/core/config/tiers";

/**
 * The platform allows 100 searches a day to the whole service. Half of them are for niches that nobody asked for before,
 * most others renew known ones; ten are left over for those that are told twice: by a crash, or by two clocks.
 */
export const SEARCHES_PER_DAY = { first: 50, renewal: 40 } as const;

/** How many niches that nobody asked for before a key can have looked up in one UTC day. */
export const NEW_NICHES_PER_DAY: Readonly<Record<Tier, number>> = { free: 2, starter: 5, pro: 10 };

/** A niche as it is shown and searched for: NFC, no space around it, single spaces inside, lower case. */
export function normaliseNiche(niche: string): string {
  return niche.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}

/**
 * What all spellings of a niche have in common, so that they share one index entry: compatible characters are one
 * (NFKC), case does not count, nor do spaces, hyphens, underscores and apostrophes, nor whether a word of Latin letters
 * stands in the plural: `E-Sports`, `e sports` and `esport` are one niche. Not a word to be shown.
 */
export function nicheIdentity(niche: string): string {
  const singulars = wordsOf(niche).map(withoutS);
  const words = [...singulars.slice(0, -1), sameEnding(singulars.at(-1) ?? "")];
  const identity = words.map((word, at) => gapBefore(words, at) + word).join("") || folded(niche).trim();
  return [...identity].slice(0, LONGEST_IDENTITY).join("");
}

/** Compatible characters may be many letters: one of Arabic is eighteen. */
const LONGEST_IDENTITY = 100;

/** Letters that stand alone are no word: `c-o-o-k` is not `cook`, for which a search would find something else. */
function gapBefore(words: readonly string[], at: number): string {
  const isLetter = (word: string | undefined) => word !== undefined && [...word].length === 1;
  return isLetter(words[at]) && isLetter(words[at - 1]) ? " " : "";
}

/**
 * What a platform is asked for: common letters in the place of ligatures and the like, and no hyphens, one of which
 * before a word would have it leave that word out.
 */
export function searchWords(spelling: string): string {
  return (
    spelling
      .normalize("NFKC")
      .replace(/[\s_\p{Pd}\u2212]+/gu, " ")
      .trim() || spelling
  );
}

/** Whether two spellings of a niche differ in more than case, spaces and hyphens: a search takes those for one. */
export function differInLetters(one: string, other: string): boolean {
  return wordsOf(one).join("") !== wordsOf(other).join("");
}

function wordsOf(niche: string): string[] {
  const words = folded(niche).replace(/['’ʼ]/g, "");
  return words.split(/[\s_\p{Pd}\p{Cf}\u2212]+/u).filter(Boolean);
}

/** Up and down again, so that letters with several small forms have one. */
function folded(niche: string): string {
  return niche.normalize("NFKC").toUpperCase().toLowerCase();
}

const LATIN_WORD = /^\p{Script=Latin}{4,}$/u;
const NO_PLURAL = /(?:ss|us|is|^news)$/;

function withoutS(word: string): string {
  return LATIN_WORD.test(word) && word.endsWith("s") && !NO_PLURAL.test(word) ? word.slice(0, -1) : word;
}

/** One ending for what a plural's `s` leaves behind: `boxe` and `box`, `heroe` and `hero`, `hobbie` and `hobby`. */
function sameEnding(word: string): string {
  return LATIN_WORD.test(word) ? word.replace(/(?<=[sxzoi]|[cs]h)e$/, "").replace(/y$/, "i") : word;
}

/** A channel that a look-up of a niche has found, now or before. */
export interface Candidate {
  channelId: string;
  subscribers: number | null;
  /** Null without a subscriber count. */
  score: number | null;
  foundAt: Date;
}

/** The most candidates a niche keeps. */
export const MAX_CANDIDATES = 100;
/** A channel with fewer subscribers is a small one; searches elsewhere hide those. */
export const SMALL_BELOW = 10_000;

/**
 * The candidates that a niche keeps: the best by score, half of the places going to small channels as long as there
 * are any. Of equals the one found later.
 */
export function keptCandidates(candidates: readonly Candidate[], places = MAX_CANDIDATES): Candidate[] {
  const ranked = candidates.toSorted(
    (one, other) =>
      (other.score ?? -1) - (one.score ?? -1) || other.foundAt.getTime() - one.foundAt.getTime(),
  );
  const isSmall = ({ subscribers }: Candidate) => subscribers !== null && subscribers < SMALL_BELOW;
  const small = new Set(ranked.filter(isSmall).slice(0, Math.ceil(places / 2)));
  const others = ranked.filter((candidate) => !small.has(candidate)).slice(0, places - small.size);
  return [...small, ...others];
}

/** Niches less alike than this have nothing to say about one another. */
const LEAST_LIKENESS = 0.3;

/**
 * The spelling most like the given one by the three-letter pieces of their words (Dice's coefficient); null when none
 * comes near.
 */
export function nearestSpelling(niche: string, known: readonly string[]): string | null {
  const pieces = piecesOf(niche);
  let nearest: string | null = null;
  let best = LEAST_LIKENESS;
  for (const spelling of known) {
    const likeness = likenessOf(pieces, piecesOf(spelling));
    if (likeness < best || (likeness === best && nearest !== null)) continue;
    [nearest, best] = [spelling, likeness];
  }
  return nearest;
}

function likenessOf(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((piece) => other.has(piece)).length;
  return (2 * shared) / (one.size + other.size || 1);
}

function piecesOf(niche: string): Set<string> {
  const words = niche.split(/[\s_\p{Pd}]+/u).filter(Boolean);
  return new Set(
    words.flatMap((word) => {
      const letters = ["", "", ...word, ""];
      return letters.slice(0, -2).map((_, at) => letters.slice(at, at + 3).join("\u0000"));
    }),
  );
}

/** Whether two identities differ by a slip of the pen: one letter in those from 5 letters on, two from 9 on. */
export function isSlipOf(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]];
  const shortest = Math.min(a.length, b.length);
  const allowed = shortest >= 9 ? 2 : 1;
  if (one === other || shortest < 5 || Math.abs(a.length - b.length) > allowed) return false;
  return editDistance(a, b, allowed) <= allowed;
}

/**
 * Letters to add, drop, change or swap with their neighbour (optimal string alignment).
 * @param most of interest: what needs more is not counted exactly, which saves nearly all of the work
 */
function editDistance(a: readonly string[], b: readonly string[], most: number): number {
  const rows: number[][] = [b.map((_, at) => at)];
  rows[0]?.push(b.length);
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = i > 1 && j > 1 && isSwap ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row[j] = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + change, swapped);
    }
  }
  return cell(a.length, b.length);
}
