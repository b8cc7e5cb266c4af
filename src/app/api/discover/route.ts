import { discoverEndpoint } from "@/server/endpoints";
import { resource } from "@/server/rest";

// /api/discover – creators of a niche
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(discoverEndpoint);
