import { LOGGED_METHODS, RequestFilter, STATUS_CLASSES } from "@/features/keys/requests.schema";

/** What the log shows unless its address says otherwise. */
export const DEFAULTS = { method: "", status: "", path: "", before: "" };

/** What the address asks for, as the server takes it; whatever is not known counts as not said. */
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
