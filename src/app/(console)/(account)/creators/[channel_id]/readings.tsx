"use client";

import { Button, Group, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { instant, systemClock, utcDay } from "@/core/time";
import type { Creator, HistoryReading } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { useUrlState } from "../../../_client/use-url-state";
import { FailureNotice } from "../../../_ui/failure-notice";
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

/** The daily readings of a creator as charts, as a table and as a file. */
export function Readings(creator: Pick<Creator, "channel_id" | "name" | "handle" | "url">) {
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
          {history.data && <CsvButton creator={creator} readings={history.data.history} />}
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

interface CsvButtonProps {
  creator: Pick<Creator, "channel_id" | "name" | "handle" | "url">;
  readings: HistoryReading[];
}

/** Downloads all readings, not only the charted period. */
function CsvButton({ creator, readings }: CsvButtonProps) {
  const save = useMutation({
    mutationFn: async () => {
      const { readingsCsv, saveCsv } = await import("./readings-csv");
      saveCsv(readingsCsv(creator, readings), `readings-${creator.channel_id}.csv`);
    },
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={readings.length === 0}
        onClick={() => save.mutate()}
      >
        CSV
        <span className="visually-hidden"> of all readings</span>
      </Button>
      {save.error && <FailureNotice error={save.error} retry={() => save.mutate()} />}
    </>
  );
}
