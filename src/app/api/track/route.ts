import { listTrackedEndpoint, trackEndpoint } from "@/server/api/endpoints";
import { defineResource } from "@/server/api/rest";

// /api/track – the creators a key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineResource(
  trackEndpoint,
  listTrackedEndpoint,
);
