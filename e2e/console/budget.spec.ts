import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

/** What a first visit may load of script, in kilobytes as sent (gzip). A new page gets a line of its own. */
const BUDGETS: Record<string, number> = {
  "/": 180,
  "/unsubscribe": 180,
  "/confirm-address": 180,
};
/** What the document itself may weigh. */
const DOCUMENT_KILOBYTES = 40;

for (const [path, kilobytes] of Object.entries(BUDGETS))
  test(`${path} loads at most ${kilobytes} kB of script at first`, async ({ request }) => {
    const page = await request.get(path);
    expect(page.ok()).toBe(true);
    const html = await page.text();
    expect(sent(html), "the document").toBeLessThanOrEqual(DOCUMENT_KILOBYTES);
    const scripts = firstScripts(html);
    expect(scripts.length, "scripts in the document").toBeGreaterThan(0);
    const weights = await Promise.all(
      scripts.map(async (src) => sent(await (await request.get(src)).text())),
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    expect(
      Math.round(total),
      scripts.map((src, at) => `${src} ${weights[at]}`).join("\n"),
    ).toBeLessThanOrEqual(kilobytes);
  });

/** Addresses of the scripts that a document asks for at once, each once; what only old browsers load does not count. */
function firstScripts(html: string): string[] {
  const tags = html.match(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g) ?? [];
  const sources = tags
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .map((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? "");
  return [...new Set(sources)];
}

/** Kilobytes on the wire. */
function sent(text: string): number {
  return gzipSync(text).byteLength / 1000;
}
