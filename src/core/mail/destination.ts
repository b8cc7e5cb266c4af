import { isNamed } from "@/core/errors";

/** A mail or post was not accepted. Unless `inDoubt`, that is certain. The message is for operators and holds no secret. */
export class DestinationError extends Error {
  override readonly name = "DestinationError";
  /** It may have been accepted: there was no answer, or one that does not say. */
  readonly inDoubt: boolean = false;
  readonly final: boolean = false;
  readonly retryAfter?: number;
  readonly advice?: string;

  constructor(message: string, details: Details = {}) {
    super(message);
    Object.assign(this, details);
  }
}

type Details = Partial<Pick<DestinationError, "inDoubt" | "final" | "retryAfter" | "advice">>;

export function isDestinationError(value: unknown): value is DestinationError {
  return isNamed(value, "DestinationError");
}

/** Whether nothing was accepted. After any other error the outcome is unknown. */
export function isRefusal(error: unknown): error is DestinationError {
  return isDestinationError(error) && !error.inDoubt;
}
