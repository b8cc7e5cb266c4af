import { PLAIN_TEXT } from "@/core/fields";
import { LOGGED_METHODS, MAX_PATH_LENGTH, PAGE_CURSOR, STATUS_CLASSES } from "@/features/usage/request-log.rules";
import type { RequestFilter } from "@/features/usage/schema";

export const DEFAULTS = { method: "", status: "", path: "", before: "" };

/** The URL state as a query; unknown values fall back to defaults. */
export function toRequestFilter(state: typeof DEFAULTS): RequestFilter {
  const { path, before } = state;
  return {
    method: LOGGED_METHODS.find((known) => known === state.method),
    status: parseStatus(state.status),
    path: path !== "" && path.length <= MAX_PATH_LENGTH && PLAIN_TEXT.test(path) ? path : undefined,
    before: PAGE_CURSOR.test(before) ? before : undefined,
  };
}

function parseStatus(text: string): RequestFilter["status"] {
  const known = STATUS_CLASSES.find((status) => status === text);
  return known ?? (/^[1-5]\d\d$/.test(text) ? Number(text) : undefined);
}

const WORDS: Readonly<Record<number | string, string>> = {
  200: "OK",
  400: "Invalid request",
  404: "Not found",
  405: "Wrong method",
  413: "Body too large",
  415: "Not JSON",
  429: "Limit reached",
  500: "Failed",
  503: "Unavailable",
  "2xx": "Success",
  "3xx": "Not changed",
  "4xx": "Refused",
  "5xx": "Failed",
};

/** A status, or a class of them, with its word: `404 Not found`. */
export function formatStatus(status: NonNullable<RequestFilter["status"]>): string {
  const word = WORDS[status] ?? WORDS[`${String(status)[0]}xx`];
  return word ? `${status} ${word}` : String(status);
}
