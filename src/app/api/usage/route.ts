import { usageEndpoint } from "@/server/api/endpoints";
import { resource } from "@/server/api/rest";

// /api/usage – the key's usage today
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(usageEndpoint);
