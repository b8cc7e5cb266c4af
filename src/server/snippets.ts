import type { Contract, Example } from "@/core/http/contract";
import { EXAMPLE_CREATOR } from "@/features/creators/schema";

/** What documents must know of the service they are read at. */
export interface Site {
  /** Without a slash at the end. */
  appUrl: string;
  /** Whether its platform is the simulated one, which has the creator of the examples. */
  sample: boolean;
}

/** The languages of snippets, with the name that Markdown and highlighters know each by. */
export const SNIPPET_LANGUAGES = [
  { id: "sh", label: "curl" },
  { id: "ts", label: "TypeScript" },
  { id: "python", label: "Python" },
] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]["id"];

/** Where every snippet finds the reader's key, so that it works as printed and no key is in it. */
export const KEY_VARIABLE = "GROWTH_API_KEY";

/** A channel of the real platform that will not go away, in place of the invented one. */
const REAL_CHANNEL = { id: "UCBR8-60-B28hp2BmDPdntcQ", handle: "@YouTube" };

/** The request of a contract's example, with a channel that the service can find. */
export function exampleCall({ example }: Contract, { sample }: Site): Omit<Example, "answer"> {
  const { answer, ...call } = example;
  if (sample) return call;
  const { channel_id, handle } = EXAMPLE_CREATOR;
  const text = JSON.stringify(call)
    .replaceAll(channel_id, REAL_CHANNEL.id)
    .replaceAll(handle ?? channel_id, REAL_CHANNEL.handle);
  return JSON.parse(text);
}

/** A contract's example call in each language, complete: nothing has to be filled in or installed. */
export function snippetsOf(contract: Contract, site: Site): Record<SnippetLanguage, string> {
  const { body } = exampleCall(contract, site);
  const headers: HeaderName[] = [
    ...(contract.open ? [] : (["X-API-Key"] as const)),
    ...(body ? (["Content-Type"] as const) : []),
  ];
  const call = { method: contract.method, url: exampleUrl(contract, site), headers, body };
  return { sh: curl(call), ts: typeScript(call), python: python(call) };
}

/** Address of a contract's example call. */
export function exampleUrl(contract: Contract, site: Site): string {
  const { params, query = {} } = exampleCall(contract, site);
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name) => params?.[name] ?? "");
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${site.appUrl}${path}${search.size > 0 ? `?${search}` : ""}`;
}

type HeaderName = "X-API-Key" | "Content-Type";

interface Call {
  method: string;
  url: string;
  headers: readonly HeaderName[];
  body: object | undefined;
}

function curl({ method, url, headers, body }: Call): string {
  const isPlain = method === "GET" || body !== undefined;
  const values = { "X-API-Key": `$${KEY_VARIABLE}`, "Content-Type": "application/json" };
  const words = [
    `curl ${isPlain ? "" : `-X ${method} `}"${url}"`,
    ...headers.map((name) => `-H "${name}: ${values[name]}"`),
    ...(body ? [`-d '${JSON.stringify(body)}'`] : []),
  ];
  return words.join(" \\\n  ");
}

function typeScript({ method, url, headers, body }: Call): string {
  const values = { "X-API-Key": `process.env.${KEY_VARIABLE} ?? ""`, "Content-Type": '"application/json"' };
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...listed(headers, values, (all) => `  headers: { ${all} },`),
    ...(body ? [`  body: JSON.stringify(${objectLiteral(body)}),`] : []),
  ];
  const given = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return `const response = await fetch("${url}"${given});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(await response.json());`;
}

function python({ method, url, headers, body }: Call): string {
  const values = { "X-API-Key": `os.environ["${KEY_VARIABLE}"]`, "Content-Type": '"application/json"' };
  const options = [
    `    "${url}",`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...listed(headers, values, (all) => `    headers={${all}},`),
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

/** One line with all headers, or none. */
function listed(
  names: readonly HeaderName[],
  values: Record<HeaderName, string>,
  line: (all: string) => string,
): string[] {
  const all = names.map((name) => `"${name}": ${values[name]}`).join(", ");
  return all ? [line(all)] : [];
}

/** An object of plain values, as TypeScript is written by hand. */
function objectLiteral(value: object): string {
  const members = Object.entries(value).map(([name, member]) => `${name}: ${JSON.stringify(member)}`);
  return `{ ${members.join(", ")} }`;
}
