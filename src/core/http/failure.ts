import { isDatabaseUnavailable, isMissingKey, isMissingReference } from "@/core/db/client";
import { AppError, INVALID_API_KEY, isAppError, SERVICE_UNAVAILABLE } from "@/core/errors";

/** When a client may try again what met a database that was away. */
export const DATABASE_RETRY_SECONDS = 5;

/** What a client may be told of anything that was thrown; null for what nobody expected. */
export function clientFailure(error: unknown): AppError | null {
  if (isAppError(error)) return error;
  // The key was deleted after it had been let in.
  if (isMissingKey(error)) return new AppError("unauthorized", INVALID_API_KEY);
  // What was deleted on the way is met as deleted by another try.
  if (isDatabaseUnavailable(error) || isMissingReference(error))
    return new AppError("unavailable", SERVICE_UNAVAILABLE, {
      retryAfter: DATABASE_RETRY_SECONDS,
    });
  return null;
}
