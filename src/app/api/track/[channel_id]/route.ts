import { serveEndpoints } from "@/server/api/rest";

// /api/track/{channel_id} – one creator the key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/track/{channel_id}");
