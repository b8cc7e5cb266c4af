import type { Contract } from "@/features/endpoint";
import type { Site } from "@/server/context";
import { listParameters } from "./openapi";
import { buildSnippets } from "./snippets";

/** An endpoint as a section of a guide. */
export function renderEndpoint(contract: Contract, site: Site): string {
  const { method, path, summary, description } = contract;
  const rows = listParameters(contract).map(({ name, place, required, bounds, description }) => [
    `\`${name}\``,
    `${place}${required ? ", required" : ""}`,
    bounds,
    description,
  ]);
  return [
    `## ${method} ${path}`,
    `${summary}.`,
    description,
    rows.length > 0 && renderTable(["name", "in", "value", "meaning"], rows),
    renderSnippets(contract, site),
    "Response:",
    renderAnswer(contract),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The calls of an endpoint in each language. */
export function renderSnippets(contract: Contract, site: Site): string {
  return Object.entries(buildSnippets(contract, site))
    .map(([id, text]) => renderFence(id, text))
    .join("\n\n");
}

/** The example answer of an endpoint. */
export function renderAnswer({ example }: Contract): string {
  return renderJson({ status: "ok", ...example.answer });
}

export function renderTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const renderRow = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [renderRow(head), renderRow(head.map(() => "---")), ...rows.map(renderRow)].join("\n");
}

export function renderFence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

export function renderJson(value: object): string {
  return renderFence("json", JSON.stringify(value, null, 2));
}
