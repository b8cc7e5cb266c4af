import type { IncomingMessage } from "node:http";
import { REQUEST_ID_HEADER } from "@/core/http/request-id";
import { isDatabaseUnavailable } from "@/db/client";
import { sanitizePath } from "@/features/usage/request-log.rules";
import { getAppContext } from "../context";

/** Logs why a page failed. A form that Next could not read is the client's fault. */
export function logPageFailure(
  error: unknown,
  { path, method, headers }: Pick<IncomingMessage, "headers"> & { path: string; method: string },
): void {
  const [page = ""] = path.split("?");
  const requestId = headers[REQUEST_ID_HEADER]?.toString();
  const { log, unavailablePages, readForms } = getAppContext();
  if (requestId && isDatabaseUnavailable(error)) unavailablePages.add(requestId);
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  const isUnread = method === "POST" && requestId && !readForms.has(requestId);
  const level = isUnread ? "info" : "error";
  log[level]({ err: error, requestId, digest, path: sanitizePath(page) }, "page failed");
}
