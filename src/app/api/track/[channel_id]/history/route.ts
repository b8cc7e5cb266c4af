import { serveEndpoints } from "@/server/api/rest";

// /api/track/{channel_id}/history – the daily snapshots of a tracked creator
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/track/{channel_id}/history");
