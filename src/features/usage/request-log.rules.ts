/** Days, and requests of a key, that the log keeps. A pro key that uses its full quota stays below. */
export const KEPT_DAYS = 7;
export const KEPT_PER_KEY = 20_000;

/** Requests refused with 429 that the log keeps of a key and UTC day, because they cost no quota. */
export const REFUSED_KEPT_PER_DAY = 500;

export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;
export const LOGGED_METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"] as const;

export const MAX_PATH_LENGTH = 300;
/** Where a page begins: milliseconds since the epoch, and the number of requests of that instant shown so far. */
export const PAGE_CURSOR = /^\d{1,14}-\d{1,5}$/;
const MAX_QUERY_LENGTH = 300;

/** Removes everything that looks like an API key, percent-encoded or not. */
export function removeKeys(text: string): string {
  return text.replace(/(c|%(25)*[46]3)(g|%(25)*[46]7)(_|%(25)*5F)[0-9A-Za-z%]{8,}/gi, "cg_…");
}

/** Pages whose path ends with a token. */
const TOKEN_PATH = /\/(shared|key)\/[^/?\s]+/gi;

/** A path as the log keeps it: without keys and tokens, and cut to 300 characters. */
export function sanitizePath(path: string): string {
  return removeKeys(path).replace(TOKEN_PATH, "/$1/…").slice(0, MAX_PATH_LENGTH);
}

/** A query as the log keeps it: only the known parameters of the endpoint, because others may hold secrets. */
export function sanitizeQuery(search: URLSearchParams, known: readonly string[]): string {
  if (search.size === 0) return "";
  const given = [...search].filter(([name]) => known.includes(name));
  return removeKeys(new URLSearchParams(given).toString()).slice(0, MAX_QUERY_LENGTH);
}
