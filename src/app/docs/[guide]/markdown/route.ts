import { createDocument } from "@/core/http/document";
import { getAppContext } from "@/server/context";
import { isGuide, renderGuideMarkdown } from "@/server/docs/guides";

// /docs/{guide}.md – a guide as plain Markdown
export async function GET(request: Request, { params }: { params: Promise<{ guide: string }> }) {
  const { guide } = await params;
  if (!isGuide(guide)) return new Response("There is no such guide\n", { status: 404 });
  return createDocument(request, "text/markdown", await renderGuideMarkdown(getAppContext(), guide));
}
