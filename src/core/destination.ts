import { isOfKind, KINDS } from "@/core/errors";

interface Refusal {
  /** Sending the same again will never be taken. */
  final?: boolean;
  /** Seconds after which it may be taken. */
  retryAfter?: number;
  /** What the operator must do; a sentence of its own. */
  advice?: string;
}

/** Somebody else's service did not take what was sent. Its message is for logs and operators and holds no secret. */
export class DestinationError extends Error {
  readonly [KINDS] = ["DestinationError"];
  readonly final: boolean;
  readonly retryAfter: number | null;
  readonly advice: string | null;

  constructor(message: string, { final = false, retryAfter, advice }: Refusal = {}) {
    super(message);
    this.name = "DestinationError";
    this.final = final;
    this.retryAfter = retryAfter ?? null;
    this.advice = advice ?? null;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, "DestinationError");
  }
}

const LONGEST_WAIT = 24 * 60 * 60;

/** Whole seconds, 1 to a day, that a header or field asks to wait; undefined when it asks for nothing sensible. */
export function secondsOf(asked: string | number | null | undefined): number | undefined {
  const seconds = typeof asked === "string" && asked.trim() === "" ? Number.NaN : Number(asked ?? Number.NaN);
  return seconds >= 0 ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT) : undefined;
}
