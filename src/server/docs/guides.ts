import { readFile } from "node:fs/promises";
import path from "node:path";
import { slug as toAnchor } from "github-slugger";
import client from "@/client/package.json" with { type: "json" };
import { formatCount } from "@/core/format";
import { TIERS } from "@/db/values";
import { SEVERITY_SCALE } from "@/features/alerts/rules";
import { ALERT_LEVELS, type AlertLevel, classifyLevel } from "@/features/growth/score.rules";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { formatPerTier, TIER_RULES } from "@/features/usage/tiers.rules";
import { ERROR_CODES, FAILURES, getCodeStatus, isPublicCode, type PublicCode } from "@/server/api/failures";
import { MAX_BODY_BYTES } from "@/server/api/input";
import { buildRateHeaders } from "@/server/api/request";
import { getSite, type ServiceContext, type Site } from "@/server/context";
import guides from "./guides.json" with { type: "json" };
import { renderAnswer, renderEndpoint, renderFence, renderJson, renderSnippets, renderTable } from "./markdown";
import { DOCUMENTED } from "./openapi";
import { KEY_VARIABLE } from "./snippets";

/** The guides in the order of the documentation. */
export const GUIDES = guides;

export function isGuide(name: string): boolean {
  return GUIDES.some(({ slug }) => slug === name);
}

/** Path of the typed client's tarball. */
export const CLIENT_TARBALL = `/client-${client.version}.tgz`;

export type GuideContext = Pick<ServiceContext, "env" | "platform">;

/** A guide as Markdown, with each `{{placeholder}}` filled from the code. @throws Error for an unknown one */
export async function renderGuideMarkdown(ctx: GuideContext, slug: string): Promise<string> {
  return fillMarkdown(slug, { ...listValues(ctx), ...buildSections(getSite(ctx)) });
}

/** A file of src/guides with its placeholders filled. @throws Error for an unknown placeholder */
export async function fillMarkdown(name: string, values: Record<string, Placeholder>): Promise<string> {
  const text = await readFile(path.join("src", "guides", `${name}.md`), "utf8");
  const known = new Map(Object.entries(values));
  return text.replace(/\{\{(\w+)(?: (\w+))?\}\}/g, (_, placeholder, argument) => {
    const value = get(known, placeholder, "placeholder");
    return typeof value === "string" ? value : value(argument);
  });
}

type Placeholder = string | ((argument: string) => string);

function get<T>(map: ReadonlyMap<string, T>, name: string, kind: string): T {
  const found = map.get(name);
  if (found === undefined) throw new Error(`a guide uses the unknown ${kind} ${name}`);
  return found;
}

/** The list of guides for language models: https://llmstxt.org */
export function renderLlmsText({ appUrl }: Site): Promise<string> {
  const guides = GUIDES.map(({ slug, title, about }) => `- [${title}](${appUrl}/docs/${slug}.md): ${about}`);
  return fillMarkdown("llms", { appUrl, guides: guides.join("\n") });
}

/** All guides in one file, for language models. */
export async function renderLlmsFullText(ctx: GuideContext): Promise<string> {
  const guides = await Promise.all(GUIDES.map(({ slug }) => renderGuideMarkdown(ctx, slug)));
  return `${guides.map((text) => text.trim()).join("\n\n---\n\n")}\n`;
}

/** The sections of all guides, as plain text, for the search in the browser. */
export async function buildSearchIndex(ctx: GuideContext) {
  const guides = await Promise.all(
    GUIDES.map(async ({ slug, title }) => ({ slug, title, text: await renderGuideMarkdown(ctx, slug) })),
  );
  return guides.flatMap(({ slug, title, text }) =>
    text.split(/^#{1,3} /m).flatMap((section, index) => {
      const [heading = "", ...lines] = section.split("\n");
      if (!heading) return [];
      const href = index === 1 ? `/docs/${slug}` : `/docs/${slug}#${toAnchor(heading)}`;
      return [{ guide: title, heading: heading.replaceAll("`", ""), href, text: toPlainText(lines.join("\n")) }];
    }),
  );
}

/** Text without code blocks and the marks of Markdown. */
function toPlainText(markdown: string): string {
  return markdown
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*|]|---/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function listValues({ env }: GuideContext): Record<string, string> {
  return {
    appUrl: env.appUrl,
    contact: env.operatorContact,
    keyVariable: KEY_VARIABLE,
    clientUrl: `${env.appUrl}${CLIENT_TARBALL}`,
    sandboxKey: env.hasSandbox ? SANDBOX_KEY : "<the sandbox is off on this service>",
    maxBody: `${MAX_BODY_BYTES / 1024} KiB`,
    retentionDays: String(env.snapshotRetentionDays),
    tiers: renderTable(
      ["tier", "requests per day", "price per month"],
      TIERS.map((tier) => [
        `\`${tier}\``,
        formatCount(TIER_RULES[tier].requestsPerDay),
        `$${TIER_RULES[tier].pricePerMonth}`,
      ]),
    ),
    newNiches: renderTable(
      ["tier", "new niches per day"],
      TIERS.map((tier) => [`\`${tier}\``, TIER_RULES[tier].newNichesPerDay]),
    ),
    lookups: formatPerTier("lookupsPerDay"),
    severities: renderTable(
      ["growth", "severity", "color", "meaning"],
      SEVERITY_SCALE.map(({ from, severity, color, meaning }, index) => {
        const to = SEVERITY_SCALE[index - 1]?.from;
        const range = to === undefined ? `${from}% and above` : `${from}% to ${to}%`;
        return [range, severity, `\`${color}\``, meaning];
      }),
    ),
    levels: renderTable(["score", "`alert_level`", "meaning"], ALERT_LEVELS.map(formatLevelRow)),
    rateHeaders: renderFence("http", formatExampleRateHeaders()),
    errorList: renderTable(
      ["status", "when"],
      Object.entries(FAILURES).map(([status, { description }]) => [`[${status}](#${status})`, description]),
    ),
  };
}

/** Placeholders that take the id of an endpoint or the code of a failure. */
function buildSections(site: Site): Record<string, (argument: string) => string> {
  const contracts = new Map(DOCUMENTED.map((contract) => [contract.id, contract]));
  const failures = new Map(Object.entries(FAILURES));
  const codes = Object.keys(ERROR_CODES).filter(isPublicCode);
  return {
    snippets: (id) => renderSnippets(get(contracts, id, "endpoint"), site),
    answer: (id) => renderAnswer(get(contracts, id, "endpoint")),
    error: (status) => renderJson(get(failures, status, "failure").example),
    codes: (status) =>
      codes
        .filter((code) => String(getCodeStatus(code)) === status)
        .map(renderCode)
        .join("\n\n"),
    endpoints: () => DOCUMENTED.map((contract) => renderEndpoint(contract, site)).join("\n\n"),
  };
}

function renderCode(code: PublicCode): string {
  const { meaning, fix } = ERROR_CODES[code];
  return `### ${code}\n\n${meaning}\n\n**Fix**: ${fix}`;
}

const LEVEL_MEANINGS: Record<AlertLevel, string> = {
  HIGH_GROWTH: "Explosive growth momentum",
  RISING: "Clear growth trajectory",
  WATCH: "Some growth signals",
  STABLE: "Normal or declining",
};

function formatLevelRow(level: AlertLevel): string[] {
  const scores = [...Array(101).keys()].filter((score) => classifyLevel(score) === level);
  return [`${scores[0]} to ${scores.at(-1)}`, `\`${level}\``, LEVEL_MEANINGS[level]];
}

function formatExampleRateHeaders(): string {
  const state = { tier: "starter", limit: TIER_RULES.starter.requestsPerDay, used: 37, secondsLeft: 41_230 } as const;
  const lines = Object.entries(buildRateHeaders(state)).map(([name, value]) => `${name}: ${value}`);
  return lines.join("\n");
}
