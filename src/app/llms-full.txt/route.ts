import { getAppContext } from "@/server/context";
import { renderLlmsFullText } from "@/server/docs/guides";

export const dynamic = "force-dynamic";

// /llms-full.txt – all guides in one file, for language models
export async function GET() {
  return new Response(await renderLlmsFullText(getAppContext()), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}
