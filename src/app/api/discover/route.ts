import { discoverEndpoint } from "@/server/api/endpoints";
import { resource } from "@/server/api/rest";

// /api/discover – creators of a niche
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(discoverEndpoint);
