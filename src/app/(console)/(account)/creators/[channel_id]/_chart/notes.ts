import { formatDay, formatGrowth } from "@/core/format";
import type { Day } from "@/core/time";
import { getSeverityLevel } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import type { ChartAnswer } from "@/features/creators/history.service";
import type { Measure } from "@/platform/youtube/events";
import type { SnapshotDay } from "./snapshot-days";

/** An alert of the creator, on the day of its later snapshot. */
export interface AlertMark {
  index: number;
  severity: Alert["severity"];
  color: string;
  label: string;
}

/** Days with a platform event or without a snapshot. */
export interface DayNote {
  /** First and last index. */
  from: number;
  to: number;
  label: string;
  text: string;
}

/** What a chart shows of an alert. */
export type ChartedAlert = Pick<
  Alert,
  "day" | "severity" | "percent" | "subscribers_before" | "subscribers_after" | "cause"
>;

/** The alerts of the charted days, oldest first. */
export function listAlertMarks(
  days: readonly Day[],
  alerts: readonly Pick<ChartedAlert, "day" | "severity" | "percent">[],
): AlertMark[] {
  const marks = alerts.map(({ day, severity, percent }) => ({
    index: days.indexOf(day),
    severity,
    color: getSeverityLevel(severity).color,
    label: `${severity} ${formatGrowth(percent)}`,
  }));
  return marks.filter(({ index }) => index >= 0).sort((left, right) => left.index - right.index);
}

/** Events of the platform and missed daily runs on the charted days. */
export function listDayNotes(
  days: readonly SnapshotDay[],
  measure: Measure,
  { events, run_days }: Pick<ChartAnswer, "events" | "run_days">,
): DayNote[] {
  return [...listEventNotes(days, measure, events), ...listMissedRuns(days, new Set(run_days))];
}

function listEventNotes(days: readonly SnapshotDay[], measure: Measure, events: ChartAnswer["events"]): DayNote[] {
  return events.flatMap(({ from: first, to: last, measures, label, text }) => {
    const from = days.findIndex(({ day }) => day >= first && day <= last);
    const to = days.findLastIndex(({ day }) => day >= first && day <= last);
    if (from < 0 || !measures.includes(measure)) return [];
    return [{ from, to, label, text: `${formatSpan(first, last)}: ${text}` }];
  });
}

/** Consecutive days without a snapshot and without a run; none when no run is known. */
function listMissedRuns(days: readonly SnapshotDay[], runDays: ReadonlySet<Day>): DayNote[] {
  if (runDays.size === 0) return [];
  const spans: { from: number; to: number }[] = [];
  for (const [index, { day, snapshot }] of days.entries()) {
    if (snapshot !== null || runDays.has(day)) continue;
    const last = spans.at(-1);
    if (last?.to === index - 1) last.to = index;
    else spans.push({ from: index, to: index });
  }
  return spans.map(({ from, to }) => ({
    from,
    to,
    label: "missed run",
    text: `${formatSpan(days[from]?.day ?? "", days[to]?.day ?? "")}: the daily run was missed.`,
  }));
}

function formatSpan(from: Day, to: Day): string {
  const [first, last] = [from, to].map(formatDay);
  return first === last ? `${first}` : `${first} to ${last}`;
}
