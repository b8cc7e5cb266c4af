import { hash, timingSafeEqual } from "node:crypto";
import { REQUEST_KINDS } from "@/core/http/limits";
import type { Reply } from "@/core/http/reply";
import { METRICS_TYPE, type MetricFamily } from "@/core/log/metrics";
import { REFUSED_MAIL_STATUSES } from "@/core/mail/email";
import { countSecondsBetween, toDate } from "@/core/time";
import { getLastBackup } from "@/db/backup";
import { isDatabaseUnavailable } from "@/db/client";
import { DELIVERY_STATUSES, DESTINATIONS } from "@/db/values";
import { countDeliveries } from "@/features/notifications/report.service";
import { computeCoverage, isRunOverdue } from "@/features/snapshots/rules";
import type { RunSummary } from "@/features/snapshots/schema";
import { getRunSummary } from "@/features/snapshots/service";
import type { AppContext } from "@/server/context";

const DELIVERY_DAYS = 7;

export function isCollector({ env }: AppContext, { headers }: Request): boolean {
  if (env.metricsToken === null) return false;
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(headers.get("authorization") ?? ""), digest(`Bearer ${env.metricsToken}`));
}

/** Metrics from the database are left out while it is unavailable. */
export async function serveMetrics(ctx: AppContext): Promise<Reply> {
  const text = await ctx.metrics.render([...listLoadMetrics(ctx), ...(await listMetricFamilies(ctx))]);
  return { status: 200, headers: { "Content-Type": METRICS_TYPE }, body: text };
}

function listLoadMetrics({ limits, countPending }: AppContext): MetricFamily[] {
  const underWay = REQUEST_KINDS.map((kind) => ({ labels: { kind }, value: limits.countUnderWay(kind) }));
  return [
    createGauge("growth_http_in_flight", "Requests that run or wait for their turn", underWay),
    createGauge("growth_database_pending", "Statements and transactions that wait for the database", countPending()),
  ];
}

async function listMetricFamilies(ctx: AppContext): Promise<MetricFamily[]> {
  const [name, help] = ["growth_database_up", "Whether the database is available"] as const;
  try {
    const sources = [listRunFamilies(ctx), getDeliveryMetric(ctx), listPlatformFamilies(ctx), getBackupMetric(ctx)];
    return [createGauge(name, help, 1), ...(await Promise.all(sources)).flat()];
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return [createGauge(name, help, 0)];
  }
}

async function listRunFamilies(ctx: AppContext): Promise<MetricFamily[]> {
  const run = await getRunSummary(ctx);
  const isOverdue = Number(isRunOverdue(run, ctx.clock.now()));
  const help = "Whether today's daily run has not started, or has read under 95% of its channels after half an hour";
  const overdue = createGauge("growth_run_overdue", help, isOverdue);
  return run ? [overdue, ...listRunMetrics(run, ctx.clock.now())] : [overdue];
}

function listRunMetrics(run: RunSummary, now: Date): MetricFamily[] {
  const age = countSecondsBetween(toDate(run.started_at), now);
  const isFinished = Number(run.finished_at !== null);
  const share = "Share of channels that the latest daily run read or found unavailable";
  const results = ["planned", "read", "unavailable", "failed"] as const;
  const channels = results.map((result) => ({ labels: { result }, value: run[result] }));
  return [
    createGauge("growth_run_age_seconds", "Seconds since the latest daily run began", age),
    createGauge("growth_run_finished", "Whether the latest daily run has finished", isFinished),
    createGauge("growth_run_coverage_ratio", share, computeCoverage(run) ?? []),
    createGauge("growth_run_channels", "Channels of the latest daily run", channels),
    createGauge("growth_run_alerts", "Alerts of the latest daily run", run.alerts),
  ];
}

async function getDeliveryMetric(ctx: AppContext): Promise<MetricFamily> {
  const deliveries = await countDeliveries(ctx, DELIVERY_DAYS);
  const rows = DESTINATIONS.flatMap((destination) =>
    [...new Set([...DELIVERY_STATUSES, ...REFUSED_MAIL_STATUSES])].map((status) => {
      const counted = deliveries.find((one) => one.destination === destination && one.status === status);
      // Zeros too: Prometheus sees no increase in a series that begins with its first failure.
      return { labels: { destination, status }, value: counted?.count ?? 0 };
    }),
  );
  return createGauge("growth_deliveries", `Deliveries of alerts, last ${DELIVERY_DAYS} UTC days`, rows);
}

async function listPlatformFamilies({ ledger }: AppContext): Promise<MetricFamily[]> {
  const spent = (await ledger?.listSpentUnits()) ?? [];
  const left = spent.map(({ bucket, used, limit, exhausted }) => ({
    labels: { bucket },
    value: exhausted ? 0 : Math.max(0, limit - used),
  }));
  const limits = spent.map(({ bucket, limit }) => ({ labels: { bucket }, value: limit }));
  return [
    createGauge("growth_platform_units_left", "Calls left of the platform's daily quota", left),
    createGauge("growth_platform_units_limit", "Calls of the platform's daily quota", limits),
  ];
}

async function getBackupMetric(ctx: AppContext): Promise<MetricFamily> {
  const last = await getLastBackup(ctx);
  const age = last ? countSecondsBetween(last, ctx.clock.now()) : [];
  return createGauge("growth_backup_age_seconds", "Seconds since the latest backup", age);
}

function createGauge(name: string, help: string, value: number | MetricFamily["rows"]): MetricFamily {
  return { name, help, rows: typeof value === "number" ? [{ value }] : value };
}
