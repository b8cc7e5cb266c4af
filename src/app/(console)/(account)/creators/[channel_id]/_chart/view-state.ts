import { isChannelId, MAX_COMPARED } from "@/features/creators/rules";
import type { AxisScale } from "../../../../_ui/axis";

const MAX_ALERTS = 100;

/** The query for a creator's alerts. The server prefetches it, so this is no client module. */
export const buildAlertsQuery = (channelId: string) => ({ channel_id: channelId, limit: MAX_ALERTS });

/** How a chart is looked at, as the address holds it. */
export const VIEW_DEFAULTS = { days: "30", scale: "linear", with: "", before: "" };
export type ViewState = typeof VIEW_DEFAULTS;

export interface ChartView {
  /** A period in days, or `all`. */
  days: string;
  scale: AxisScale;
  /** Channel ids. */
  compared: string[];
  isBeforeShown: boolean;
}

/** The view in the URL; invalid values are ignored. */
export function parseView(state: ViewState, channelId: string): ChartView {
  const ids = state.with.split(",").filter((id) => isChannelId(id) && id !== channelId);
  return {
    days: state.days,
    scale: state.scale === "log" ? "log" : "linear",
    compared: [...new Set(ids)].slice(0, MAX_COMPARED),
    isBeforeShown: state.before === "yes",
  };
}
