import { alertsEndpoint } from "@/server/api/endpoints";
import { defineResource } from "@/server/api/rest";

// /api/alerts – the key's alert history
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineResource(alertsEndpoint);
