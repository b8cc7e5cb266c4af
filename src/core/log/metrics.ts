import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

interface AnsweredRequest {
  /** As the API lists it, without what a client puts in its place: there must be few of them. */
  route: string;
  method: string;
  status: number;
  seconds: number;
}

/** One figure of the service as a whole: its labels and value for each of its rows. */
export interface Figure {
  name: string;
  help: string;
  rows: { labels?: Record<string, string>; value: number }[];
}

/** What this process has done since its start, for a collector of metrics. */
export interface Metrics {
  answered(request: AnsweredRequest): void;
  /** A request came after the last one of its key's day. */
  refused(tier: string): void;
  /** All of it in Prometheus' text form, with figures that were taken just now. */
  render(figures: readonly Figure[]): Promise<string>;
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "growth_http_requests_total",
    help: "Requests under /api that were answered",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "growth_http_request_seconds",
    help: "Seconds from a request under /api to its answer",
    labelNames: ["route"],
    buckets: SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: "growth_quota_refusals_total",
    help: "Requests that were refused because their key's day was used up",
    labelNames: ["tier"],
    registers,
  });
  return {
    answered({ route, method, status, seconds: taken }) {
      requests.inc({ route, method, status });
      seconds.observe({ route }, taken);
    },
    refused: (tier) => refusals.inc({ tier }),
    async render(figures) {
      return `${await registry.metrics()}\n${await renderFigures(figures)}`;
    },
  };
}

function renderFigures(figures: readonly Figure[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, rows } of figures) {
    if (rows.length === 0) continue;
    const labelNames = Object.keys(rows[0]?.labels ?? {});
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
    for (const { labels = {}, value } of rows) gauge.set(labels, value);
  }
  return registry.metrics();
}
