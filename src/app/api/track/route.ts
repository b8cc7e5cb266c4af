import { listTrackedEndpoint, trackEndpoint } from "@/server/endpoints";
import { resource } from "@/server/rest";

// /api/track – the creators a key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(trackEndpoint, listTrackedEndpoint);
