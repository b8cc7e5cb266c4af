import { appContext } from "@/server/context";
import { changelogFeed } from "@/server/docs/changelog-feed";

export const dynamic = "force-dynamic";

// /changelog.xml – the changelog as an Atom feed
export async function GET() {
  return new Response(await changelogFeed(appContext()), {
    headers: {
      "Content-Type": "application/atom+xml; charset=utf-8",
      "Cache-Control": "public, max-age=300",
    },
  });
}
