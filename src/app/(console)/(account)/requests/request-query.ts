import { PLAIN_TEXT } from "@/core/fields";
import { LOGGED_METHODS, MAX_PATH_LENGTH, PAGE_CURSOR, STATUS_CLASSES } from "@/features/usage/request-log.rules";
import type { RequestFilter } from "@/features/usage/request-log.schema";

/** Default state of the request log. */
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
