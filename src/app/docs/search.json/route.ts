import { appContext } from "@/server/context";
import { searchIndex } from "@/server/docs/guides";

export const dynamic = "force-dynamic";

// /docs/search.json – the sections of all guides, for the search in the browser
export async function GET() {
  return Response.json(await searchIndex(appContext()), {
    headers: { "Cache-Control": "public, max-age=300" },
  });
}
