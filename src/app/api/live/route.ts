import { openResource } from "@/server/api/rest";

// /api/live – whether the process runs; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/live",
  { GET: async () => ({}) },
  { isUnlimited: true },
);
