"use client";

import { Skeleton, Text } from "@mantine/core";
import { formatCount, formatDay, formatQuantity, formatShare } from "@/core/format";
import type { UsageByDay } from "@/features/usage/schema";
import { DataTable } from "@/ui/data-table";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { QueryState } from "../../_ui/query-state";
import { UsageChart } from "./usage-chart";

const HEIGHT = 336;
const COLUMNS = ["Day (UTC)", "Requests", "Of the limit"];

/** Requests of the last 30 days against the limit, as chart and table. */
export function UsageHistory() {
  const usage = trpc.usage.byDay.useQuery();
  const today = trpc.usage.today.useQuery();
  return (
    <Card title="Last 30 days">
      <QueryState query={usage} skeleton={<Skeleton height={HEIGHT} />}>
        {({ days }) => (
          <QueryState query={today} skeleton={<Skeleton height={HEIGHT} />}>
            {({ requests_limit }) => <Days days={days} limit={requests_limit} />}
          </QueryState>
        )}
      </QueryState>
    </Card>
  );
}

function Days({ days, limit }: UsageByDay & { limit: number }) {
  const total = days.reduce((sum, { requests }) => sum + requests, 0);
  const peak = days.reduce((max, day) => (day.requests > max.requests ? day : max), {
    day: "",
    requests: 0,
  });
  if (total === 0) return <Text c="dimmed">No requests in the last 30 days.</Text>;
  const summary = `${formatQuantity(total, "request")}; most on ${formatDay(peak.day)}: ${formatCount(peak.requests)} of ${formatCount(limit)} (today’s limit).`;
  return (
    <>
      <Text size="sm" mb="sm">
        {summary}
      </Text>
      <UsageChart days={days} limit={limit} label={`Bars, one a day. ${summary}`} />
      <details style={{ marginTop: "0.75rem" }}>
        <summary style={{ cursor: "pointer", minHeight: 24 }}>View as table</summary>
        <div style={{ marginTop: "0.75rem" }}>
          <DataTable
            caption="Requests per day, newest first"
            columns={COLUMNS}
            numeric={COLUMNS.slice(1)}
            rows={days.toReversed().map(({ day, requests }) => ({
              name: day,
              cells: [formatDay(day), formatCount(requests), formatShare(requests / limit)],
            }))}
          />
        </div>
      </details>
    </>
  );
}
