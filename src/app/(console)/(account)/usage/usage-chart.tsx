"use client";

import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { startOfDay } from "@/core/time";
import type { UsageByDay } from "@/features/keys/usage.schema";
import { formatCount, formatDay } from "@/ui/format";

/** Below this share of the limit, its line would flatten the bars. */
const LINE_FROM = 0.2;

interface UsageChartProps extends UsageByDay {
  limit: number;
  height: number;
  /** Accessible summary of the chart. */
  label: string;
}

/** One bar per day, with the limit as a line when in range. */
export function UsageChart({ days, limit, height, label }: UsageChartProps) {
  const most = Math.max(...days.map(({ requests }) => requests));
  const showsLimit = most >= limit * LINE_FROM;
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={height}
        data={days.map(({ day, requests }) => ({ day: formatDay(startOfDay(day)), Requests: requests }))}
        dataKey="day"
        series={[{ name: "Requests", color: "var(--accent)" }]}
        valueFormatter={formatCount}
        referenceLines={
          showsLimit
            ? [
                {
                  y: limit,
                  label: `Limit ${formatCount(limit)}`,
                  color: "var(--fall)",
                  ifOverflow: "extendDomain",
                },
              ]
            : []
        }
        gridAxis="x"
        tickLine="none"
        xAxisProps={{ minTickGap: 24, interval: "equidistantPreserveStart" }}
        yAxisProps={{ allowDecimals: false }}
        barProps={{ radius: 2, isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
