import { shareWork } from "@/core/parallel";
import { openResource } from "@/server/api/rest";
import { checkHealth } from "@/server/ops/status";

// No limit applies, so requests at the same time share one check of the database.
const checkOnce = shareWork(checkHealth);

// /api/health – whether the service can serve; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/health",
  { GET: ({ ctx }) => checkOnce(ctx) },
  { isUnlimited: true, isShared: true },
);
