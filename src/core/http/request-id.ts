import { randomUUID } from "node:crypto";

export const REQUEST_ID_HEADER = "x-request-id";

const CALLER_REQUEST_ID = /^(?!.*cg_)[a-z0-9_-]{8,64}$/i;

/** The caller's own id when it is a plain one, else a new one. */
export function resolveRequestId(given: string | null | undefined): string {
  return given && CALLER_REQUEST_ID.test(given) ? given : `req_${randomUUID().replaceAll("-", "").slice(-24)}`;
}
