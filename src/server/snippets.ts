import type { Contract, Example } from "@/core/contract";

/** The languages of snippets, with the name that Markdown and highlighters know each by. */
export const SNIPPET_LANGUAGES = [
  { id: "sh", label: "curl" },
  { id: "ts", label: "TypeScript" },
  { id: "python", label: "Python" },
] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]["id"];

/** Where every snippet finds the reader's key, so that it works as printed and no key is in it. */
export const KEY_VARIABLE = "GROWTH_API_KEY";

/** A contract's example call in each language, complete: nothing has to be filled in or installed. */
export function snippetsOf(contract: Contract, appUrl: string): Record<SnippetLanguage, string> {
  const call = { method: contract.method, url: exampleUrl(contract, appUrl), body: contract.example.body };
  return { sh: curl(call), ts: typeScript(call), python: python(call) };
}

/** Address of a contract's example call. */
export function exampleUrl({ path, example }: { path: string; example: Example }, appUrl: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => example.params?.[name] ?? "");
  const query = new URLSearchParams(
    Object.entries(example.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${appUrl}${filled}${query.size > 0 ? `?${query}` : ""}`;
}

interface Call {
  method: string;
  url: string;
  body: object | undefined;
}

function curl({ method, url, body }: Call): string {
  const isPlain = method === "GET" || body !== undefined;
  const words = [
    `curl ${isPlain ? "" : `-X ${method} `}"${url}"`,
    `-H "X-API-Key: $${KEY_VARIABLE}"`,
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`] : []),
  ];
  return words.join(" \\\n  ");
}

function typeScript({ method, url, body }: Call): string {
  const key = `"X-API-Key": process.env.${KEY_VARIABLE} ?? ""`;
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    `  headers: { ${key}${body ? `, "Content-Type": "application/json"` : ""} },`,
    ...(body ? [`  body: JSON.stringify(${objectLiteral(body)}),`] : []),
  ];
  return `const response = await fetch("${url}", {
${options.join("\n")}
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(await response.json());`;
}

/** An object of plain values, as TypeScript is written by hand. */
function objectLiteral(value: object): string {
  const members = Object.entries(value).map(([name, member]) => `${name}: ${JSON.stringify(member)}`);
  return `{ ${members.join(", ")} }`;
}

function python({ method, url, body }: Call): string {
  const key = `"X-API-Key": os.environ["${KEY_VARIABLE}"]`;
  const options = [
    `    "${url}",`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    `    headers={${key}${body ? `, "Content-Type": "application/json"` : ""}},`,
    ...(body ? [`    data=json.dumps(${JSON.stringify(body)}).encode(),`] : []),
  ];
  return `import json
import os
from urllib.request import Request, urlopen

request = Request(
${options.join("\n")}
)
with urlopen(request) as response:
    print(json.load(response))`;
}
