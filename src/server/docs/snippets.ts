import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import type { Contract, Example } from "@/features/endpoint";
import type { Site } from "@/server/context";

export const SNIPPET_LANGUAGES = [
  { id: "sh", label: "curl" },
  { id: "js", label: "JavaScript" },
  { id: "python", label: "Python" },
  { id: "go", label: "Go" },
] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]["id"];

export const KEY_VARIABLE = "GROWTH_API_KEY";

/** A channel that exists on the real platform. */
const REAL_CHANNEL = { id: "UCBR8-60-B28hp2BmDPdntcQ", handle: "@YouTube" };

/** An example request, with a channel that the service can find. */
export function getExampleCall({ example }: Contract, { sample }: Site): Omit<Example, "answer"> {
  const { answer, ...call } = example;
  if (sample) return call;
  const { channel_id, handle } = EXAMPLE_CREATOR;
  const text = JSON.stringify(call)
    .replaceAll(channel_id, REAL_CHANNEL.id)
    .replaceAll(handle ?? channel_id, REAL_CHANNEL.handle);
  return JSON.parse(text);
}

/** An example request in each language, which runs as printed. */
export function buildSnippets(contract: Contract, site: Site): Record<SnippetLanguage, string> {
  const { method, open } = contract;
  const { body } = getExampleCall(contract, site);
  const call = { method, url: buildExampleUrl(contract, site), isKeyed: !open, body };
  return { sh: formatCurl(call), js: formatJavaScript(call), python: formatPython(call), go: formatGo(call) };
}

export function buildExampleUrl(contract: Contract, site: Site): string {
  const { params, query = {} } = getExampleCall(contract, site);
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name) => params?.[name] ?? "");
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = new URLSearchParams(entries);
  return `${site.appUrl}${path}${search.size > 0 ? `?${search}` : ""}`;
}

interface Call {
  method: string;
  url: string;
  isKeyed: boolean;
  body: object | undefined;
}

function listHeaders({ isKeyed, body }: Call, key: string, contentType: string): string[][] {
  const ofKey = isKeyed ? [["X-API-Key", key]] : [];
  return body ? [...ofKey, ["Content-Type", contentType]] : ofKey;
}

function formatCurl(call: Call): string {
  const { method, url, body } = call;
  const isDefault = method === "GET" || body !== undefined;
  return [
    `curl ${isDefault ? "" : `-X ${method} `}"${url}"`,
    ...listHeaders(call, `$${KEY_VARIABLE}`, "application/json").map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body ? [`-d '${JSON.stringify(body)}'`] : []),
  ].join(" \\\n  ");
}

/** For Node and other runtimes with modules and fetch. */
function formatJavaScript(call: Call): string {
  const { method, url, body } = call;
  const headers = formatHeaders(call, `process.env.${KEY_VARIABLE}`);
  const members = Object.entries(body ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers ? [`  headers: { ${headers} },`] : []),
    ...(body ? [`  body: JSON.stringify({ ${members.join(", ")} }),`] : []),
  ];
  const init = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return `const response = await fetch("${url}"${init});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
console.log(await response.json());`;
}

function formatPython(call: Call): string {
  const { method, url, body } = call;
  const headers = formatHeaders(call, `os.environ["${KEY_VARIABLE}"]`);
  const options = [
    `    "${url}",`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...(headers ? [`    headers={${headers}},`] : []),
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

function formatGo(call: Call): string {
  const { method, url, isKeyed, body } = call;
  const packages = ["fmt", "io", "log", "net/http", ...(isKeyed ? ["os"] : []), ...(body ? ["strings"] : [])];
  const content = body ? `strings.NewReader(\`${JSON.stringify(body)}\`)` : "nil";
  const headers = listHeaders(call, `os.Getenv("${KEY_VARIABLE}")`, '"application/json"');
  return `package main

import (
${packages.map((name) => `\t"${name}"`).join("\n")}
)

func main() {
\trequest, err := http.NewRequest("${method}", "${url}", ${content})
\tif err != nil {
\t\tlog.Fatal(err)
\t}
${headers.map(([name, value]) => `\trequest.Header.Set("${name}", ${value})\n`).join("")}\tresponse, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tdefer response.Body.Close()
\tanswer, err := io.ReadAll(response.Body)
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tif response.StatusCode != http.StatusOK {
\t\tlog.Fatalf("%d: %s", response.StatusCode, answer)
\t}
\tfmt.Println(string(answer))
}`;
}

/** The headers as members of an object, with the key as an expression. */
function formatHeaders(call: Call, key: string): string {
  const headers = listHeaders(call, key, '"application/json"');
  return headers.map(([name, value]) => `"${name}": ${value}`).join(", ");
}
