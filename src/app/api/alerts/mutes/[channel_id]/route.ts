import { serveEndpoints } from "@/server/api/rest";

// /api/alerts/mutes/{channel_id} – one creator without alert emails
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/alerts/mutes/{channel_id}");
