import { appContext, siteOf } from "@/server/context";
import { llmsText } from "@/server/docs/guides";

export const dynamic = "force-dynamic";

// /llms.txt – an index of the documents for language models
export function GET() {
  return new Response(llmsText(siteOf(appContext())), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}
