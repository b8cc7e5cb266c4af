import { openResource } from "@/server/api/rest";
import { checkHealth } from "@/server/ops/health";

// /api/health – whether the service can serve; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/health",
  { GET: ({ ctx }) => checkHealth(ctx) },
  { isUnlimited: true },
);
