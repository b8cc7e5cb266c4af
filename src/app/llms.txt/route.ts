import { getAppContext, getSite } from "@/server/context";
import { renderLlmsText } from "@/server/docs/guides";

export const dynamic = "force-dynamic";

// /llms.txt – an index of the documents for language models
export async function GET() {
  return new Response(await renderLlmsText(getSite(getAppContext())), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}
