import { textResponse } from "./sent";

const HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
};
type ErrorBody = { error: string };

export function errorParts(body: ErrorBody, headers: Record<string, string>) {
  return { headers: { ...HEADERS, ...headers }, text: JSON.stringify(body) };
}

export function errorResponse(status: number, body: ErrorBody, headers: Record<string, string>): Response {
  const parts = errorParts(body, headers);
  return textResponse(parts.text, parts.headers, status);
}
