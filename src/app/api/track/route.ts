import { listTrackedEndpoint, trackEndpoint } from "@/server/api/endpoints";
import { resource } from "@/server/api/rest";

// /api/track – the creators a key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(trackEndpoint, listTrackedEndpoint);
