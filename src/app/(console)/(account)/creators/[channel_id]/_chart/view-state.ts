import { isChannelId, MAX_COMPARED } from "@/features/creators/rules";
import type { AxisScale } from "../../../../_ui/axis";

/** How a chart is looked at, as the address holds it. */
export const VIEW_DEFAULTS = { days: "30", scale: "linear", with: "", before: "" };
export type ViewState = typeof VIEW_DEFAULTS;

/** The view in the URL; invalid values are ignored. */
export function parseView(state: ViewState, channelId: string) {
  const ids = state.with.split(",").filter((id) => isChannelId(id) && id !== channelId);
  const scale: AxisScale = state.scale === "log" ? "log" : "linear";
  return {
    days: state.days,
    scale,
    compared: [...new Set(ids)].slice(0, MAX_COMPARED),
    isBeforeShown: state.before === "yes",
  };
}
