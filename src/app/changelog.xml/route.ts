import { createDocument } from "@/core/http/document";
import { getAppContext } from "@/server/context";
import { renderChangelogFeed } from "@/server/docs/changelog-feed";

// /changelog.xml – the changelog as an Atom feed
export async function GET(request: Request) {
  return createDocument(request, "application/atom+xml", await renderChangelogFeed(getAppContext()));
}
