import { discoverEndpoint } from "@/server/api/endpoints";
import { defineResource } from "@/server/api/rest";

// /api/discover – creators of a niche
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineResource(discoverEndpoint);
