"use client";

import { Group, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type RefObject, useRef } from "react";
import { type Day, daysBetween, instant, utcDay } from "@/core/time";
import type { Creator, HistoryReading } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { useUrlState } from "../../../_client/use-url-state";
import { CsvButton } from "../../../_ui/csv-button";
import { QueryState } from "../../../_ui/query-state";
import { shownName } from "../../../_ui/shown-name";
import { PictureButton } from "./_chart/picture-button";
import { spansOf, VIEW_DEFAULTS, viewOf } from "./_chart/view-state";
import { alertsOf } from "./alerts-query";
import styles from "./creator.module.css";
import { type ReadingDay, readingDays } from "./reading-days";
import { ReadingTable } from "./reading-table";

const ChartSkeleton = () => <Skeleton className={styles.chart} />;

/** Loaded after the first paint. */
const ChartPanel = dynamic(() => import("./_chart/chart-panel").then(({ ChartPanel }) => ChartPanel), {
  ssr: false,
  loading: ChartSkeleton,
});

const MEASURES = [
  { value: "subscribers", label: "Subscribers" },
  { value: "views", label: "Views" },
];
const SCALES = [
  { value: "linear", label: "Linear" },
  { value: "log", label: "Log" },
];

type Named = Pick<Creator, "channel_id" | "name" | "handle" | "url">;

/** The daily readings of a creator as a chart, as a table and as files. @param today of the server */
export function Readings({ today, ...creator }: Named & { today: Day }) {
  const { channel_id } = creator;
  const [state, change] = useUrlState(VIEW_DEFAULTS);
  const drawing = useRef<SVGSVGElement>(null);
  const history = trpc.creators.history.useQuery({ channel_id });
  const { data } = trpc.alerts.list.useQuery(alertsOf(channel_id));
  const view = viewOf(state, channel_id);
  const chart = trpc.creators.chart.useQuery(
    { compared: view.compared },
    { placeholderData: keepPreviousData },
  );
  const alerts = data?.alerts ?? [];
  const readings = history.data?.history ?? [];
  const { spans, span, days } = shownDays(readings, state.days, today);
  return (
    <section aria-labelledby="readings">
      <Group justify="space-between" mb="sm" gap="sm">
        <Heading />
        <Group gap="xs">
          <Switch name="Count" data={MEASURES} value={view.measure} onChange={(of) => change({ of })} />
          <Switch name="Scale" data={SCALES} value={view.scale} onChange={(scale) => change({ scale })} />
          <Switch
            name="Chart period"
            data={spans}
            value={span}
            onChange={(value) => change({ days: value })}
          />
          <PictureButton
            disabled={days.filter(({ reading }) => (reading?.[view.measure] ?? null) !== null).length < 2}
            save={() => saveDrawing(drawing, { ...creator, ...view, days, isSample: chart.data?.is_sample })}
          />
          <CsvButton
            content="all snapshots"
            disabled={readings.length === 0}
            save={() => saveReadings(creator, readings)}
          />
        </Group>
      </Group>
      <QueryState query={history} skeleton={<ChartSkeleton />}>
        {() => (
          <>
            <ChartPanel
              ref={drawing}
              {...{ creator, days, alerts, view, chart, change }}
              history={readings}
            />
            <ReadingTable
              days={days}
              alertDays={alerts.map(({ created_at }) => utcDay(instant(created_at)))}
            />
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
function shownDays(readings: readonly HistoryReading[], asked: string, today: Day) {
  // A page that stays open gets readings of later days.
  const last = [today, readings.at(-1)?.day ?? today].sort().at(-1) ?? today;
  const readDays = daysBetween(readings[0]?.day ?? last, last) + 1;
  const spans = spansOf(readDays);
  const span = spans.find(({ value }) => value === asked)?.value ?? VIEW_DEFAULTS.days;
  const count = span === "all" ? readDays : Number(span);
  return { spans, span, days: readingDays(readings, count, last) };
}

interface Drawn extends Named {
  measure: string;
  days: readonly ReadingDay[];
  isSample: boolean | undefined;
}

/** Saves the chart as it is shown. */
async function saveDrawing(
  { current }: RefObject<SVGSVGElement | null>,
  { name, handle, channel_id, measure, days, isSample }: Drawn,
): Promise<void> {
  if (!current) return;
  const { pictureName, savePicture } = await import("./_chart/picture");
  const last = days.at(-1)?.day ?? "";
  const text = {
    title: `${shownName({ channel_id, name })}: ${measure}`,
    lead: `${handle ?? channel_id}, ${days[0]?.day} to ${last}, days are UTC days`,
    source: isSample ? "Sample data" : "Platform numbers: YouTube, read once a day",
  };
  await savePicture(current, text, pictureName({ handle, channel_id }, measure, last));
}

/** Saves all readings, not only the charted period. */
async function saveReadings(creator: Named, readings: readonly HistoryReading[]): Promise<void> {
  const [{ readingsCsv }, { saveCsv }] = await Promise.all([
    import("./readings-csv"),
    import("../../../_ui/csv"),
  ]);
  saveCsv(readingsCsv(creator, readings), `snapshots-${creator.channel_id}.csv`);
}
