import { usageEndpoint } from "@/server/endpoints";
import { resource } from "@/server/rest";

// /api/usage – the key's usage today
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(usageEndpoint);
