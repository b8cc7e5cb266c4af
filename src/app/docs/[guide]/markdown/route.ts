import { getAppContext } from "@/server/context";
import { isGuide, renderGuideMarkdown } from "@/server/docs/guides";

export const dynamic = "force-dynamic";

// /docs/{guide}.md – a guide as plain Markdown
export async function GET(_request: Request, { params }: { params: Promise<{ guide: string }> }) {
  const { guide } = await params;
  if (!isGuide(guide)) return new Response("There is no such guide\n", { status: 404 });
  return new Response(await renderGuideMarkdown(getAppContext(), guide), {
    headers: { "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}
