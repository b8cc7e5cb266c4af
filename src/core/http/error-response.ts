import { AppError, INVALID_API_KEY, isAppError, SERVICE_UNAVAILABLE } from "@/core/errors";
import { isDatabaseUnavailable, isMissingKey, isMissingReference } from "@/db/client";
import { textResponse } from "./sent";

export const DATABASE_RETRY_SECONDS = 5;

/** What a client may read of an error; null when it is unexpected. */
export function clientFailure(error: unknown): AppError | null {
  if (isAppError(error)) return error;
  // The key was deleted after it was admitted.
  if (isMissingKey(error)) return new AppError("unauthorized", INVALID_API_KEY);
  // The next try finds the deleted row missing.
  if (isDatabaseUnavailable(error) || isMissingReference(error))
    return new AppError("unavailable", SERVICE_UNAVAILABLE, { retryAfter: DATABASE_RETRY_SECONDS });
  return null;
}

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
