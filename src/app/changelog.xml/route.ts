import { getAppContext } from "@/server/context";
import { renderChangelogFeed } from "@/server/docs/changelog-feed";

export const dynamic = "force-dynamic";

// /changelog.xml – the changelog as an Atom feed
export async function GET() {
  return new Response(await renderChangelogFeed(getAppContext()), {
    headers: { "Content-Type": "application/atom+xml; charset=utf-8", "Cache-Control": "public, max-age=300" },
  });
}
