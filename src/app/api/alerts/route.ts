import { serveEndpoints } from "@/server/api/rest";

// /api/alerts – the key's alert history
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/alerts");
