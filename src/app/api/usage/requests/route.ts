import { serveEndpoints } from "@/server/api/rest";

// /api/usage/requests – the request log of the key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/usage/requests");
