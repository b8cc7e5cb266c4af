import { addDays, countDaysBetween, type Day } from "@/core/time";
import { isChannelId, MAX_COMPARED } from "@/features/creators/rules";
import type { HistorySnapshot } from "@/features/creators/schema";
import type { AxisScale } from "../../../../_ui/axis";

/** A UTC day of a chart with its snapshot, or null. */
export interface SnapshotDay {
  day: Day;
  snapshot: HistorySnapshot | null;
}

/**
 * The last `count` days, oldest first, including missed days. Ends today if today has a snapshot or yesterday has
 * none, else yesterday. Starts at the first snapshot.
 * @param snapshots oldest first
 */
export function listSnapshotDays(snapshots: readonly HistorySnapshot[], count: number, today: Day): SnapshotDay[] {
  const [first, last] = [snapshots[0]?.day, snapshots.at(-1)?.day];
  if (!first || !last) return [];
  const yesterday = addDays(today, -1);
  const end = last < yesterday ? today : last;
  const byDay = new Map(snapshots.map((snapshot) => [snapshot.day, snapshot]));
  return Array.from({ length: count }, (_, index) => addDays(end, index - count + 1))
    .filter((day) => day >= first)
    .map((day) => ({ day, snapshot: byDay.get(day) ?? null }));
}

/**
 * The days of the snapshots in a period, the periods to choose from, and which of them it is.
 * @param wanted its days, or `all`
 * @param today of the server; an open page may get later snapshots
 */
export function getShownDays(snapshots: readonly HistorySnapshot[], wanted: string, today: Day) {
  const last = [today, snapshots.at(-1)?.day ?? today].toSorted().at(-1) ?? today;
  const count = countDaysBetween(snapshots[0]?.day ?? last, last) + 1;
  const spans = listSpans(count);
  // The longest where the wanted one is not offered.
  const span = spans.find(({ value }) => value === wanted)?.value ?? "all";
  return { spans, span, days: listSnapshotDays(snapshots, span === "all" ? count : Number(span), last) };
}

/** The periods that the kept days cover, and all of them where that is more. */
function listSpans(count: number) {
  const periods = [7, 14, 30, 90].filter((days) => days <= count);
  const spans = periods.map((days) => ({ value: String(days), label: `${days} days` }));
  return periods.at(-1) === count ? spans : [...spans, { value: "all", label: "All" }];
}

const MAX_ALERTS = 100;

/** The query for a creator's alerts. The server prefetches it, so this is no client module. */
export const buildAlertsQuery = (channelId: string) => ({ channel_id: channelId, limit: MAX_ALERTS });

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
