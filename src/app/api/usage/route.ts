import { serveEndpoints } from "@/server/api/rest";

// /api/usage – the key's usage today
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/usage");
