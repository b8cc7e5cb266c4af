import { openResource } from "@/server/api/rest";
import { getServiceStatus } from "@/server/ops/status";

// /api/status – daily runs and incidents of the last 30 days; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/status",
  {
    GET: async ({ ctx, headers }) => {
      headers["Cache-Control"] = "public, max-age=60";
      return getServiceStatus(ctx);
    },
  },
  { isShared: true },
);
