/** Every failure the product expects, and the HTTP status a REST client sees for it. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  quota_exceeded: 429,
  too_many_attempts: 429,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What a client reads for every cause of a 401. */
export const INVALID_API_KEY = "Invalid API key";

/** What a client reads of a failure that nobody expected. */
export const UNEXPECTED_FAILURE = "The service failed to answer; please report the X-Request-Id";

/** What a client reads while the database cannot answer. */
export const SERVICE_UNAVAILABLE = "The service cannot answer right now; please try again";

/** What a client reads when more requests are in flight than the service takes. */
export const SERVICE_BUSY = "The service is busy. Try again.";

/** One thing wrong with the input: the field it concerns and what would be accepted. */
export interface FieldIssue {
  field: string;
  message: string;
}

interface AppErrorDetails {
  issues?: FieldIssue[];
  /** Seconds after which a retry may succeed; becomes Retry-After. */
  retryAfter?: number;
  /** Further members of the error's body. */
  members?: Record<string, string | number>;
  /** Further headers of the answer. */
  headers?: Record<string, string>;
  /** Whether nothing is wrong with the service, whatever the status: a limit of it was reached. */
  isRoutine?: boolean;
  cause?: unknown;
}

/** An expected failure. Its message is written for the client and never holds internals or secrets. */
export class AppError extends Error {
  readonly issues?: FieldIssue[];
  readonly retryAfter?: number;
  readonly members?: Record<string, string | number>;
  readonly headers?: Record<string, string>;
  readonly isRoutine?: boolean;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { cause, ...details }: AppErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = "AppError";
    Object.assign(this, details);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Whether it is an AppError. Judged by its shape: each bundle has its own copy of the class. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && "code" in value && Object.hasOwn(ERROR_STATUS, String(value.code));
}

/** Whether an error says by its name that it is of a class, which each bundle has its own copy of. */
export function isNamed(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name;
}

/** A mistake in how the service was set up or called by its operator: printed as one line, without a stack. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** Whether it is an OperatorError, of whatever bundle. */
export function isOperatorError(value: unknown): value is OperatorError {
  return isNamed(value, "OperatorError");
}

const LONGEST_MESSAGE = 500;

/**
 * The text of anything that was thrown, for logs and operators, never for clients. A failed query is told by its
 * cause: its own message would repeat the parameters, addresses and whole mails among them.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return withoutNul(String(error)).slice(0, LONGEST_MESSAGE);
  if ("query" in error && error.cause) return errorMessage(error.cause);
  // Of a host with several addresses Node tells nothing but what each led to.
  if (error instanceof AggregateError && error.message === "") return errorMessage(error.errors[0]);
  return withoutNul(error.message).slice(0, LONGEST_MESSAGE);
}

/** Where an error was thrown, without its message, which may repeat parameters. */
export function framesOf({ stack = "" }: Error): string {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}

/** A text as PostgreSQL can store it. */
export function withoutNul(text: string): string {
  return text.replaceAll("\u0000", "");
}

/** Whether something cannot be had right now, and may be tried again. */
export function isUnavailable(error: unknown): error is AppError {
  return isAppError(error) && error.code === "unavailable";
}

/** Whether a key or a session was found not to stand. */
export function isUnauthorized(error: unknown): boolean {
  return isAppError(error) && error.code === "unauthorized";
}
