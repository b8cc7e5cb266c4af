import { createDocument } from "@/core/http/document";
import { getAppContext } from "@/server/context";
import { renderLlmsFullText } from "@/server/docs/guides";

// /llms-full.txt – all guides in one file, for language models
export async function GET(request: Request) {
  return createDocument(request, "text/plain", await renderLlmsFullText(getAppContext()));
}
