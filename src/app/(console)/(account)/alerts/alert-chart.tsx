import { countDaysBetween, type Day } from "@/core/time";
import type { InboxAlert } from "@/features/alerts/inbox.service";
import type { HistorySnapshot } from "@/features/creators/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { trpc } from "../../_client/trpc";
import { Chart } from "../creators/[channel_id]/_chart/chart";
import { buildChartModel } from "../creators/[channel_id]/_chart/chart-model";
import { getShownDays } from "../creators/[channel_id]/_chart/snapshot-days";
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
  const charted = { channel_id, name, days, history, expected, alerts: [alert], uploads: videos.data?.uploads };
  const model = buildChartModel(charted);
  if (!model || !days.some(({ day }) => day === alert.day))
    return <p className={styles.none}>Snapshots of these days are not kept any more.</p>;
  return (
    <figure data-direction={model.trend}>
      <figcaption className={styles.caption}>
        Subscribers{model.forecast?.range ? " and the expected range of the next 7 days" : ""}
      </figcaption>
      <Chart model={model} />
    </figure>
  );
}
