import { countDaysBetween, type Day } from "@/core/time";
import type { InboxAlert } from "@/features/alerts/inbox.schema";
import type { HistorySnapshot } from "@/features/creators/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { trpc } from "../../_client/trpc";
import { Chart } from "../creators/[channel_id]/_chart/chart";
import { buildChartModel, getTrend } from "../creators/[channel_id]/_chart/chart-model";
import { buildForecast } from "../creators/[channel_id]/_chart/forecast";
import { listAlertMarks } from "../creators/[channel_id]/_chart/notes";
import panelStyles from "../creators/[channel_id]/_chart/panel.module.css";
import { getShownDays } from "../creators/[channel_id]/_chart/shown-days";
import { listUploadMarks } from "../creators/[channel_id]/_chart/uploads";
import styles from "./alert-details.module.css";

export interface AlertChartProps {
  alert: InboxAlert;
  /** Oldest first. */
  history: readonly HistorySnapshot[];
  /** Growth over the 7 days after the latest snapshot, in percent; null where it is not known. */
  expected: Range | null;
  today: Day;
}

/** The counts around an alert with the uploads of these days, where the count is expected next and what it has to hold. */
export function AlertChart({ alert, history, expected, today }: AlertChartProps) {
  const { channel_id, creator_name: name } = alert;
  const videos = trpc.creators.videos.useQuery({ channel_id });
  const { days } = getShownDays(history, countDaysBetween(alert.day, today) < 30 ? "30" : "all", today);
  const dates = days.map(({ day }) => day);
  const count = days.at(-1)?.snapshot?.subscribers ?? null;
  const forecast = buildForecast(dates, count, expected, [alert]);
  const charted = { channel_id, name, days, history, compared: [], isBeforeShown: false, forecast };
  const model = buildChartModel({ ...charted, scale: "linear" });
  if (!model || !dates.includes(alert.day))
    return <p className={styles.none}>Snapshots of these days are not kept any more.</p>;
  const causes = new Set(alert.cause.videos.map(({ video_id }) => video_id));
  return (
    <figure className={panelStyles.root} data-trend={getTrend(model.lines[0]?.counts ?? [])}>
      <figcaption className={styles.caption}>
        Subscribers{forecast?.range ? " and the expected range of the next 7 days" : ""}
      </figcaption>
      <Chart
        ref={null}
        model={model}
        alerts={listAlertMarks(dates, [alert])}
        notes={[]}
        uploads={listUploadMarks(dates, videos.data?.uploads ?? [], causes)}
      />
    </figure>
  );
}
