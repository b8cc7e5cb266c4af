import { serveEndpoints } from "@/server/api/rest";

// /api/usage/endpoints – requests of the key by endpoint and status
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/usage/endpoints");
