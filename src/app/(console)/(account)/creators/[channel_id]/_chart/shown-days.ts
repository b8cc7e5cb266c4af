import { countDaysBetween, type Day } from "@/core/time";
import type { HistorySnapshot } from "@/features/creators/schema";
import { listSnapshotDays, type SnapshotDay } from "./snapshot-days";

interface ShownDays {
  /** The periods to choose from. */
  spans: { value: string; label: string }[];
  /** The chosen one. */
  span: string;
  days: SnapshotDay[];
}

/** The days of the snapshots in a period. @param wanted its days, or `all` @param today of the server; an open page may get later snapshots */
export function getShownDays(snapshots: readonly HistorySnapshot[], wanted: string, today: Day): ShownDays {
  const last = [today, snapshots.at(-1)?.day ?? today].toSorted().at(-1) ?? today;
  const count = countDaysBetween(snapshots[0]?.day ?? last, last) + 1;
  const spans = listSpans(count);
  // The longest where the wanted one is not offered.
  const span = spans.find(({ value }) => value === wanted)?.value ?? "all";
  return { spans, span, days: listSnapshotDays(snapshots, span === "all" ? count : Number(span), last) };
}

/** The periods that the kept days cover, and all of them where that is more. */
function listSpans(count: number): ShownDays["spans"] {
  const periods = [7, 14, 30, 90].filter((days) => days <= count);
  const spans = periods.map((days) => ({ value: String(days), label: `${days} days` }));
  return periods.at(-1) === count ? spans : [...spans, { value: "all", label: "All" }];
}
