import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getAppContext } from "@/server/context";
import { GUIDES, isGuide, renderGuideMarkdown } from "@/server/docs/guides";
import { DocsShell } from "@/ui/docs-shell";
import { MarkdownText } from "@/ui/markdown";
import { type SiteLink, SiteShell } from "@/ui/site-shell";
import { getSiteLinks } from "../../site-links";
import { DocsSearch } from "../search";

/** Depends on the environment, which the build does not know. */
export const dynamic = "force-dynamic";

/** Every page of the documents, in reading order. */
const PAGES: readonly SiteLink[] = [
  ...GUIDES.map(({ slug, title }) => ({ href: `/docs/${slug}`, text: title })),
  { href: "/docs", text: "API reference" },
  { href: "/api/openapi.json", text: "OpenAPI document" },
];

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
