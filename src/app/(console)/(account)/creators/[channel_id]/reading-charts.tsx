"use client";

import "@mantine/charts/styles.css";
import { LineChart } from "@mantine/charts";
import { SimpleGrid, Text } from "@mantine/core";
import { type Day, startOfDay } from "@/core/time";
import { hiddenByRounding } from "@/features/growth/rules";
import { axisOf } from "@/ui/axis";
import { formatCount, formatDay, formatQuantity } from "@/ui/format";
import { Card } from "../../../_ui/card";
import styles from "./creator.module.css";
import type { ReadingDay } from "./reading-days";

interface ReadingChartsProps {
  days: readonly ReadingDay[];
  alertDays: readonly Day[];
}

/** Charts of daily subscribers and views with gaps for missing days. The table below has the same numbers. */
export function ReadingCharts({ days, alertDays }: ReadingChartsProps) {
  const marked = days.filter(({ day }) => alertDays.includes(day)).map(({ day }) => day);
  const isRounded = days.some(({ reading }) => hiddenByRounding(reading?.subscribers ?? 0) > 0);
  const hasGap = days.some(({ reading }) => reading === null);
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} className={styles.charts}>
        <Chart title="Subscribers" of="subscribers" days={days} marked={marked} isRounded />
        <Chart title="Views" of="views" days={days} marked={marked} />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        {marked.length > 0 && "A dashed line with ▲ marks a day with an alert. "}
        {hasGap && "A gap is a day without a snapshot. "}
        {isRounded &&
          "Subscriber counts move in steps: from 1,000 the platform rounds them down to three figures. "}
        Days are UTC days.
      </Text>
    </>
  );
}

interface ChartProps {
  title: string;
  of: "subscribers" | "views";
  days: readonly ReadingDay[];
  marked: readonly Day[];
  /** Draws steps, for counts that the platform rounds. */
  isRounded?: boolean;
}

function Chart({ title, of, days, marked, isRounded }: ChartProps) {
  const counts = days.flatMap(({ reading }) => reading?.[of] ?? []);
  const [first, last] = [counts[0], counts.at(-1)];
  const axis = axisOf(counts);
  return (
    <Card title={title} aside={last !== undefined && <Text size="sm">{formatCount(last)}</Text>}>
      {first === undefined || last === undefined || counts.length < 2 ? (
        <p className={styles.tooFew}>{tooFew(days, counts)}</p>
      ) : (
        <div
          role="img"
          aria-label={`${title}: from ${formatCount(first)} to ${formatCount(last)} in ${formatQuantity(days.length, "day")}`}
        >
          <LineChart
            h={200}
            data={days.map(({ day, reading }) => ({ day: shortDay(day), [of]: reading?.[of] ?? null }))}
            dataKey="day"
            series={[{ name: of, label: title, color: colorOf(first, last) }]}
            curveType={isRounded ? "stepAfter" : "linear"}
            connectNulls={false}
            strokeWidth={2}
            dotProps={{ r: 2.5, strokeWidth: 0 }}
            tickLine="none"
            gridAxis="x"
            valueFormatter={formatCount}
            xAxisProps={{ minTickGap: 24 }}
            yAxisProps={{
              domain: axis.domain,
              ticks: axis.ticks,
              width: 60,
              tickFormatter: axis.format,
            }}
            referenceLines={marked.map((day) => ({
              x: shortDay(day),
              label: "▲",
              labelPosition: "insideTopLeft",
              color: "var(--mantine-color-text)",
              strokeDasharray: "3 3",
            }))}
            lineChartProps={{ accessibilityLayer: false }}
          />
        </div>
      )}
    </Card>
  );
}

function colorOf(first: number, last: number): string {
  if (first === last) return "var(--mantine-color-dimmed)";
  return last > first ? "var(--rise)" : "var(--fall)";
}

function tooFew(days: readonly ReadingDay[], counts: readonly number[]): string {
  if (counts.length === 1) return "One snapshot so far. The line starts with the next one, after 06:00 UTC.";
  if (days.every(({ reading }) => reading === null)) return "No snapshots in this period.";
  return "The channel hides this count.";
}

function shortDay(day: Day): string {
  return formatDay(startOfDay(day));
}
