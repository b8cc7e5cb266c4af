import { serveEndpoints } from "@/server/api/rest";

// /api/changes – what changed for the key, in order
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/changes");
