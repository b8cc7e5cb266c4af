import type { CoreContext } from "@/core/context";
import { errorMessage, isAppError, isNamed } from "@/core/errors";
import { HOUR, MINUTE, SECOND } from "@/core/time";

interface Refusal {
  /** It may have been taken all the same: there was no answer, or one that does not tell. */
  inDoubt?: boolean;
  /** Sending the same again will never be taken. */
  final?: boolean;
  /** Seconds after which it may be taken. */
  retryAfter?: number;
  /** What the operator must do; a sentence of its own. */
  advice?: string;
  cause?: unknown;
}

/**
 * Somebody else's service did not take what was sent, for certain unless it is in doubt. Its message is for logs and
 * operators and holds no secret.
 */
export class DestinationError extends Error {
  readonly inDoubt: boolean;
  readonly final: boolean;
  readonly retryAfter: number | null;
  readonly advice: string | null;

  constructor(message: string, { inDoubt = false, final = false, retryAfter, advice, cause }: Refusal = {}) {
    super(message, { cause });
    this.name = "DestinationError";
    this.inDoubt = inDoubt;
    this.final = final;
    this.retryAfter = retryAfter ?? null;
    this.advice = advice ?? null;
  }
}

/** Whether it is a DestinationError, of whatever bundle. */
export function isDestinationError(value: unknown): value is DestinationError {
  return isNamed(value, "DestinationError");
}

/** Whether something that failed was certainly not taken. Of whatever else was thrown it is not known. */
export function isRefusal(error: unknown): error is DestinationError {
  return isDestinationError(error) && !error.inDoubt;
}

/**
 * What leads up to handing something over: whatever fails there leaves nothing in doubt.
 * @throws AppError as it comes, DestinationError in place of anything else
 */
export async function beforehand<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error) || isDestinationError(error)) throw error;
    throw new DestinationError(errorMessage(error), { cause: error });
  }
}

/** Milliseconds that a try takes at most, from its beginning to its answer. */
export const TRY_LIMIT = MINUTE;

const HALTED = "the try was halted, or took too long, before anything was handed over";

/** Milliseconds after which what was looked at may be otherwise. */
const FRESH = 10 * SECOND;

/**
 * To be asked right before something is handed over: a process that was halted meanwhile, or waited for a connection, may
 * not know that another has taken over, what was ended since, nor which day it is.
 * @param begunAt when the try was begun
 * @param lookedAt when it began to look whether it is wanted, where it has to be
 * @throws DestinationError where either is too long ago
 */
export function requireTimely({ clock }: Pick<CoreContext, "clock">, begunAt: Date, lookedAt?: Date): void {
  const now = clock.now().getTime();
  const isStale = lookedAt !== undefined && now - lookedAt.getTime() > FRESH;
  if (isStale || now - begunAt.getTime() > TRY_LIMIT) throw new DestinationError(HALTED);
}

const LONGEST_WAIT = 24 * 60 * 60;
/** What may have been taken is not left alone for longer: it is tried for a day only. */
const LONGEST_DOUBTFUL_WAIT = HOUR / SECOND;

/** Whole seconds, 1 to a day, that a header or field asks to wait; undefined when it asks for nothing sensible. */
export function secondsOf(asked: string | number | null | undefined): number | undefined {
  const seconds = typeof asked === "string" && asked.trim() === "" ? Number.NaN : Number(asked ?? Number.NaN);
  return seconds >= 0 ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT) : undefined;
}

/** The same for something that may have been taken: an hour at most. */
export function doubtfulSecondsOf(asked: string | number | null | undefined): number | undefined {
  const seconds = secondsOf(asked);
  return seconds && Math.min(seconds, LONGEST_DOUBTFUL_WAIT);
}
