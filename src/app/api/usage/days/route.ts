import { serveEndpoints } from "@/server/api/rest";

// /api/usage/days – requests of the key by day
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/usage/days");
