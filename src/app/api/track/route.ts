import { serveEndpoints } from "@/server/api/rest";

// /api/track – the creators a key tracks
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints("/api/track");
