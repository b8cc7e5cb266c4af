import { changesEndpoint } from "@/server/api/endpoints";
import { resource } from "@/server/api/rest";

// /api/changes – what changed for the key, in order
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(changesEndpoint);
