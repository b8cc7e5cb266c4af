import { openResource } from "@/server/api/rest";
import { type AppContext, getSite } from "@/server/context";
import { buildOpenApiDocument } from "@/server/docs/openapi";

const documents = new WeakMap<AppContext, object>();

/** Built once: it is large and the same for all callers. */
function getDocument(ctx: AppContext): object {
  const document = documents.get(ctx) ?? buildOpenApiDocument(getSite(ctx));
  documents.set(ctx, document);
  return document;
}

// /api/openapi.json – the API's description; no key
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/openapi.json",
  {
    GET: async ({ ctx, headers }) => {
      headers["Cache-Control"] = "public, max-age=300";
      return getDocument(ctx);
    },
  },
  { isShared: true },
);
