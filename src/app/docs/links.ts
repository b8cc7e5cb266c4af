import { GUIDES } from "@/server/docs/guides";
import type { SiteLink } from "@/ui/site-shell";

/** Every page of the documents, in reading order. */
export const PAGES: readonly SiteLink[] = [
  ...GUIDES.map(({ slug, title }) => ({ href: `/docs/${slug}`, text: title })),
  { href: "/docs", text: "API reference" },
  { href: "/api/openapi.json", text: "OpenAPI document" },
];
