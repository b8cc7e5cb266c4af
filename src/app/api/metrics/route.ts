import { guardMethods, openResource } from "@/server/api/rest";
import { isCollector, serveMetrics } from "@/server/ops/metrics";

// /api/metrics – metrics for Prometheus with METRICS_TOKEN; 404 otherwise
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = guardMethods(
  isCollector,
  openResource("/api/metrics", { GET: ({ ctx }) => serveMetrics(ctx) }, { isUnlimited: true }),
);
