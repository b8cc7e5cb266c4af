import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getAppContext } from "@/server/context";
import { GUIDES, isGuide, renderGuideMarkdown } from "@/server/docs/guides";
import { MarkdownText } from "@/ui/markdown";
import { getCurrentKey } from "../../(console)/_server/page";
import { SitePage } from "../../site-page";
import { DocsSearch } from "../search";
import styles from "./guide.module.css";

/** Every page of the documents, in reading order. */
const PAGES = [
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

export default async function GuidePage({ params }: GuidePageProps) {
  const { guide } = await params;
  if (!isGuide(guide)) notFound();
  const text = await renderGuideMarkdown(getAppContext(), guide);
  const key = await getCurrentKey().catch(() => null);
  const index = GUIDES.findIndex(({ slug }) => slug === guide);
  const next = PAGES[index + 1];
  return (
    <SitePage>
      <div className={styles.docs}>
        <nav aria-label="Documents" className={styles.nav}>
          <DocsSearch />
          <ul>
            {PAGES.map(({ href, text }, at) => (
              <li key={href}>
                <a href={href} aria-current={at === index ? "page" : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <article className={styles.article}>
          <MarkdownText>{key ? text.replaceAll("<your key>", `<your key ${key.hint}>`) : text}</MarkdownText>
          <footer className={styles.foot}>
            <a href={`/docs/${guide}.md`}>This page as Markdown</a>
            {next && <a href={next.href}>Next: {next.text}</a>}
          </footer>
        </article>
      </div>
    </SitePage>
  );
}
