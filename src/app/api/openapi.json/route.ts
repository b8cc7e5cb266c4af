import { openApiDocument } from "@/server/openapi";
import { openResource } from "@/server/rest";

// /api/openapi.json – the API's description; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  { GET: async ({ env }) => openApiDocument(env.appUrl) },
  "public, max-age=300",
);
