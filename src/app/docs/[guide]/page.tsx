import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getAppContext } from "@/server/context";
import { GUIDES, isGuide, renderGuideMarkdown } from "@/server/docs/guides";
import { DocsShell } from "@/ui/docs-shell";
import { MarkdownText } from "@/ui/markdown";
import { SiteShell } from "@/ui/site-shell";
import { getSiteLinks } from "../../site-links";
import { PAGES } from "../links";
import { DocsSearch } from "../search";

/** Depends on the environment, which the build does not know. */
export const dynamic = "force-dynamic";

interface GuidePageProps {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: GuidePageProps): Promise<Metadata> {
  const { guide } = await params;
  const found = GUIDES.find(({ slug }) => slug === guide);
  if (!found) return {};
  return {
    title: found.title,
    description: found.about,
    alternates: {
      types: {
        "text/markdown": `/docs/${guide}.md`,
        ...(guide === "changelog" && { "application/atom+xml": "/changelog.xml" }),
      },
    },
  };
}

/** One guide. */
export default async function GuidePage({ params }: GuidePageProps) {
  const { guide } = await params;
  if (!isGuide(guide)) notFound();
  const text = await renderGuideMarkdown(getAppContext(), guide);
  return (
    <SiteShell links={await getSiteLinks()}>
      <DocsShell pages={PAGES} current={`/docs/${guide}`} source={`/docs/${guide}.md`} search={<DocsSearch />}>
        <MarkdownText>{text}</MarkdownText>
      </DocsShell>
    </SiteShell>
  );
}
