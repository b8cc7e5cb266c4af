import { serveEndpoints } from "@/server/api/rest";

// /api/creators/{channel_id} – a creator that the key need not track
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/creators/{channel_id}");
