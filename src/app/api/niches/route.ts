import { serveEndpoints } from "@/server/api/rest";

// /api/niches – the map of niches
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/niches");
