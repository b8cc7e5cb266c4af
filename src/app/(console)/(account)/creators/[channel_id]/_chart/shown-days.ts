import { countDaysBetween, type Day } from "@/core/time";
import type { HistorySnapshot } from "@/features/creators/schema";
import { listSnapshotDays, type SnapshotDay } from "./snapshot-days";
import type { ChartView } from "./view-state";

interface ShownDays {
  /** The periods to choose from. */
  spans: { value: string; label: string }[];
  /** The chosen one; empty for a range of dates. */
  span: string;
  /** The first and the last day that is kept. */
  kept: { from: Day; to: Day };
  days: SnapshotDay[];
}

/** The days of the snapshots that a view shows. @param today of the server; an open page may get later snapshots */
export function getShownDays(
  snapshots: readonly HistorySnapshot[],
  { days, from, to }: Pick<ChartView, "days" | "from" | "to">,
  today: Day,
): ShownDays {
  const last = [today, snapshots.at(-1)?.day ?? today].toSorted().at(-1) ?? today;
  const kept = { from: snapshots[0]?.day ?? last, to: last };
  const count = countDaysBetween(kept.from, last) + 1;
  const spans = listSpans(count);
  if (from !== "" || to !== "") {
    const chosen = listSnapshotDays(snapshots, count, last).filter(
      ({ day }) => (from === "" || day >= from) && (to === "" || day <= to),
    );
    return { spans, span: "", kept, days: chosen };
  }
  // The longest where the wanted one is not offered.
  const span = spans.find(({ value }) => value === days)?.value ?? "all";
  return { spans, span, kept, days: listSnapshotDays(snapshots, span === "all" ? count : Number(span), last) };
}

/** The periods that the kept days cover, and all of them where that is more. */
function listSpans(count: number): ShownDays["spans"] {
  const periods = [7, 14, 30, 90].filter((days) => days <= count);
  const spans = periods.map((days) => ({ value: String(days), label: `${days} days` }));
  return periods.at(-1) === count ? spans : [...spans, { value: "all", label: "All" }];
}
