import { alertsEndpoint } from "@/server/endpoints";
import { resource } from "@/server/rest";

// /api/alerts – the key's alert history
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(alertsEndpoint);
