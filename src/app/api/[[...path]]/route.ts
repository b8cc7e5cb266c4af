import { serveEndpoints } from "@/server/api/rest";

// Every other path under /api: authenticated and counted, then 404
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("unknown");
