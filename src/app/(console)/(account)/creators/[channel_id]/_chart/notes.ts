import { type Day, startOfDay } from "@/core/time";
import { SEVERITY_SCALE } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import type { ChartAnswer, Measure } from "@/features/creators/chart.schema";
import { formatDay, formatGrowth } from "@/ui/format";
import type { ReadingDay } from "../reading-days";

/** An alert of the creator, on the day of its later reading. */
export interface AlertMark {
  place: number;
  severity: Alert["severity"];
  color: string;
  label: string;
}

/** Days on which something else than growth changed the counts, or nothing was read. */
export interface DayNote {
  /** First and last place. */
  from: number;
  to: number;
  label: string;
  text: string;
}

/** The alerts of the charted days, oldest first. */
export function alertMarks(
  days: readonly Day[],
  alerts: readonly (Pick<Alert, "severity" | "percent"> & { day: Day })[],
): AlertMark[] {
  const marks = alerts.map(({ day, severity, percent }) => ({
    place: days.indexOf(day),
    severity,
    color: SEVERITY_SCALE.find((level) => level.severity === severity)?.color ?? "",
    label: `${severity} ${formatGrowth(percent)}`,
  }));
  return marks.filter(({ place }) => place >= 0).sort((left, right) => left.place - right.place);
}

/** Events of the platform and missed daily runs on the charted days. */
export function dayNotes(
  days: readonly ReadingDay[],
  measure: Measure,
  { events, run_days }: Pick<ChartAnswer, "events" | "run_days">,
): DayNote[] {
  return [...eventNotes(days, measure, events), ...missedRuns(days, new Set(run_days))];
}

function eventNotes(days: readonly ReadingDay[], measure: Measure, events: ChartAnswer["events"]): DayNote[] {
  return events.flatMap(({ from: first, to: last, measures, label, text }) => {
    const from = days.findIndex(({ day }) => day >= first && day <= last);
    const to = days.findLastIndex(({ day }) => day >= first && day <= last);
    if (from < 0 || !measures.includes(measure)) return [];
    return [{ from, to, label, text: `${spanText(first, last)}: ${text}` }];
  });
}

/** Days in a row without a reading on which no run began. Without any known run, nothing is known of the missed ones. */
function missedRuns(days: readonly ReadingDay[], runDays: ReadonlySet<Day>): DayNote[] {
  if (runDays.size === 0) return [];
  const spans: { from: number; to: number }[] = [];
  for (const [place, { day, reading }] of days.entries()) {
    if (reading !== null || runDays.has(day)) continue;
    const last = spans.at(-1);
    if (last?.to === place - 1) last.to = place;
    else spans.push({ from: place, to: place });
  }
  return spans.map(({ from, to }) => ({
    from,
    to,
    label: "missed run",
    text: `${spanText(days[from]?.day ?? "", days[to]?.day ?? "")}: the daily run was missed.`,
  }));
}

function spanText(from: Day, to: Day): string {
  const [first, last] = [from, to].map((day) => formatDay(startOfDay(day)));
  return first === last ? `${first}` : `${first} to ${last}`;
}
