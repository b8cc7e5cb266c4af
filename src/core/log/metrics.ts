import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface MetricFamily {
  name: string;
  help: string;
  rows: { labels?: Record<string, string>; value: number }[];
}

export type Metrics = ReturnType<typeof createMetrics>;

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const createCounter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const requests = createCounter(
    "growth_http_requests_total",
    "Requests that were answered, by route; all pages are one route",
    ["route", "method", "status"],
  );
  const durations = new Histogram({
    name: "growth_http_request_seconds",
    help: "Seconds from a request to its answer",
    labelNames: ["route"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const quotaHelp = "Requests that were refused because their key's day was used up";
  const quotaRefusals = createCounter("growth_quota_refusals_total", quotaHelp, ["tier"]);
  const loadHelp = "Requests refused with 503 because too many were under way";
  const loadRefusals = createCounter("growth_http_refusals_total", loadHelp, ["kind"]);
  return {
    /** `route` is the path as the API lists it, so that there are few label values. */
    recordRequest(request: { route: string; method: string; status: number; seconds: number }): void {
      const { route, method, status, seconds } = request;
      requests.inc({ route, method, status });
      durations.observe({ route }, seconds);
    },
    recordRefusal: (tier: string): void => quotaRefusals.inc({ tier }),
    recordLoadRefusal: (kind: string): void => loadRefusals.inc({ kind }),
    async render(figures: readonly MetricFamily[]): Promise<string> {
      return `${await registry.metrics()}\n${await renderMetricFamilies(figures)}`;
    },
  };
}

function renderMetricFamilies(figures: readonly MetricFamily[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, rows } of figures) {
    if (rows.length === 0) continue;
    const labelNames = Object.keys(rows[0]?.labels ?? {});
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
    for (const { labels = {}, value } of rows) gauge.set(labels, value);
  }
  return registry.metrics();
}
