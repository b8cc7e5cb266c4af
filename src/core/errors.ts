export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_body: 400,
  invalid_http: 400,
  not_a_channel: 400,
  guess: 400,
  lookups_used_up: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_tracked: 404,
  cursor_not_found: 404,
  list_not_found: 404,
  path_not_found: 404,
  method_not_allowed: 405,
  cursor_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  quota_exceeded: 429,
  too_many_attempts: 429,
  sandbox_limit: 429,
  unavailable: 503,
  busy: 503,
  sandbox_busy: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const INVALID_API_KEY = "Invalid API key";
export const UNEXPECTED_FAILURE = "Something went wrong. Report the X-Request-Id to the operator.";
export const SERVICE_UNAVAILABLE = "The service is unavailable. Try again.";
export const SERVICE_BUSY = "The service is busy. Try again.";

export interface FieldIssue {
  field: string;
  message: string;
}

/** An expected error. Clients read its message, so it holds no internals or secrets. */
export class AppError extends Error {
  readonly issues?: FieldIssue[];
  readonly retryAfter?: number;
  readonly members?: Record<string, string | number | boolean>;
  readonly headers?: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { cause, ...details }: Details = {},
  ) {
    super(message, { cause });
    this.name = "AppError";
    Object.assign(this, details);
  }

  get status(): (typeof ERROR_STATUS)[ErrorCode] {
    return ERROR_STATUS[this.code];
  }
}

const MAX_REPEATED = 100;

/** One problem in a sentence, with the value that was given, unless it is long, compound or may be a key. */
export function describeIssue({ field, message, given }: FieldIssue & { given: unknown }): string {
  if (!/^(must|is|cannot|works) /.test(message)) return message;
  if (given === undefined && message.startsWith("must ")) return `${field} is required`;
  const text = typeof given === "string" && /^-?\d+$/.test(given) ? given : (JSON.stringify(given) ?? "");
  const isShown = message.startsWith("must ") && !/^[[{]|cg_/.test(text) && text.length <= MAX_REPEATED;
  return isShown ? `${field} is ${text}; it ${message}` : `${field} ${message}`;
}

/** The error for one invalid parameter or field. @param message what it must be @param given its value, to be repeated */
export function createFieldError(field: string, message: string, given?: string): AppError {
  const sentence = given === undefined ? `${field} ${message}` : describeIssue({ field, message, given });
  return new AppError("invalid_request", sentence, { issues: [{ field, message }] });
}

type Details = Pick<AppError, "issues" | "retryAfter" | "members" | "headers" | "cause">;

/** Whether it is an AppError. Checked by shape because each bundle has its own copy of the class. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && "code" in value && Object.hasOwn(ERROR_STATUS, String(value.code));
}

export function isUnauthorized(error: unknown): boolean {
  return isAppError(error) && error.code === "unauthorized";
}

/** Whether a request was refused because too many were under way. */
export function isBusy(error: unknown): boolean {
  return isAppError(error) && error.code === "busy";
}

export function isNamed(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name;
}

/** An operator's mistake in settings or arguments, printed as one line without a stack. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

export function isOperatorError(value: unknown): value is OperatorError {
  return isNamed(value, "OperatorError");
}

/** The text of any thrown value, for logs and operators, never for clients. */
export function getErrorMessage(error: unknown): string {
  // The message of a failed query repeats its parameters.
  if (error instanceof Error && "query" in error && error.cause) return getErrorMessage(error.cause);
  // Node reports a host with several addresses as one error per address, without a message.
  if (error instanceof AggregateError && error.message === "") return getErrorMessage(error.errors[0]);
  return withoutNul(error instanceof Error ? error.message : String(error)).slice(0, 500);
}

/** The stack without the message, which may repeat parameters. */
export function getStackFrames({ stack = "" }: Error): string {
  return (stack.match(/^[ \t]+at .*$/gm) ?? []).join("\n");
}

/** Removes NUL, which PostgreSQL cannot store. */
export function withoutNul(text: string): string {
  return text.replaceAll("\u0000", "");
}
