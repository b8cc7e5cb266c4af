import { createTextResponse } from "./sent";

const HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
};
type ErrorBody = { error: string };

export function buildErrorParts(body: ErrorBody, headers: Record<string, string>) {
  return { headers: { ...HEADERS, ...headers }, text: JSON.stringify(body) };
}

export function createErrorResponse(
  status: number,
  body: ErrorBody,
  headers: Record<string, string>,
): Response {
  const parts = buildErrorParts(body, headers);
  return createTextResponse(parts.text, parts.headers, status);
}
