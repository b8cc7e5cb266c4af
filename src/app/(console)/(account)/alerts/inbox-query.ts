import type { InboxFilter } from "@/features/alerts/query.schema";
import { CAUSES, LABELS, OUTCOME_CHOICES, SEVERITY_SCALE } from "@/features/alerts/rules";
import { isChannelId } from "@/features/creators/rules";
import { LIST_ID } from "../overview/tracked-query";

export const PAGE_SIZE = 25;

/** The state of the inbox in the URL. `open` is the id of the open alert. */
export const DEFAULTS = {
  severity: "",
  label: "",
  outcome: "",
  cause: "",
  unread: "",
  creator: "",
  list: "",
  page: "1",
  open: "",
};
export type InboxState = typeof DEFAULTS;

/** The filter in the URL; invalid values are ignored. */
export function toFilter(state: InboxState): InboxFilter {
  return {
    severity: SEVERITY_SCALE.find(({ severity }) => severity === state.severity)?.severity ?? null,
    label: LABELS.find((label) => label === state.label) ?? null,
    outcome: OUTCOME_CHOICES.find((outcome) => outcome === state.outcome) ?? null,
    cause: CAUSES.find((cause) => cause === state.cause) ?? null,
    unread: state.unread !== "",
    channel_id: isChannelId(state.creator) ? state.creator : null,
    day: null,
    list: LIST_ID.test(state.list) ? state.list : null,
  };
}

export function toInboxQuery(state: InboxState) {
  const page = Math.max(1, Number.parseInt(state.page, 10) || 1);
  return { ...toFilter(state), offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
}
