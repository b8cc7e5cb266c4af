import type { z } from "zod";
import { formatRoundCount } from "@/core/format";
import type { DiscoverQuery } from "@/features/discovery/schema";

/** The state of the page in the URL: a niche, how its creators are sorted and filtered. */
export const DEFAULTS = {
  niche: "",
  sort: "score",
  country: "",
  min: "",
  max: "",
  rising: "",
  untracked: "",
  top: "",
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
const MAX_NICHE_LENGTH = 100;
const WHOLE_NUMBER = /^\d{0,9}$/;
const NOT_WHOLE = "Must be a whole number, such as 10,000";

/** What is wrong with a niche, found before it costs a request; null for none. */
export function findNicheProblem(niche: string): string | null {
  if (niche.trim() === "") return "Enter a niche, such as gaming";
  return niche.trim().length > MAX_NICHE_LENGTH ? `Must have at most ${MAX_NICHE_LENGTH} characters` : null;
}

type Bounds = Pick<Search, "min" | "max">;

/** What is wrong with the bounds of the size, by field. */
export function findBoundProblems({ min, max }: Bounds): Partial<Bounds> {
  const [minText, maxText] = [toDigits(min), toDigits(max)];
  if (!WHOLE_NUMBER.test(minText)) return { min: NOT_WHOLE };
  if (!WHOLE_NUMBER.test(maxText)) return { max: NOT_WHOLE };
  if (minText && maxText && Number(minText) > Number(maxText)) return { min: "Must not exceed the maximum" };
  return {};
}

/** The sort in the URL; an unknown one is the default. */
export function getSort({ sort }: Pick<Search, "sort">): Sort {
  return SORTS.find(({ value }) => value === sort)?.value ?? "score";
}

/** The URL's state as input of a search; unknown values fall back to defaults. */
export function toQuery(search: Search): z.input<typeof DiscoverQuery> {
  const page = Math.min(Math.max(1, Number.parseInt(search.page, 10) || 1), LAST_PAGE);
  const isRange = Object.keys(findBoundProblems(search)).length === 0;
  const [min, max] = isRange ? [toDigits(search.min), toDigits(search.max)] : [];
  return {
    niche: search.niche.trim(),
    offset: String((page - 1) * PAGE_SIZE),
    limit: String(PAGE_SIZE),
    sort: getSort(search),
    rising: search.rising === "" ? "false" : "true",
    ...(/^[A-Za-z]{2}$/.test(search.country) && { country: search.country.toUpperCase() }),
    ...(min && { min_subscribers: min }),
    ...(max && { max_subscribers: max }),
  };
}

/** Whether a search leaves creators out. */
export function isFiltered({ country, min, max, rising, untracked, top }: Search): boolean {
  return [country, min, max, rising, untracked, top].some(Boolean);
}

/** The size in words: `10K to 2.00M`, or `Size` for any. */
export function formatSize(search: Search): string {
  const { min_subscribers: min, max_subscribers: max } = toQuery(search);
  const [from, to] = [min, max].map((bound) => bound && formatRoundCount(Number(bound)));
  if (from && to) return `${from} to ${to}`;
  if (from) return `${from} or more`;
  return to ? `Up to ${to}` : "Size";
}

/** Accepts 10,000 and 10 000. */
function toDigits(typed: string): string {
  return typed.replace(/[\s,]/g, "");
}
