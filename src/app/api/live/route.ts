import { openResource } from "@/server/rest";

// /api/live – whether the process answers, whatever it could not reach; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource("/api/live", {
  GET: async () => ({ status: "ok" }),
});
