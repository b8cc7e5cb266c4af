import type { z } from "zod";
import { PLAIN_TEXT } from "@/core/fields";
import { systemClock, toUtcDay } from "@/core/time";
import type { NeighborsInput, TrackedQuery } from "@/features/creators/query.schema";
import { TRACKED_SORTS } from "@/features/creators/rules";
import { SIZE_BANDS } from "@/features/growth/rules";
import { ALERT_LEVELS } from "@/features/growth/score.rules";

const PAGE_SIZE = 50;
export const LIST_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The choice among the levels that compares a channel with those of its size. */
export const FOR_SIZE = "for_size";

/** What the tab of the day's alerts puts into the URL. The one of the changes since a visit puts its time there. */
export const SHOW_ALERTS = "alerts";
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const NO_FILTERS = { search: "", level: "", niche: "", country: "", size: "", page: "1" };
export const DEFAULTS = { sort: "score", order: "desc", list: "", show: "", ...NO_FILTERS };
export type TableState = typeof DEFAULTS;

/** The time whose changes the URL asks for, in ISO 8601; null for none. */
export function getChangedSince({ show }: Pick<TableState, "show">): string | null {
  return INSTANT.test(show) && !Number.isNaN(Date.parse(show)) ? show : null;
}

/** The URL state as a query; unknown values fall back to defaults. */
export function toTrackedQuery(state: TableState): TrackedQuery {
  const page = Math.max(1, Number.parseInt(state.page, 10) || 1);
  return {
    sort: TRACKED_SORTS.find((known) => known === state.sort) ?? "score",
    descending: state.order !== "asc",
    level: ALERT_LEVELS.find((known) => known === state.level) ?? null,
    rising_for_size: state.level === FOR_SIZE,
    niche: toText(state.niche) || null,
    country: /^[A-Z]{2}$/.test(state.country) ? state.country : null,
    size: SIZE_BANDS.find((min) => String(min) === state.size) ?? null,
    alert_day: state.show === SHOW_ALERTS ? toUtcDay(systemClock.now()) : null,
    changed_since: getChangedSince(state),
    list: LIST_ID.test(state.list) ? state.list : null,
    search: toText(state.search),
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  };
}

function toText(text: string): string {
  return PLAIN_TEXT.test(text) && text.length <= 100 ? text : "";
}

export function toTabsQuery(lastVisit: string | null) {
  return { alert_day: toUtcDay(systemClock.now()), changed_since: lastVisit };
}

/** The query for a creator's neighbors in the overview. @param via the search of the overview's URL */
export function toNeighborsQuery(channelId: string, via: string): z.output<typeof NeighborsInput> {
  const given = new URLSearchParams(via);
  const named = Object.entries(DEFAULTS).map(([name, usual]) => [name, given.get(name) ?? usual]);
  const { offset, limit, ...filter } = toTrackedQuery(Object.fromEntries(named) as typeof DEFAULTS);
  return { ...filter, channel_id: channelId };
}
