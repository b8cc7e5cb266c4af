import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";

/** Maximum script size of a first visit, in gzipped kilobytes, by kind of page. */
export const SCRIPT_BUDGETS = {
  open: 160,
  console: 250,
};
/** Add new pages here. */
export const PAGES: Readonly<Record<keyof typeof SCRIPT_BUDGETS, readonly string[]>> = {
  open: ["/", "/docs", "/docs/quick-start", "/accuracy", "/privacy", "/unsubscribe", "/confirm-address"],
  console: ["/sign-in", "/overview", "/discover", "/alerts", "/usage", "/requests", "/settings"],
};
/** Maximum size of the document, in gzipped kilobytes. */
export const DOCUMENT_BUDGET = 40;

interface Weight {
  documentKb: number;
  /** Scripts loaded with the document. */
  scriptsKb: number;
  scripts: { src: string; kb: number }[];
}

/**
 * What a page weighs on the wire.
 * @param get reads a path of the service as text
 */
export async function measureWeight(path: string, get: (path: string) => Promise<string>): Promise<Weight> {
  const html = await get(path);
  const scripts = await Promise.all(
    listInitialScripts(html).map(async (src) => ({ src, kb: toKilobytes(await get(src)) })),
  );
  const scriptsKb = scripts.reduce((sum, { kb }) => sum + kb, 0);
  return { documentKb: toKilobytes(html), scriptsKb, scripts };
}

/** All scripts that the first visit of a page loads until it is idle. */
export async function measureScripts(page: Page, path: string): Promise<Weight["scripts"]> {
  const loaded: Promise<{ src: string; kb: number }>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script")
      loaded.push(response.text().then((text) => ({ src: response.url(), kb: toKilobytes(text) })));
  });
  await page.goto(path, { waitUntil: "networkidle" });
  return Promise.all(loaded);
}

/** URLs of a document's scripts, without those for old browsers. */
function listInitialScripts(html: string): string[] {
  const tags = html.match(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g) ?? [];
  const sources = tags
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? []);
  return [...new Set(sources)];
}

function toKilobytes(text: string): number {
  return gzipSync(text).byteLength / 1000;
}
