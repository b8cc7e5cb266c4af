import { createDocument } from "@/core/http/document";
import { getAppContext, getSite } from "@/server/context";
import { renderLlmsText } from "@/server/docs/guides";

// /llms.txt – an index of the documents for language models
export async function GET(request: Request) {
  return createDocument(request, "text/plain", await renderLlmsText(getSite(getAppContext())));
}
