import { CloseButton, Skeleton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { ReactNode, Ref } from "react";
import { formatCount, formatDay } from "@/core/format";
import type { ChartAnswer } from "@/features/creators/history.service";
import { computeRoundingError } from "@/features/growth/rules";
import { trpc } from "../../../../_client/trpc";
import { Dropdown } from "../../../../_ui/dropdown";
import { getDisplayName } from "../../../../_ui/names";
import { FailureNotice } from "../../../../_ui/query-state";
import { Chart, LineSample } from "./chart";
import chartStyles from "./chart.module.css";
import {
  buildChartModel,
  buildOtherLines,
  type Charted,
  type ChartModel,
  FORECAST_DAYS,
  getTrend,
} from "./chart-model";
import { type DayNote, listDayNotes } from "./notes";
import styles from "./panel.module.css";
import { UploadShape } from "./upload-marks";
import type { ViewState } from "./view-state";
import { ViewsChart } from "./views-chart";

interface ChartPanelProps {
  charted: Charted;
  /** The query for what it is compared with, and for what happened on its days. */
  chart: Pick<UseQueryResult<ChartAnswer, unknown>, "data" | "error" | "refetch">;
  /** Whether those it is compared with are on their way. */
  isWaiting: boolean;
  ref: Ref<SVGSVGElement>;
}

const NOTHING: ChartAnswer = { compared: [], events: [], run_days: [], is_sample: false };

/** The chart of a creator with its lines, what it can be compared with, and what happened on its days. */
export function ChartPanel({ charted, chart, isWaiting, ref }: ChartPanelProps) {
  const { channel_id, days } = charted;
  const uploads = trpc.creators.videos.useQuery({ channel_id }).data?.uploads;
  const notes = listDayNotes(days, "subscribers", chart.data ?? NOTHING);
  const viewNotes = listDayNotes(days, "views", chart.data ?? NOTHING);
  const model = buildChartModel({ ...charted, uploads, notes });
  return (
    <div data-direction={model?.trend}>
      {Boolean(chart.error) && <FailureNotice error={chart.error} retry={() => chart.refetch()} />}
      {isWaiting ? (
        <Skeleton className={chartStyles.box} />
      ) : model ? (
        <Chart ref={ref} model={model} />
      ) : (
        <p className={styles.tooFew}>{describeMissing(charted)}</p>
      )}
      <ViewsChart
        days={days}
        daysAhead={model?.forecast ? FORECAST_DAYS : 0}
        notes={viewNotes}
        isCompared={model?.since != null}
      />
      {model && <Legend model={model} viewNotes={viewNotes} />}
    </div>
  );
}

function describeMissing({ days }: Charted): string {
  const known = days.filter(({ snapshot }) => (snapshot?.subscribers ?? null) !== null);
  if (known.length === 1) return "One snapshot so far. The line starts with the next one, after 06:00 UTC.";
  if (days.every(({ snapshot }) => snapshot === null)) return "No snapshots in this period.";
  return "The channel hides this count.";
}

const FORMS = { long: "Long video", short: "Short", live: "Stream" } as const;

/** What the marks of the chart mean, and how to read its line. */
function Legend({ model, viewNotes }: { model: ChartModel; viewNotes: readonly DayNote[] }) {
  const { alerts, uploads, notes } = model;
  const forms = (["long", "short", "live"] as const).filter((form) => uploads.some((upload) => upload.form === form));
  const texts = [...explainChart(model), ...new Set([...notes, ...viewNotes].map(({ text }) => text))];
  const alert = alerts.at(-1);
  return (
    <ul className={styles.legend}>
      {forms.map((form) => (
        <Sample key={form} text={`${FORMS[form]} uploaded`}>
          <UploadShape form={form} isCause={false} />
        </Sample>
      ))}
      {alert && (
        <Sample text="Alert">
          <path fill={alert.color} d="M0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5Z" />
        </Sample>
      )}
      {model.forecast?.range && (
        <Sample text="Expected range, 8 in 10 end in it">
          <path className={chartStyles.wedge} d="M-6 0L6 -5V5Z" />
          <path className={chartStyles.edge} d="M-6 0L6 -5M-6 0L6 5" />
        </Sample>
      )}
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function Sample({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li>
      <svg width="14" height="12" viewBox="-7 -6 14 12" aria-hidden>
        {children}
      </svg>
      {text}
    </li>
  );
}

function explainChart({ days, lines, since, leftOut }: ChartModel): string[] {
  const sentences: string[] = [];
  if (since !== null) sentences.push(`% change since ${formatDay(since)}.`);
  if (leftOut.length > 0) sentences.push(`Not shown, no day in common: ${leftOut.join(", ")}.`);
  const hidden = computeRoundingError(lines[0]?.counts.findLast((count) => count !== null) ?? 0);
  if (hidden > 0 && since === null)
    sentences.push(
      `The platform rounds counts down to three digits: the line moves in steps and the true count lies in the shaded band, here ${formatCount(hidden + 1)} wide.`,
    );
  if (days.some(({ snapshot }) => snapshot === null)) sentences.push("A gap is a day without a snapshot.");
  sentences.push("Days are UTC days.");
  return sentences;
}

/** Loaded when first opened. */
const ComparePicker = dynamic(() => import("./compare-picker").then(({ ComparePicker }) => ComparePicker), {
  ssr: false,
});

/** The lines of a chart by name, also those that cannot be drawn yet, and a button to add one. The creator's own stays. */
export function Lines({ charted, change }: { charted: Charted; change: (change: Partial<ViewState>) => void }) {
  const { channel_id, days, compared = [] } = charted;
  const own = { id: channel_id, name: getDisplayName(charted), look: 0 } as const;
  const others = buildOtherLines(charted);
  const trend = others.length === 0 ? getTrend(days.map(({ snapshot }) => snapshot?.subscribers ?? null)) : undefined;
  const remove = (id: string) => {
    const kept = compared.map((other) => other.channel_id).filter((other) => other !== id);
    change(id === "before" ? { before: "" } : { with: kept.join() });
  };
  return (
    <ul className={styles.chips} aria-label="Lines of the chart" data-direction={trend}>
      {[own, ...others].map(({ id, name, look }) => (
        <li key={id} className={styles.chip} data-own={look === 0 || undefined}>
          <LineSample look={look} />
          <span className={styles.name}>{name}</span>
          {look !== 0 && (
            <CloseButton size="sm" aria-label={`Remove ${name} from the chart`} onClick={() => remove(id)} />
          )}
        </li>
      ))}
      <li>
        <Dropdown
          className={styles.compare}
          icon={<IconPlus size={15} aria-hidden />}
          text="Compare"
          title="Compare with"
        >
          <ComparePicker charted={charted} change={change} />
        </Dropdown>
      </li>
    </ul>
  );
}
