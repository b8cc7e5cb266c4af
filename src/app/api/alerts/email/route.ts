import { serveEndpoints } from "@/server/api/rest";

// /api/alerts/email – the one address that receives the key's alerts
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/alerts/email");
