import { readFile } from "node:fs/promises";
import path from "node:path";
import { TIER_LIMITS, TIER_PRICES, TIERS } from "@/core/config/tiers";
import type { Contract } from "@/core/http/contract";
import { SEVERITY_SCALE } from "@/features/alerts/rules";
import { ALERT_LEVELS, type AlertLevel, alertLevel } from "@/features/growth/score.rules";
import { type ServiceContext, siteOf } from "./context";
import { CONTRACTS } from "./contracts";
import { FAILURES, statusOf } from "./failures";
import { healthContract } from "./health";
import { MAX_BODY_BYTES } from "./input";
import { parametersOf } from "./openapi";
import { rateHeaders } from "./request-context";
import { KEY_VARIABLE, type Site, SNIPPET_LANGUAGES, snippetsOf } from "./snippets";

const FOLDER = path.join("src", "guides");

/** The guides in reading order. Each is a Markdown file of the same name. */
export const GUIDES = [
  { slug: "quick-start", title: "Quick start", about: "From a key to the first answer in one minute" },
  { slug: "authentication", title: "Authentication", about: "How to get, send and keep a key" },
  { slug: "endpoints", title: "Endpoints", about: "Every endpoint with parameters, snippets and an answer" },
  { slug: "limits", title: "Limits and what counts", about: "Requests per day, headers, the 429" },
  { slug: "pagination", title: "Pagination", about: "Going through lists" },
  { slug: "alerts", title: "Alerts and severity", about: "When there is an alert, what it says, mails" },
  { slug: "growth", title: "Growth and score", about: "The formulas" },
  { slug: "errors", title: "Errors", about: "Each status with its cause and fix" },
  { slug: "platform-data", title: "Platform data", about: "Cut counts, hidden counts, gaps, retention" },
  { slug: "typescript-client", title: "TypeScript client", about: "Typed methods, iterators, retries" },
  { slug: "glossary", title: "Glossary", about: "The words of this service" },
  { slug: "changelog", title: "Changelog", about: "What changed, and what never will" },
] as const;
export type GuideSlug = (typeof GUIDES)[number]["slug"];

/** Whether there is a guide of that name. */
export function isGuide(name: string): name is GuideSlug {
  return GUIDES.some(({ slug }) => slug === name);
}

/** What the guides tell of the service they are read at. */
type GuideContext = Pick<ServiceContext, "env" | "platform">;

/**
 * A guide as Markdown, with every figure, table, snippet and example filled in from the code that they are about.
 * @throws Error for a blank that nothing fills
 */
export async function guideMarkdown(ctx: GuideContext, slug: GuideSlug): Promise<string> {
  const text = await readFile(path.join(process.cwd(), FOLDER, `${slug}.md`), "utf8");
  const blanks = { ...figures(ctx), ...parts(siteOf(ctx)) };
  return text.replace(/\{\{(\w+)(?: (\w+))?\}\}/g, (blank, name, argument) => {
    const fill = Object.entries(blanks).find(([known]) => known === name)?.[1];
    if (fill === undefined) throw new Error(`${slug}.md has ${blank}, which nothing fills`);
    return typeof fill === "string" ? fill : fill(argument);
  });
}

/** A list of all that can be read here, for language models: https://llmstxt.org */
export function llmsText({ appUrl }: Site): string {
  const guides = GUIDES.map(({ slug, title, about }) => `- [${title}](${appUrl}/docs/${slug}.md): ${about}`);
  return `# Creator Growth Tracking Service

> A REST API that detects rising creators on a video platform: discover creators by niche, track them, and get an alert
> when one grows by more than 10 % in a day. Requests carry a key in the header X-API-Key.

## Guides

${guides.join("\n")}

## Reference

- [OpenAPI 3.1](${appUrl}/api/openapi.json): every path, parameter, header, status and schema, with examples
`;
}

function figures({ env }: GuideContext): Record<string, string> {
  return {
    appUrl: env.appUrl,
    contact: env.operatorContact,
    keyVariable: KEY_VARIABLE,
    maxBody: `${MAX_BODY_BYTES / 1024} KiB`,
    retentionDays: String(env.snapshotRetentionDays),
    tiers: table(
      ["tier", "requests per day", "price per month"],
      TIERS.map((tier) => [`\`${tier}\``, TIER_LIMITS[tier], `$${TIER_PRICES[tier]}`]),
    ),
    severities: table(
      ["growth", "severity", "colour", "meaning"],
      SEVERITY_SCALE.map(({ from, severity, color, meaning }, place) => {
        const to = SEVERITY_SCALE[place - 1]?.from;
        return [
          to === undefined ? `${from} % and above` : `${from} % to ${to} %`,
          severity,
          `\`${color}\``,
          meaning,
        ];
      }),
    ),
    levels: table(["score", "`alert_level`", "meaning"], ALERT_LEVELS.map(levelRow)),
    rateHeaders: fence("http", exampleRateHeaders()),
    errorList: table(["status", "when"], errorRows()),
  };
}

/** Blanks that say of which endpoint or failure they are. */
function parts(site: Site): Record<string, (argument: string) => string> {
  return {
    snippets: (id) => snippets(contractOf(id), site),
    answer: (id) => answer(contractOf(id)),
    error: (code) => fence("json", pretty(failureOf(code).example)),
    endpoints: () =>
      [...CONTRACTS, healthContract].map((contract) => endpointSection(contract, site)).join("\n\n"),
  };
}

function endpointSection(contract: Contract, site: Site): string {
  const { method, path, summary, description } = contract;
  const rows = parametersOf(contract).map(({ name, place, required, bounds, description }) => [
    `\`${name}\``,
    `${place}${required ? ", required" : ""}`,
    bounds,
    description,
  ]);
  return [
    `## ${method} ${path}`,
    `${summary}.`,
    ...(description ? [description] : []),
    ...(rows.length > 0 ? [table(["name", "in", "value", "meaning"], rows)] : []),
    snippets(contract, site),
    "It answers:",
    answer(contract),
  ].join("\n\n");
}

function snippets(contract: Contract, site: Site): string {
  const texts = snippetsOf(contract, site);
  return SNIPPET_LANGUAGES.map(({ id }) => fence(id, texts[id])).join("\n\n");
}

function answer({ example }: Contract): string {
  return fence("json", pretty({ status: "ok", ...example.answer }));
}

function contractOf(id: string): Contract {
  const contract = [...CONTRACTS, healthContract].find((known) => known.id === id);
  if (!contract) throw new Error(`a guide names the endpoint ${id}, which is none`);
  return contract;
}

function failureOf(code: string) {
  const failure = Object.entries(FAILURES).find(([known]) => known === code)?.[1];
  if (!failure) throw new Error(`a guide names the failure ${code}, which is none`);
  return failure;
}

function errorRows(): (string | number)[][] {
  const codes = Object.keys(FAILURES) as (keyof typeof FAILURES)[];
  return codes
    .map((code): [number, string] => [statusOf(code), FAILURES[code].description])
    .sort(([one], [other]) => one - other)
    .map(([status, when]) => [`[${status}](#${status})`, when]);
}

const LEVEL_MEANINGS: Record<AlertLevel, string> = {
  HIGH_GROWTH: "Explosive growth momentum",
  RISING: "Clear growth trajectory",
  WATCH: "Some growth signals",
  STABLE: "Normal or declining",
};

function levelRow(level: AlertLevel): string[] {
  const scores = Array.from({ length: 101 }, (_, score) => score).filter(
    (score) => alertLevel(score) === level,
  );
  return [`${scores[0]} to ${scores.at(-1)}`, `\`${level}\``, LEVEL_MEANINGS[level]];
}

function exampleRateHeaders(): string {
  const state = { tier: "starter", limit: TIER_LIMITS.starter, used: 37, secondsLeft: 41_230 } as const;
  return Object.entries(rateHeaders(state))
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function pretty(value: object): string {
  return JSON.stringify(value, null, 2);
}
