import { DAY, type Day, startOfDay, toDate, toUtcDay } from "@/core/time";
import { toPlainTitle } from "@/features/videos/rules";
import type { RecentVideos } from "@/features/videos/service";
import type { ChartedAlert, DayNote } from "./notes";

export type Upload = RecentVideos["uploads"][number];

/** An upload on the axis of a chart. */
export interface UploadMark {
  id: string;
  /** The day's index and the time of day as its fraction. */
  at: number;
  form: Upload["form"];
  title: string;
  /** Whether an alert likely came from it. */
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

/** The uploads as what happened on their days. */
export function toUploadNotes(marks: readonly UploadMark[]): DayNote[] {
  return marks.map(({ at, form, title }) => {
    const index = Math.floor(at);
    return { from: index, to: index, label: "", text: `New ${FORMS[form]}: “${title}”` };
  });
}
