import type { z } from "zod";
import type { DiscoverQuery } from "@/features/discovery/schema";
import { formatCount } from "@/ui/format";
import { countryName } from "../../_ui/country-name";

/** The state of the page in the URL: a niche, how its creators are sorted and filtered, and how they are shown. */
export const DEFAULTS = {
  niche: "",
  sort: "score",
  country: "",
  min: "",
  max: "",
  rising: "",
  untracked: "",
  top: "",
  view: "",
  page: "1",
};
export type Search = typeof DEFAULTS;
export type Change = (change: Partial<Search>) => void;

export const SORTS = [
  { value: "score", label: "Score" },
  { value: "growth_7d", label: "Growth, 7 days" },
  { value: "subscribers", label: "Subscribers" },
] as const;
export type Sort = (typeof SORTS)[number]["value"];

export const NO_FILTERS = { country: "", min: "", max: "", rising: "", untracked: "", top: "", page: "1" };

const PAGE_SIZE = 50;
/** A niche has fewer creators. */
const LAST_PAGE = 1000;
const LONGEST_NICHE = 100;
const WHOLE_NUMBER = "Must be a whole number, such as 10,000";

/** What is wrong with a niche, found before it costs a request; null for none. */
export function nicheProblem(niche: string): string | null {
  if (niche.trim() === "") return "Enter a niche, such as gaming";
  return niche.trim().length > LONGEST_NICHE ? `Must have at most ${LONGEST_NICHE} characters` : null;
}

type Bounds = Pick<Search, "min" | "max">;

/** What is wrong with the bounds of the size, by field. */
export function boundProblems({ min, max }: Bounds): Partial<Bounds> {
  const [least, most] = [digitsOf(min), digitsOf(max)];
  if (!isWhole(least)) return { min: WHOLE_NUMBER };
  if (!isWhole(most)) return { max: WHOLE_NUMBER };
  if (least && most && Number(least) > Number(most)) return { min: "Must not exceed the maximum" };
  return {};
}

/** The sort in the URL; an unknown one is the default. */
export function sortOf({ sort }: Pick<Search, "sort">): Sort {
  return SORTS.find(({ value }) => value === sort)?.value ?? "score";
}

/** The URL's state as input of a search; unknown values fall back to defaults. */
export function asQuery(search: Search): z.input<typeof DiscoverQuery> {
  const page = Math.min(Math.max(1, Number.parseInt(search.page, 10) || 1), LAST_PAGE);
  const isRange = Object.keys(boundProblems(search)).length === 0;
  const [least, most] = isRange ? [digitsOf(search.min), digitsOf(search.max)] : [];
  return {
    niche: search.niche.trim(),
    offset: String((page - 1) * PAGE_SIZE),
    limit: String(PAGE_SIZE),
    sort: sortOf(search),
    rising: search.rising === "" ? "false" : "true",
    ...(/^[A-Za-z]{2}$/.test(search.country) && { country: search.country.toUpperCase() }),
    ...(least && { min_subscribers: least }),
    ...(most && { max_subscribers: most }),
  };
}

/** An active filter in words, and the change that removes it. */
export interface ActiveFilter {
  text: string;
  without: Partial<Search>;
}

/** The active filters, in the order of their fields. */
export function activeFilters(search: Search): ActiveFilter[] {
  const { country, min_subscribers: least, max_subscribers: most } = asQuery(search);
  const size = sizeText(least, most);
  return [
    ...(country ? [{ text: countryName(country), without: { country: "", page: "1" } }] : []),
    ...(size ? [{ text: size, without: { min: "", max: "", page: "1" } }] : []),
    ...(search.rising ? [{ text: "Rising only", without: { rising: "", page: "1" } }] : []),
    ...(search.top ? [{ text: "Rising for its size", without: { top: "" } }] : []),
    ...(search.untracked ? [{ text: "Not tracked yet", without: { untracked: "" } }] : []),
  ];
}

function sizeText(least?: string, most?: string): string | null {
  const [from, to] = [least, most].map((bound) => bound && formatCount(Number(bound)));
  if (from && to) return `${from} to ${to} subscribers`;
  if (from) return `${from} or more subscribers`;
  return to ? `up to ${to} subscribers` : null;
}

/** The niche that a hint suggests in place of a misspelled one. */
export function suggestedNiche(hint: string | null): string | null {
  return hint?.match(/^Did you mean "(.+)"\?/)?.[1] ?? null;
}

/** Accepts 10,000 and 10 000. */
function digitsOf(typed: string): string {
  return typed.replace(/[\s,]/g, "");
}

function isWhole(text: string): boolean {
  return /^\d{0,9}$/.test(text);
}
