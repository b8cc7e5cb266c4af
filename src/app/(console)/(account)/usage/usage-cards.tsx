"use client";

import { Progress, Skeleton, Text } from "@mantine/core";
import { formatCount, formatDay, formatQuantity, formatShare } from "@/core/format";
import type { UsageByDay } from "@/features/usage/schema";
import { DataTable } from "@/ui/data-table";
import { trpc } from "../../_client/trpc";
import { createAxis } from "../../_ui/axis";
import { Card } from "../../_ui/card";
import { EmptyState } from "../../_ui/empty-state";
import { QueryState } from "../../_ui/query-state";
import { Distance, Instant } from "../../_ui/times";
import styles from "./usage-chart.module.css";

const HEIGHT = 336;

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
  const peak = days.reduce((max, day) => (day.requests > max.requests ? day : max), { day: "", requests: 0 });
  if (total === 0)
    return (
      <EmptyState
        order={3}
        title="No requests in the last 30 days"
        text="The first one shows here as a bar of its day."
      />
    );
  const summary = `${formatQuantity(total, "request")}; most on ${formatDay(peak.day)}: ${formatCount(peak.requests)} of ${formatCount(limit)} (today’s limit).`;
  return (
    <>
      <Text size="sm" mb="sm">
        {summary}
      </Text>
      <UsageChart days={days} limit={limit} label={`Bars, one a day. ${summary}`} />
      <details style={{ marginTop: "0.75rem" }}>
        <summary style={{ minHeight: 24 }}>View as table</summary>
        <div style={{ marginTop: "0.75rem" }}>
          <DataTable
            caption="Days with requests, newest first"
            columns={["Day (UTC)", "Requests", "Of the limit"]}
            rows={days
              .filter(({ requests }) => requests > 0)
              .toReversed()
              .map(({ day, requests }) => [formatDay(day), formatCount(requests), formatShare(requests / limit)])}
          />
        </div>
      </details>
    </>
  );
}

/** Below this share of the limit, its line would flatten the bars. */
const LINE_FROM = 0.2;
const LABEL_EVERY = 5;

interface UsageChartProps extends UsageByDay {
  limit: number;
  label: string;
}

/** One bar per day, with the limit as a line when in range. */
function UsageChart({ days, limit, label }: UsageChartProps) {
  const peak = Math.max(...days.map(({ requests }) => requests));
  const showsLimit = peak >= limit * LINE_FROM;
  const { ticks, format, share } = createAxis([0, showsLimit ? Math.max(peak, limit) : peak]);
  const toPercent = (requests: number) => `${100 * share(requests)}%`;
  return (
    <div role="img" aria-label={label} className={styles.chart}>
      {ticks.map((tick) => (
        <div key={tick} className={styles.tick} style={{ bottom: toPercent(tick) }}>
          <span>{format(tick)}</span>
        </div>
      ))}
      <div className={styles.bars}>
        {days.map(({ day, requests }, index) => (
          <div key={day} className={styles.day} title={`${formatDay(day)}: ${formatQuantity(requests, "request")}`}>
            <div className={styles.bar} style={{ height: toPercent(requests) }} />
            {index % LABEL_EVERY === LABEL_EVERY - 1 && <span className={styles.label}>{formatDay(day)}</span>}
          </div>
        ))}
      </div>
      {showsLimit && (
        <div className={styles.limit} style={{ bottom: toPercent(limit) }}>
          <span>Limit {formatCount(limit)}</span>
        </div>
      )}
    </div>
  );
}

/** Requests of the last 7 days by endpoint and status. */
export function EndpointUsage() {
  const usage = trpc.usage.byEndpoint.useQuery();
  return (
    <Card title="Last 7 days by endpoint">
      <QueryState query={usage} skeleton={<Skeleton height={200} />}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <EmptyState order={3} title="No requests in the last 7 days" text="Requests to the API are counted here." />
          ) : (
            <DataTable
              caption="Requests of the last 7 days by endpoint and status, most frequent first"
              columns={["Endpoint", "Status", "Requests"]}
              rows={endpoints.map((row) => [`${row.method} ${row.endpoint}`, row.status, formatCount(row.requests)])}
            />
          )
        }
      </QueryState>
    </Card>
  );
}

/** Requests left today, when they reset, and whether they last. */
export function QuotaCard() {
  const usage = trpc.usage.today.useQuery();
  return (
    <Card title="Requests today">
      <QueryState query={usage} skeleton={<Skeleton height={92} />}>
        {({ requests_today: used, requests_limit: limit, resets_at, runs_out_at }) => {
          const left = Math.max(0, limit - used);
          return (
            <>
              <Text fz="1.75rem" fw={650} lh={1.2}>
                {formatCount(left)}{" "}
                <Text span c="dimmed" fz="md" fw={400}>
                  of {formatCount(limit)} left
                </Text>
              </Text>
              <Progress value={(left / limit) * 100} my="xs" aria-label={`${left} of ${limit} requests left today`} />
              <Text size="sm" c="dimmed">
                Resets <Distance at={resets_at} />, at midnight UTC.{" "}
                {runs_out_at && (
                  <>
                    At today’s rate they run out at <Instant at={runs_out_at} />.
                  </>
                )}
                {left === 0 && "Requests are refused until then."}
              </Text>
            </>
          );
        }}
      </QueryState>
    </Card>
  );
}
