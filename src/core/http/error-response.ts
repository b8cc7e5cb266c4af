const HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
};
type ErrorBody = { error: string };

/** The headers and the JSON text of an error as every client reads it. The given headers take precedence. */
export function errorParts(body: ErrorBody, headers: Record<string, string>) {
  return { headers: { ...HEADERS, ...headers }, text: JSON.stringify(body) };
}

/** The same as a Response. */
export function errorResponse(status: number, body: ErrorBody, headers: Record<string, string>): Response {
  const { text, ...parts } = errorParts(body, headers);
  return new Response(text, { status, ...parts });
}
