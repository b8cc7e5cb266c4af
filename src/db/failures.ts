import { AppError, INVALID_API_KEY, isAppError, SERVICE_UNAVAILABLE } from "@/core/errors";
import { isDatabaseUnavailable, isMissingKey, isMissingReference } from "./client";

export const DATABASE_RETRY_SECONDS = 5;

/** What a client may read of an error; null when it is unexpected. */
export function toClientError(error: unknown): AppError | null {
  if (isAppError(error)) return error;
  // The key was deleted after it was admitted.
  if (isMissingKey(error)) return new AppError("unauthorized", INVALID_API_KEY);
  // The next try finds the deleted row missing.
  if (isDatabaseUnavailable(error) || isMissingReference(error))
    return new AppError("unavailable", SERVICE_UNAVAILABLE, { retryAfter: DATABASE_RETRY_SECONDS });
  return null;
}
