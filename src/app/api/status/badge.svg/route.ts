import { openResource } from "@/server/api/rest";
import { renderBadge } from "@/server/ops/badge";
import { getServiceStatus } from "@/server/ops/status";

// /api/status/badge.svg – the state of the daily run as a picture; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/status/badge.svg",
  {
    GET: async ({ ctx }) => ({
      status: 200,
      headers: { "Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": "public, max-age=60" },
      body: renderBadge(await getServiceStatus(ctx)),
    }),
  },
  { isShared: true },
);
