import { slug as toAnchor } from "github-slugger";
import { type GuideContext, renderGuideMarkdown } from "./guides";

/** The entries of the changelog, newest first: each section of the guide that begins with a day. */
function parseChangelog(text: string): { day: string; title: string; content: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, day = "", title = "", content = ""] = /^(\d{4}-\d\d-\d\d): (.+)\n+([\s\S]*)$/.exec(section) ?? [];
      return day ? [{ day, title, content: content.trim() }] : [];
    });
}

/** The changelog as an Atom feed. */
export async function renderChangelogFeed(ctx: GuideContext): Promise<string> {
  const page = `${ctx.env.appUrl}/docs/changelog`;
  const entries = parseChangelog(await renderGuideMarkdown(ctx, "changelog"));
  const written = entries.map(({ day, title, content }) => {
    const anchor = toAnchor(`${day}: ${title}`);
    return `  <entry>
    <id>${escapeXml(`${page}#${anchor}`)}</id>
    <title>${escapeXml(title)}</title>
    <updated>${day}T00:00:00Z</updated>
    <link href="${escapeXml(`${page}#${anchor}`)}"/>
    <content type="text">${escapeXml(content)}</content>
  </entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeXml(page)}</id>
  <title>Changelog of the Creator Growth Tracking Service</title>
  <updated>${entries[0]?.day ?? "1970-01-01"}T00:00:00Z</updated>
  <author><name>Creator Growth Tracking Service</name></author>
  <link href="${escapeXml(page)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(`${ctx.env.appUrl}/changelog.xml`)}"/>
${written.join("\n")}
</feed>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
