import { gzipSync } from "node:zlib";

/** What a first visit may load of script, in kilobytes as sent (gzip), by what kind of page it is. */
export const SCRIPT_BUDGETS = {
  open: 160,
  console: 250,
};
/** Pages of each kind. A new page gets into a list. */
export const PAGES: Readonly<Record<keyof typeof SCRIPT_BUDGETS, readonly string[]>> = {
  open: ["/", "/docs", "/docs/quick-start", "/accuracy", "/privacy", "/unsubscribe", "/confirm-address"],
  console: ["/sign-in", "/overview", "/discover", "/alerts", "/usage", "/settings"],
};
/** What a document itself may weigh, likewise. */
export const DOCUMENT_BUDGET = 40;

interface Weight {
  documentKb: number;
  /** All scripts that the document asks for at once. */
  scriptsKb: number;
  scripts: { src: string; kb: number }[];
}

/**
 * What a page weighs on the wire.
 * @param get reads a path of the service as text
 */
export async function weigh(path: string, get: (path: string) => Promise<string>): Promise<Weight> {
  const html = await get(path);
  const scripts = await Promise.all(
    firstScripts(html).map(async (src) => ({ src, kb: kilobytes(await get(src)) })),
  );
  const scriptsKb = scripts.reduce((sum, { kb }) => sum + kb, 0);
  return { documentKb: kilobytes(html), scriptsKb, scripts };
}

/** Addresses of the scripts a document asks for, each once; what only old browsers load does not count. */
function firstScripts(html: string): string[] {
  const tags = html.match(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g) ?? [];
  const sources = tags
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? []);
  return [...new Set(sources)];
}

function kilobytes(text: string): number {
  return gzipSync(text).byteLength / 1000;
}
