import { LOGGED_METHODS, RequestFilter, STATUS_CLASSES } from "@/features/keys/requests.schema";

/** Default state of the request log. */
export const DEFAULTS = { method: "", status: "", path: "", before: "" };

/** The URL state as a query; unknown values fall back to defaults. */
export function requestFilterOf(state: typeof DEFAULTS): RequestFilter {
  const { path, before } = RequestFilter.shape;
  return {
    method: LOGGED_METHODS.find((known) => known === state.method),
    status: statusOf(state.status),
    path: path.safeParse(state.path || undefined).data,
    before: before.safeParse(state.before || undefined).data,
  };
}

function statusOf(text: string): RequestFilter["status"] {
  const known = STATUS_CLASSES.find((status) => status === text);
  return known ?? (/^[1-5]\d\d$/.test(text) ? Number(text) : undefined);
}
