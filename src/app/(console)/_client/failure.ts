import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "@/server/router";

/** What the console knows of a failed call. */
export interface Failure {
  /** tRPC's code; null when no answer came at all. */
  code: string | null;
  message: string;
  requestId: string | null;
  issues: readonly { field: string; message: string }[];
  /** Whether the same call may succeed when it is made again. */
  mayPass: boolean;
}

const NO_ANSWER: Failure = {
  code: null,
  message: "The service cannot be reached. Please check your connection and try again.",
  requestId: null,
  issues: [],
  mayPass: true,
};

/** Reads a failure of any call. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof TRPCClientError)) return NO_ANSWER;
  const { data, message }: TRPCClientError<AppRouter> = error;
  if (!data) return NO_ANSWER;
  const { code, requestId, issues, httpStatus } = data;
  return { code, message, requestId, issues, mayPass: httpStatus >= 500 };
}

/** What is wrong with one field of a form, to be shown at it; undefined when nothing is. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!error) return undefined;
  return failureOf(error).issues.find((issue) => issue.field === field)?.message;
}
