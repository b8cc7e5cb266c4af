import { health } from "@/server/health";
import { openResource } from "@/server/rest";

// /api/health – whether the service can serve; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource("/api/health", {
  GET: ({ ctx }) => health(ctx),
});
