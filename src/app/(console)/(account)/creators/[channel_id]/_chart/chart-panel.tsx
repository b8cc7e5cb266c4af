"use client";

import { Skeleton } from "@mantine/core";
import type { Ref } from "react";
import { toDate, toUtcDay } from "@/core/time";
import type { Alert } from "@/features/alerts/schema";
import type { ChartAnswer } from "@/features/creators/chart.schema";
import { MAX_COMPARED } from "@/features/creators/rules";
import type { Creator, HistorySnapshot } from "@/features/creators/schema";
import { trpc } from "../../../../_client/trpc";
import { Dropdown } from "../../../../_ui/dropdown";
import { FailureNotice } from "../../../../_ui/failure-notice";
import { getDisplayName } from "../../../../_ui/names";
import { Caption } from "./caption";
import { Chart } from "./chart";
import chartStyles from "./chart.module.css";
import { buildChartModel, buildOtherLines, type Charted, getTrend } from "./chart-model";
import { ComparePicker } from "./compare-picker";
import { getCountsBefore } from "./comparison";
import { Legend } from "./legend";
import { listAlertMarks, listDayNotes } from "./notes";
import styles from "./panel.module.css";
import type { SnapshotDay } from "./snapshot-days";
import { listUploadMarks } from "./uploads";
import type { ChartView, ViewState } from "./view-state";
import { ViewsChart } from "./views-chart";

interface ChartPanelProps {
  creator: Pick<Creator, "channel_id" | "name">;
  /** All snapshots, oldest first. */
  history: readonly HistorySnapshot[];
  /** The charted days. */
  days: readonly SnapshotDay[];
  alerts: readonly Alert[];
  view: ChartView;
  /** The query for the view. */
  chart: { data: ChartAnswer | undefined; error: unknown; isPending: boolean; refetch(): unknown };
  change: (change: Partial<ViewState>) => void;
  /** For the chart's picture. */
  ref: Ref<SVGSVGElement>;
}

const NOTHING: ChartAnswer = { compared: [], events: [], run_days: [], is_sample: false };

/** The chart of a creator with its lines, what it can be compared with, and what happened on its days. */
export function ChartPanel({ creator, history, days, alerts, view, chart, change, ref }: ChartPanelProps) {
  const answer = chart.data ?? NOTHING;
  const compared = answer.compared.filter((other) => view.compared.includes(other.channel_id));
  const charted: Charted = { ...creator, ...view, days, history, compared };
  const model = buildChartModel(charted);
  const marks = listAlertMarks(
    days.map(({ day }) => day),
    alerts.map((alert) => ({ ...alert, day: toUtcDay(toDate(alert.created_at)) })),
  );
  const notes = listDayNotes(days, view.measure, answer);
  const videos = trpc.creators.videos.useQuery({ channel_id: creator.channel_id });
  const uploads = listUploadMarks(
    days.map(({ day }) => day),
    videos.data?.uploads ?? [],
  );
  const isWaiting = view.compared.length > 0 && chart.isPending;
  return (
    <div className={styles.root} data-trend={model ? getTrend(model) : undefined}>
      <Lines charted={charted} change={change} />
      {Boolean(chart.error) && <FailureNotice error={chart.error} retry={() => chart.refetch()} />}
      {isWaiting ? (
        <Skeleton className={chartStyles.box} />
      ) : model ? (
        <Chart ref={ref} model={model} alerts={marks} notes={notes} uploads={uploads} />
      ) : (
        <p className={styles.tooFew}>{describeMissing(charted)}</p>
      )}
      <ViewsChart days={days} notes={listDayNotes(days, "views", answer)} isCompared={model?.since != null} />
      <Caption model={model} hasAlerts={marks.length > 0} hasUploads={uploads.length > 0} notes={notes} />
    </div>
  );
}

interface LinesProps {
  charted: Charted;
  change: ChartPanelProps["change"];
}

/** The legend, with lines that cannot be drawn yet and a button to add one. */
function Lines({ charted, change }: LinesProps) {
  const { channel_id, name, days, history, measure, compared, isBeforeShown } = charted;
  const ids = compared.map((other) => other.channel_id);
  const own = { id: channel_id, name: getDisplayName({ channel_id, name }), look: 0 } as const;
  const before = getCountsBefore(
    days.map(({ day }) => day),
    history,
    measure,
  );
  return (
    <Legend
      lines={[own, ...buildOtherLines(charted)]}
      onRemove={(id) => change(id === "before" ? { before: "" } : { with: ids.filter((other) => other !== id).join() })}
    >
      <Dropdown text="+ Compare" title="Compare with">
        {(close) => (
          <ComparePicker
            taken={[channel_id, ...ids]}
            isFull={ids.length >= MAX_COMPARED}
            onPick={(id) => {
              close();
              change({ with: [...ids, id].join() });
            }}
            before={{
              days: days.length,
              isKept: before !== null,
              isShown: isBeforeShown,
              onChange: (isShown) => change({ before: isShown ? "yes" : "" }),
            }}
          />
        )}
      </Dropdown>
    </Legend>
  );
}

function describeMissing({ days, measure }: Charted): string {
  const known = days.filter(({ snapshot }) => (snapshot?.[measure] ?? null) !== null);
  if (known.length === 1) return "One snapshot so far. The line starts with the next one, after 06:00 UTC.";
  if (days.every(({ snapshot }) => snapshot === null)) return "No snapshots in this period.";
  return "The channel hides this count.";
}
