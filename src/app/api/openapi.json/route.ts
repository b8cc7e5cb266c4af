import { siteOf } from "@/server/context";
import { openApiDocument } from "@/server/openapi";
import { openResource } from "@/server/rest";

// /api/openapi.json – the API's description; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/openapi.json",
  { GET: async (ctx) => openApiDocument(siteOf(ctx)) },
  { cacheControl: "public, max-age=300" },
);
