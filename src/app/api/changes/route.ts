import { changesEndpoint } from "@/server/endpoints";
import { resource } from "@/server/rest";

// /api/changes – what changed for the key, in order
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(changesEndpoint);
