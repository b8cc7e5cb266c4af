import { historyEndpoint } from "@/server/endpoints";
import { resource } from "@/server/rest";

// /api/track/{channel_id}/history – the daily readings of a tracked creator
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(historyEndpoint);
