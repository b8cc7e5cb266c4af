import { isOfKind, KINDS } from "@/core/errors";

interface Refusal {
  /** It may have been taken all the same: there was no answer, or one that does not tell. */
  inDoubt?: boolean;
  /** Sending the same again will never be taken. */
  final?: boolean;
  /** Seconds after which it may be taken. */
  retryAfter?: number;
  /** What the operator must do; a sentence of its own. */
  advice?: string;
}

/**
 * Somebody else's service did not take what was sent, for certain unless it is in doubt. Its message is for logs and
 * operators and holds no secret.
 */
export class DestinationError extends Error {
  readonly [KINDS] = ["DestinationError"];
  readonly inDoubt: boolean;
  readonly final: boolean;
  readonly retryAfter: number | null;
  readonly advice: string | null;

  constructor(message: string, { inDoubt = false, final = false, retryAfter, advice }: Refusal = {}) {
    super(message);
    this.name = "DestinationError";
    this.inDoubt = inDoubt;
    this.final = final;
    this.retryAfter = retryAfter ?? null;
    this.advice = advice ?? null;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, "DestinationError");
  }
}

/** Whether something that failed was certainly not taken. Of whatever else was thrown it is not known. */
export function isRefusal(error: unknown): error is DestinationError {
  return error instanceof DestinationError && !error.inDoubt;
}

const LONGEST_WAIT = 24 * 60 * 60;

/** Whole seconds, 1 to a day, that a header or field asks to wait; undefined when it asks for nothing sensible. */
export function secondsOf(asked: string | number | null | undefined): number | undefined {
  const seconds = typeof asked === "string" && asked.trim() === "" ? Number.NaN : Number(asked ?? Number.NaN);
  return seconds >= 0 ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT) : undefined;
}
