"use client";

import { CloseButton, Skeleton, Text } from "@mantine/core";
import type { Ref } from "react";
import { formatDay } from "@/core/format";
import { toDate, toUtcDay } from "@/core/time";
import type { Alert } from "@/features/alerts/schema";
import type { ChartAnswer } from "@/features/creators/chart.schema";
import { MAX_COMPARED } from "@/features/creators/rules";
import type { Creator, HistorySnapshot } from "@/features/creators/schema";
import { computeRoundingError } from "@/features/growth/rules";
import { trpc } from "../../../../_client/trpc";
import { Dropdown } from "../../../../_ui/dropdown";
import { FailureNotice } from "../../../../_ui/failure-notice";
import { getDisplayName } from "../../../../_ui/names";
import { Chart, LineSample } from "./chart";
import chartStyles from "./chart.module.css";
import { buildChartModel, buildOtherLines, type Charted, type ChartModel, getTrend } from "./chart-model";
import { ComparePicker } from "./compare-picker";
import { getCountsBefore } from "./comparison";
import { type DayNote, listAlertMarks, listDayNotes } from "./notes";
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
      <Legend charted={charted} change={change} />
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

/** The lines of a chart by name, also those that cannot be drawn yet, and a button to add one. The creator's own stays. */
function Legend({ charted, change }: Pick<ChartPanelProps, "change"> & { charted: Charted }) {
  const { channel_id, days, history, measure, compared, isBeforeShown } = charted;
  const ids = compared.map((other) => other.channel_id);
  const own = { id: channel_id, name: getDisplayName(charted), look: 0 } as const;
  const dates = days.map(({ day }) => day);
  const remove = (id: string) =>
    change(id === "before" ? { before: "" } : { with: ids.filter((other) => other !== id).join() });
  return (
    <ul className={styles.chips} aria-label="Lines of the chart">
      {[own, ...buildOtherLines(charted)].map(({ id, name, look }) => (
        <li key={id} className={styles.chip} data-own={look === 0 || undefined}>
          <LineSample look={look} />
          <span className={styles.chipName}>{name}</span>
          {look !== 0 && (
            <CloseButton size="sm" aria-label={`Remove ${name} from the chart`} onClick={() => remove(id)} />
          )}
        </li>
      ))}
      <li>
        <Dropdown text="+ Compare" title="Compare with">
          <ComparePicker
            taken={[channel_id, ...ids]}
            isFull={ids.length >= MAX_COMPARED}
            onPick={(id) => change({ with: [...ids, id].join() })}
            before={{
              days: days.length,
              isKept: getCountsBefore(dates, history, measure) !== null,
              isShown: isBeforeShown,
              onChange: (isShown) => change({ before: isShown ? "yes" : "" }),
            }}
          />
        </Dropdown>
      </li>
    </ul>
  );
}

function describeMissing({ days, measure }: Charted): string {
  const known = days.filter(({ snapshot }) => (snapshot?.[measure] ?? null) !== null);
  if (known.length === 1) return "One snapshot so far. The line starts with the next one, after 06:00 UTC.";
  if (days.every(({ snapshot }) => snapshot === null)) return "No snapshots in this period.";
  return "The channel hides this count.";
}

interface CaptionProps {
  model: ChartModel | null;
  hasAlerts: boolean;
  hasUploads: boolean;
  notes: readonly DayNote[];
}

/** How to read the chart, in words. */
function Caption({ model, hasAlerts, hasUploads, notes }: CaptionProps) {
  return (
    <Text size="xs" c="dimmed" mt="xs" component="p" mih="2.6em">
      {model && explainChart(model).map((sentence) => `${sentence} `)}
      {model && hasAlerts && "A diamond marks an alert. "}
      {hasUploads && "On the axis, a triangle marks a video, a ring a Short and a square a stream. "}
      {notes.length > 0 && `Grey columns: ${notes.map(({ text }) => text).join(" ")} `}
      Days are UTC days.
    </Text>
  );
}

function explainChart({ measure, days, lines, since, leftOut }: ChartModel): string[] {
  const sentences: string[] = [];
  if (since !== null) sentences.push(`Percent since ${formatDay(since)}, the first day with a count of every line.`);
  if (leftOut.length > 0) sentences.push(`Not shown for want of a common day: ${leftOut.join(", ")}.`);
  const isRounded = lines[0]?.counts.some((count) => computeRoundingError(count ?? 0) > 0);
  if (measure === "subscribers" && isRounded) {
    sentences.push("Subscriber counts move in steps: from 1,000 the platform rounds them down to three figures.");
    if (since === null) sentences.push("The true count lies in the shaded band.");
  }
  if (days.some(({ snapshot }) => snapshot === null)) sentences.push("A gap is a day without a snapshot.");
  return sentences;
}
