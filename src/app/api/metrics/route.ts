import { isCollector, serveMetrics } from "@/server/metrics";
import { guarded, openResource } from "@/server/rest";

// /api/metrics – figures for Prometheus, by METRICS_TOKEN; for everybody else there is no such path
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = guarded(
  isCollector,
  openResource("/api/metrics", { GET: ({ ctx }) => serveMetrics(ctx) }),
);
