import type { RequestEntry } from "@/features/usage/schema";

export interface Site {
  /** Without a slash at the end. */
  appUrl: string;
  /** Sample bodies by `METHOD /path`, with placeholders in angle brackets. */
  bodies: Readonly<Record<string, string>>;
}

/**
 * The curl command for a logged request. The key is the shell variable `API_KEY`; bodies are not stored, so a sample
 * body stands in.
 */
export function toCurl({ method, path, query }: RequestEntry, { appUrl, bodies }: Site): string {
  const body = bodies[`${method} ${path}`];
  // curl reads brackets as ranges, and a quote would end the shell's string.
  const url = `${appUrl}${path}${query && `?${query}`}`.replace(
    /['[\]{}]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const words = [
    `curl ${getMethodOption(method, body !== undefined)}'${url}'`,
    `-H "X-API-Key: $API_KEY"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${body}'`]),
  ];
  return words.join(" \\\n  ");
}

function getMethodOption(method: string, hasBody: boolean): string {
  if (method === "GET" || (method === "POST" && hasBody)) return "";
  return method === "HEAD" ? "--head " : `-X ${method} `;
}
