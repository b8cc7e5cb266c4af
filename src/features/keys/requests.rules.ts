/** How long and how many requests are kept. A pro key that uses up every day stays below the number. */
export const KEPT_DAYS = 7;
export const KEPT_PER_KEY = 20_000;

/** Of the requests of a key that 429 refused, so many are kept of each UTC day; they cost their sender nothing. */
export const REFUSED_KEPT_PER_DAY = 500;

const LONGEST_PATH = 300;
const LONGEST_QUERY = 300;

/** A text without anything that looks like an API key, percent-encoded or not, wherever it was put by mistake. */
export function withoutKeys(text: string): string {
  return text.replace(/(c|%(25)*[46]3)(g|%(25)*[46]7)(_|%(25)*5F)[0-9A-Za-z%]{8,}/gi, "cg_…");
}

/** A path as it may be kept: without keys, and no longer than any path of the API. */
export function keptPath(path: string): string {
  return withoutKeys(path).slice(0, LONGEST_PATH);
}

/**
 * What may be kept of a query: the parameters an endpoint knows and no other, for people put secrets into others.
 * @param known names of the endpoint's parameters
 */
export function keptQuery(search: URLSearchParams, known: readonly string[]): string {
  if (search.size === 0) return "";
  const given = [...search].filter(([name]) => known.includes(name));
  return withoutKeys(new URLSearchParams(given).toString()).slice(0, LONGEST_QUERY);
}
