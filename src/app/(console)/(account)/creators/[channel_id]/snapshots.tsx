"use client";

import { Group, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type RefObject, useRef } from "react";
import { formatDate } from "@/core/format";
import { countDaysBetween, type Day, toDate, toUtcDay } from "@/core/time";
import type { Creator, HistorySnapshot } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { useUrlState } from "../../../_client/use-url-state";
import { getDisplayName } from "../../../_ui/names";
import { QueryState } from "../../../_ui/query-state";
import { SaveButton } from "../../../_ui/save-button";
import { listSnapshotDays, type SnapshotDay } from "./_chart/snapshot-days";
import { listSpans, parseView, VIEW_DEFAULTS } from "./_chart/view-state";
import { buildAlertsQuery } from "./alerts-query";
import styles from "./creator.module.css";
import { SnapshotTable } from "./snapshot-table";

const ChartSkeleton = () => <Skeleton className={styles.chart} />;

/** Loaded after the first paint. */
const ChartPanel = dynamic(() => import("./_chart/chart-panel").then(({ ChartPanel }) => ChartPanel), {
  ssr: false,
  loading: ChartSkeleton,
});

const SCALES = [
  { value: "linear", label: "Linear" },
  { value: "log", label: "Log" },
];

type NamedCreator = Pick<Creator, "channel_id" | "name" | "handle" | "url">;

/** A creator's daily snapshots as chart, table and files. @param today of the server */
export function Snapshots({ today, ...creator }: NamedCreator & { today: Day }) {
  const { channel_id } = creator;
  const [state, change] = useUrlState(VIEW_DEFAULTS);
  const drawing = useRef<SVGSVGElement>(null);
  const history = trpc.creators.history.useQuery({ channel_id });
  const { data } = trpc.alerts.list.useQuery(buildAlertsQuery(channel_id));
  const view = parseView(state, channel_id);
  const chart = trpc.creators.chart.useQuery({ compared: view.compared }, { placeholderData: keepPreviousData });
  const alerts = data?.alerts ?? [];
  const snapshots = history.data?.history ?? [];
  const { spans, span, days } = getShownDays(snapshots, state.days, today);
  return (
    <section aria-labelledby="readings">
      <Group justify="space-between" mb="sm" gap="sm">
        <Heading />
        <Group gap="xs">
          <Switch name="Scale" data={SCALES} value={view.scale} onChange={(scale) => change({ scale })} />
          <Switch name="Chart period" data={spans} value={span} onChange={(value) => change({ days: value })} />
          <SaveButton
            format="PNG"
            content="the chart"
            disabled={days.filter(({ snapshot }) => (snapshot?.[view.measure] ?? null) !== null).length < 2}
            save={() => saveDrawing(drawing, { ...creator, ...view, days, isSample: chart.data?.is_sample })}
          />
          <SaveButton
            format="CSV"
            content="all snapshots"
            disabled={snapshots.length === 0}
            save={() => saveSnapshots(creator, snapshots)}
          />
        </Group>
      </Group>
      <QueryState query={history} skeleton={<ChartSkeleton />}>
        {() => (
          <>
            <ChartPanel
              ref={drawing}
              creator={creator}
              history={snapshots}
              days={days}
              alerts={alerts}
              view={view}
              chart={chart}
              change={change}
            />
            <SnapshotTable days={days} alertDays={alerts.map(({ created_at }) => toUtcDay(toDate(created_at)))} />
          </>
        )}
      </QueryState>
    </section>
  );
}

function Heading() {
  return (
    <Group gap="sm" align="baseline">
      <Title order={2} size="h4" id="readings">
        Daily snapshots
      </Title>
      <Text size="xs" c="dimmed">
        Platform numbers
      </Text>
    </Group>
  );
}

interface SwitchProps {
  name: string;
  data: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

function Switch({ name, ...props }: SwitchProps) {
  return <SegmentedControl size="xs" aria-label={name} {...props} />;
}

/** The periods to choose from, the chosen one, and its days. */
function getShownDays(snapshots: readonly HistorySnapshot[], selected: string, today: Day) {
  // An open page may get snapshots of later days.
  const last = [today, snapshots.at(-1)?.day ?? today].sort().at(-1) ?? today;
  const snapshotDays = countDaysBetween(snapshots[0]?.day ?? last, last) + 1;
  const spans = listSpans(snapshotDays);
  const span = spans.find(({ value }) => value === selected)?.value ?? VIEW_DEFAULTS.days;
  const count = span === "all" ? snapshotDays : Number(span);
  return { spans, span, days: listSnapshotDays(snapshots, count, last) };
}

interface Drawing extends NamedCreator {
  measure: string;
  days: readonly SnapshotDay[];
  isSample: boolean | undefined;
}

/** Saves the chart as it is shown. */
async function saveDrawing(
  { current }: RefObject<SVGSVGElement | null>,
  { name, handle, channel_id, measure, days, isSample }: Drawing,
): Promise<void> {
  if (!current) return;
  const { buildPictureName, savePicture } = await import("./_chart/picture");
  const last = days.at(-1)?.day ?? "";
  const text = {
    title: `${getDisplayName({ channel_id, name })}: ${measure}`,
    lead: `${handle ?? channel_id}, ${formatDate(days[0]?.day ?? last)} to ${formatDate(last)}, days are UTC days`,
    source: isSample ? "Sample data" : "Platform numbers: YouTube, read once a day",
  };
  await savePicture(current, text, buildPictureName({ handle, channel_id }, measure, last));
}

/** Saves all snapshots, not only the charted period. */
async function saveSnapshots(creator: NamedCreator, snapshots: readonly HistorySnapshot[]): Promise<void> {
  const [{ toSnapshotsCsv }, { saveCsv }] = await Promise.all([import("./snapshots-csv"), import("../../../_ui/csv")]);
  saveCsv(toSnapshotsCsv(creator, snapshots), `snapshots-${creator.channel_id}.csv`);
}
