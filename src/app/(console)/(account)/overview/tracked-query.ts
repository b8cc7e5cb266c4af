import { PLAIN_TEXT } from "@/core/fields";
import type { TrackedQuery } from "@/features/creators/table.schema";
import { ALERT_LEVELS } from "@/features/growth/score.rules";

/** How many of today's alerts the overview asks for. */
export const ALERTS_SHOWN = 3;
const PAGE_SIZE = 50;
export const LIST_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const SORTS: readonly TrackedQuery["sort"][] = ["name", "subscribers", "growth_1d", "growth_7d", "score"];

/** The choice among the levels that compares a channel with those of its size. */
export const FOR_SIZE = "for_size";

/** Default state of the tracked creators table. */
export const DEFAULTS = { sort: "score", order: "desc", search: "", level: "", list: "", page: "1" };

/** The URL state as a query; unknown values fall back to defaults. */
export function toTrackedQuery(state: typeof DEFAULTS): TrackedQuery {
  const page = Math.max(1, Number.parseInt(state.page, 10) || 1);
  return {
    sort: SORTS.find((known) => known === state.sort) ?? "score",
    descending: state.order !== "asc",
    level: ALERT_LEVELS.find((known) => known === state.level) ?? null,
    rising_for_size: state.level === FOR_SIZE,
    list: LIST_ID.test(state.list) ? state.list : null,
    search: PLAIN_TEXT.test(state.search) ? state.search : "",
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  };
}
