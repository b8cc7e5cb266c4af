import { alertsEndpoint } from "@/server/api/endpoints";
import { resource } from "@/server/api/rest";

// /api/alerts – the key's alert history
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(alertsEndpoint);
