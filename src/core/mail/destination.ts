import { isNamed } from "@/core/errors";

/** A failed email or post. The message is for operators and contains no secret. */
export class DestinationError extends Error {
  override readonly name = "DestinationError";
  /** It may have been accepted: no answer, or an ambiguous one. */
  readonly isOutcomeUnknown: boolean = false;
  readonly final: boolean = false;
  readonly retryAfter?: number;
  readonly advice?: string;

  constructor(message: string, details: Details = {}) {
    super(message);
    Object.assign(this, details);
  }
}

type Details = Partial<Pick<DestinationError, "isOutcomeUnknown" | "final" | "retryAfter" | "advice">>;

export function isDestinationError(value: unknown): value is DestinationError {
  return isNamed(value, "DestinationError");
}

/** Whether nothing was accepted. After any other error the outcome is unknown. */
export function isRefusal(error: unknown): error is DestinationError {
  return isDestinationError(error) && !error.isOutcomeUnknown;
}
