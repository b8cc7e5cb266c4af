import { appContext } from "@/server/context";
import { llmsFullText } from "@/server/docs/guides";

export const dynamic = "force-dynamic";

// /llms-full.txt – all guides in one file, for language models
export async function GET() {
  return new Response(await llmsFullText(appContext()), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}
