"use client";

import { Group, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import { instant, systemClock, utcDay } from "@/core/time";
import type { Creator, HistoryReading } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { useUrlState } from "../../../_client/use-url-state";
import { CsvButton } from "../../../_ui/csv-button";
import { QueryState } from "../../../_ui/query-state";
import styles from "./creator.module.css";
import { alertsOf } from "./creator-alerts";
import { readingDays } from "./reading-days";
import { ReadingTable } from "./reading-table";

const ChartsSkeleton = () => <Skeleton className={styles.charts} />;

/** Loaded after the first paint: the largest script of the console. */
const ReadingCharts = dynamic(() => import("./reading-charts").then(({ ReadingCharts }) => ReadingCharts), {
  ssr: false,
  loading: ChartsSkeleton,
});

const SPANS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
];
const DEFAULTS = { days: "30" };

type Named = Pick<Creator, "channel_id" | "name" | "handle" | "url">;

/** The daily readings of a creator as charts, as a table and as a file. */
export function Readings(creator: Named) {
  const { channel_id } = creator;
  const [{ days }, change] = useUrlState(DEFAULTS);
  const span = SPANS.find(({ value }) => value === days)?.value ?? DEFAULTS.days;
  const history = trpc.creators.history.useQuery({ channel_id });
  const { data: alerts } = trpc.alerts.list.useQuery(alertsOf(channel_id));
  const alertDays = (alerts?.alerts ?? []).map(({ created_at }) => utcDay(instant(created_at)));
  return (
    <section aria-labelledby="readings">
      <Group justify="space-between" mb="sm" gap="sm">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h4" id="readings">
            Daily readings
          </Title>
          <Text size="xs" c="dimmed">
            Platform numbers
          </Text>
        </Group>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Chart period"
            data={SPANS}
            value={span}
            onChange={(value) => change({ days: value })}
          />
          {history.data && (
            <CsvButton
              content="all readings"
              disabled={history.data.history.length === 0}
              save={() => saveReadings(creator, history.data.history)}
            />
          )}
        </Group>
      </Group>
      <QueryState query={history} skeleton={<ChartsSkeleton />}>
        {({ history: readings }) => {
          const shown = readingDays(readings, Number(span), utcDay(systemClock.now()));
          return (
            <>
              <ReadingCharts days={shown} alertDays={alertDays} />
              <ReadingTable days={shown} alertDays={alertDays} />
            </>
          );
        }}
      </QueryState>
    </section>
  );
}

/** Saves all readings, not only the charted period. */
async function saveReadings(creator: Named, readings: HistoryReading[]): Promise<void> {
  const [{ readingsCsv }, { saveCsv }] = await Promise.all([
    import("./readings-csv"),
    import("../../../_ui/csv"),
  ]);
  saveCsv(readingsCsv(creator, readings), `readings-${creator.channel_id}.csv`);
}
