import { serveEndpoints } from "@/server/api/rest";

// /api/discover – creators of a niche
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/discover");
