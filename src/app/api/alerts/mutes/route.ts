import { serveEndpoints } from "@/server/api/rest";

// /api/alerts/mutes – creators without alert emails
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/alerts/mutes");
