import { STATUS_CODES } from "node:http";

/** The status in logs and metrics for a client that left before its answer. nginx uses the same. */
export const CLIENT_GONE = 499;

/** An answer as plain data, which each door sends in its own way. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** Whether a handler's result is a whole answer. */
export function isReply(result: object): result is Reply {
  if (result instanceof Response) return false;
  return "status" in result && typeof result.status === "number" && "headers" in result && "body" in result;
}

/** A reply as a web response. */
export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers });
}

const ERROR_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
};

/** An error as JSON. @param headers in addition to those of every error */
export function createErrorReply(
  status: number,
  body: { error: string; code?: string },
  headers: Record<string, string> = {},
): Reply {
  return { status, headers: { ...ERROR_HEADERS, ...headers }, body: JSON.stringify(body) };
}

/** An error as a plain page, for a browser. @param error a text of the service, as is the title */
export function createErrorPage(
  status: number,
  error: string,
  headers: Record<string, string>,
  title = `Error ${status}`,
): Reply {
  const own = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'" };
  const body = `<!DOCTYPE html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${error}</p></html>`;
  return { status, headers: { ...ERROR_HEADERS, ...own, ...headers }, body };
}

/** A reply as the bytes of a response after which the connection closes. */
export function formatReply({ status, headers, body }: Reply): string {
  const all = { ...headers, Connection: "close", "Content-Length": Buffer.byteLength(body ?? "") };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body ?? ""}`;
}
