import { formatDay, formatGrowth } from "@/core/format";
import { DAY, type Day, startOfDay, toDate, toUtcDay } from "@/core/time";
import { getSeverityLevel } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import type { ChartAnswer } from "@/features/creators/history.service";
import { toPlainTitle } from "@/features/videos/rules";
import type { RecentVideos } from "@/features/videos/service";
import type { Measure } from "@/platform/youtube/events";
import type { SnapshotDay } from "./snapshot-days";

/** An alert of the creator, on the day of its later snapshot. */
export type AlertMark = ReturnType<typeof listAlertMarks>[number];

/** Days with a platform event or without a snapshot. */
export interface DayNote {
  /** First and last index. */
  from: number;
  to: number;
  label: string;
  text: string;
}

export type ChartedAlert = Pick<
  Alert,
  "day" | "severity" | "percent" | "subscribers_before" | "subscribers_after" | "cause"
>;

/** The alerts of the charted days, oldest first. */
export function listAlertMarks(
  days: readonly Day[],
  alerts: readonly Pick<ChartedAlert, "day" | "severity" | "percent">[],
) {
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

export type Upload = RecentVideos["uploads"][number];

export interface UploadMark {
  id: string;
  /** The day's index and the time of day as its fraction. */
  at: number;
  form: Upload["form"];
  title: string;
  isCause: boolean;
}

const FORMS = { short: "Short", long: "video", live: "stream" } as const;

/** The uploads of the charted days. */
export function listUploadMarks(
  days: readonly Day[],
  uploads: readonly Upload[],
  alerts: readonly Pick<ChartedAlert, "cause">[],
): UploadMark[] {
  const causes = new Set(alerts.flatMap(({ cause }) => cause.videos.map(({ video_id }) => video_id)));
  return uploads.flatMap(({ video_id: id, published_at, form, title }) => {
    const published = toDate(published_at);
    const index = days.indexOf(toUtcDay(published));
    if (index < 0) return [];
    const time = (published.getTime() - startOfDay(toUtcDay(published)).getTime()) / DAY;
    return [{ id, at: index + time, form, title: toPlainTitle(title), isCause: causes.has(id) }];
  });
}

export function toUploadNotes(marks: readonly UploadMark[]): DayNote[] {
  return marks.map(({ at, form, title }) => {
    const index = Math.floor(at);
    return { from: index, to: index, label: "", text: `New ${FORMS[form]}: “${title}”` };
  });
}
