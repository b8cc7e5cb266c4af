import { createDocument } from "@/core/http/document";
import { getAppContext } from "@/server/context";
import { buildSearchIndex } from "@/server/docs/guides";

// /docs/search.json – the sections of all guides, for the search in the browser
export async function GET(request: Request) {
  return createDocument(request, "application/json", JSON.stringify(await buildSearchIndex(getAppContext())));
}
