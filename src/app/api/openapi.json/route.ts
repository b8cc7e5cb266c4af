import { openResource } from "@/server/api/rest";
import { type AppContext, getSite } from "@/server/context";
import { buildOpenApiDocument } from "@/server/docs/openapi";

const documents = new WeakMap<AppContext, string>();

/** Built once: it is large and the same for all callers. */
function getDocument(ctx: AppContext): string {
  const document = documents.get(ctx) ?? JSON.stringify(buildOpenApiDocument(getSite(ctx)));
  documents.set(ctx, document);
  return document;
}

// /api/openapi.json – the API's description; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/openapi.json",
  {
    GET: async ({ ctx }) => ({
      status: 200,
      headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "public, max-age=300" },
      body: getDocument(ctx),
    }),
  },
  { isShared: true },
);
