import { beforeAll, describe, expect, it } from "vitest";
import { readEnv } from "@/core/env";
import { ManualClock } from "@/core/time";
import { TIERS } from "@/db/values";
import { SCORE_VERSION } from "@/features/growth/score.rules";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { createSamplePlatform } from "@/platform/sample";
import { CONTRACTS } from "@/server/api/endpoints";
import { ERROR_CODES, FAILURES, getCodeStatus, isPublicCode } from "@/server/api/failures";
import { renderChangelogFeed } from "./changelog-feed";
import { GUIDES, isGuide, renderGuideMarkdown, renderLlmsFullText, renderLlmsText } from "./guides";

describe("guides", () => {
  const env = readEnv({ APP_URL: "https://growth.test", OPERATOR_CONTACT: "keys@growth.test" });
  const sample = { env, platform: createSamplePlatform(new ManualClock("2026-03-10T12:00:00.000Z")) };
  const real = { env, platform: { ...sample.platform, name: "youtube" as const } };
  const texts = new Map<string, string>();
  const getText = (slug: string) => texts.get(slug) ?? "";

  beforeAll(async () => {
    for (const { slug } of GUIDES) texts.set(slug, await renderGuideMarkdown(sample, slug));
  });

  it.each(GUIDES)("$slug starts with a title and leaves no placeholder", ({ slug }) => {
    expect(getText(slug)).toMatch(/^# \S.*\n\n\S/);
    expect(getText(slug)).not.toMatch(/\{\{|\}\}[^`]|undefined|\[object/);
  });

  it.each(GUIDES)("$slug links only to pages and headings that exist", ({ slug }) => {
    const open = ["/docs", "/api/openapi.json", "/request-key", "/changelog.xml"];
    for (const [, page = "", anchor] of getText(slug).matchAll(/\]\((\/[^)#]*)?(?:#([^)]+))?\)/g)) {
      const target = page.replace("/docs/", "") || slug;
      if (open.includes(page)) continue;
      expect(isGuide(target), page).toBe(true);
      if (anchor) expect(listAnchors(texts.get(target) ?? ""), `${page}#${anchor}`).toContain(anchor);
    }
  });

  it("include every endpoint with its parameters and a snippet in each language", () => {
    for (const { method, path } of CONTRACTS) expect(getText("endpoints")).toContain(`## ${method} ${path}\n`);
    for (const language of ["sh", "js", "python", "go"])
      expect(getText("endpoints").split(`\`\`\`${language}\n`)).toHaveLength(CONTRACTS.length + 3);
    expect(getText("endpoints")).toContain("| `limit` | query | integer from 1 to 100, default 20 |");
  });

  const findErrorSection = (status: string | number) => {
    const [, section = ""] = getText("errors").split(`\n## ${status}\n`);
    return section.split("\n## ")[0] ?? "";
  };

  it("include a fix for every failure", () => {
    for (const status of Object.keys(FAILURES)) expect(findErrorSection(status), status).toContain("**Fix**");
  });

  it("include what every code means and what to do, in the section of its status", () => {
    for (const code of Object.keys(ERROR_CODES).filter(isPublicCode)) {
      const [, text = ""] = findErrorSection(getCodeStatus(code)).split(`\n### ${code}\n`);
      expect(text.split("\n### ")[0], code).toMatch(/^\n\S.+\n\n\*\*Fix\*\*: \S/);
    }
  });

  it("state the enforced limits and the operator's contact", () => {
    for (const tier of TIERS)
      expect(getText("limits")).toContain(`| \`${tier}\` | ${TIER_RULES[tier].requestsPerDay.toLocaleString("en")} |`);
    expect(getText("authentication")).toContain("keys@growth.test");
  });

  it("explain the current version of the score", () => {
    expect(getText("growth")).toContain(`### How version ${SCORE_VERSION} is made`);
  });

  it("use a channel that exists, in sample data and on the real platform", async () => {
    expect(getText("quick-start")).toContain('{"channel_id":"@juniperfivecrits"}');
    const snippet = (await renderGuideMarkdown(real, "endpoints")).match(/curl .*history.*/)?.[0];
    expect(snippet).toContain("/api/track/UCBR8-60-B28hp2BmDPdntcQ/history");
    expect(await renderGuideMarkdown(real, "quick-start")).toContain('{"channel_id":"@YouTube"}');
  });

  it("are all listed in llms.txt, as Markdown", async () => {
    const list = await renderLlmsText({ appUrl: "https://growth.test", sample: true, hasSandbox: true });
    for (const { slug } of GUIDES) expect(list).toContain(`(https://growth.test/docs/${slug}.md)`);
  });

  it("are all in llms-full.txt", async () => {
    const whole = await renderLlmsFullText(sample);
    for (const { slug } of GUIDES) expect(whole, slug).toContain(getText(slug).trim());
  });

  it("have dated changelog entries, newest first, and the same entries in its Atom feed", async () => {
    const headings = [...getText("changelog").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
    const days = headings.map((heading) => /^(\d{4}-\d\d-\d\d): \S/.exec(heading)?.[1] ?? "");
    expect(days).toEqual(days.toSorted().reverse());
    expect(days).not.toContain("");
    const feed = await renderChangelogFeed(sample);
    expect(feed).not.toMatch(/&(?!(amp|lt|gt|quot);)/);
    const entries = [...feed.matchAll(/<id>https:\/\/growth\.test\/docs\/changelog#(.*?)<\/id>/g)];
    expect(entries.map(([, anchor]) => anchor)).toEqual(
      listAnchors(getText("changelog")).filter((anchor) => /^\d/.test(anchor)),
    );
    expect(feed).toContain(`<updated>${days[0]}T00:00:00Z</updated>`);
  });
});

/** The anchors that headings get: lower case, without punctuation, hyphens for spaces. */
function listAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}
