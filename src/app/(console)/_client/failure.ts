import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "@/server/console/router";

/** A failed call as the console shows it. */
export interface Failure {
  /** tRPC's error code; null without an answer. */
  code: string | null;
  message: string;
  requestId: string | null;
  issues: readonly { field: string; message: string }[];
  /** Whether a retry may succeed. */
  mayPass: boolean;
}

const NO_ANSWER: Failure = {
  code: null,
  message: "The service cannot be reached. Check your connection and try again.",
  requestId: null,
  issues: [],
  mayPass: true,
};

/** Reads the error of any call. */
export function toFailure(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return NO_ANSWER;
  const { data, message }: TRPCClientError<AppRouter> = error;
  if (!data) return NO_ANSWER;
  const { code, requestId, issues, httpStatus } = data;
  return { code, message, requestId, issues, mayPass: httpStatus >= 500 };
}

/** The error of one form field, or undefined. */
export function getFieldError(error: unknown, field: string): string | undefined {
  if (!error) return undefined;
  return toFailure(error).issues.find((issue) => issue.field === field)?.message;
}
