import type { RequestEntry } from "@/features/keys/requests.schema";

/** Bodies by `METHOD /path`, with words in angle brackets for what the reader fills in. */
export type BodyForms = Readonly<Record<string, string>>;

/**
 * The command that makes a logged request again. The key is the shell's own variable `API_KEY`; of a body, which is not
 * kept, there is its form.
 * @param appUrl without a slash at the end
 */
export function curlOf(
  { method, path, query }: RequestEntry,
  { appUrl, bodies }: { appUrl: string; bodies: BodyForms },
): string {
  const body = bodies[`${method} ${path}`];
  // Brackets are ranges to curl, and a quote would end the shell's.
  const url = `${appUrl}${path}${query && `?${query}`}`.replace(
    /['[\]{}]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const words = [
    `curl ${methodOption(method, body !== undefined)}'${url}'`,
    `-H "X-API-Key: $API_KEY"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${body}'`]),
  ];
  return words.join(" \\\n  ");
}

function methodOption(method: string, hasBody: boolean): string {
  if (method === "GET" || (method === "POST" && hasBody)) return "";
  return method === "HEAD" ? "--head " : `-X ${method} `;
}
