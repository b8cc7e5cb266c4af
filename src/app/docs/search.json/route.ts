import { getAppContext } from "@/server/context";
import { buildSearchIndex } from "@/server/docs/guides";

export const dynamic = "force-dynamic";

// /docs/search.json – the sections of all guides, for the search in the browser
export async function GET() {
  return Response.json(await buildSearchIndex(getAppContext()), {
    headers: { "Cache-Control": "public, max-age=300" },
  });
}
