import type { RequestListener } from "node:http";
import { REQUEST_ID_HEADER, resolveRequestId } from "@/core/http/request-id";
import type { Log } from "@/core/log/log";
import { DATABASE_RETRY_SECONDS } from "@/db/failures";
import { sanitizePath } from "@/features/usage/request-log.rules";
import { getAppContext } from "@/server/context";
import { ServiceResponse, sendError } from "./http";

/** Pages whose forms post to themselves. */
const FORMS = /^\/(request-key|key\/[\w-]+)$/;

type NextHandler = (...call: Parameters<RequestListener>) => Promise<void>;

/** Serves pages with Next. Each request gets an id and a line in the log. */
export function servePages(next: NextHandler, log: Log, isDev: boolean): RequestListener {
  return (request, response) => {
    const { method = "", headers, url = "" } = request;
    const requestId = resolveRequestId([headers[REQUEST_ID_HEADER]].flat()[0]);
    headers[REQUEST_ID_HEADER] = requestId;
    response.setHeader("X-Request-Id", requestId);
    const [path = ""] = url.split("?", 1);
    if (!path.startsWith("/_next/"))
      response.once("finish", () =>
        log.info({ requestId, method, path: sanitizePath(path), status: response.statusCode }, "page"),
      );
    // Next's development tools post.
    const isPost = method === "POST" && FORMS.test(path);
    if (!isDev && method !== "GET" && method !== "HEAD" && !isPost) {
      response.setHeader("Allow", "GET, HEAD");
      return sendError(response, 405, "Method not allowed. Use GET.");
    }
    if (response instanceof ServiceResponse) answerUnavailable(response, requestId);
    next(request, response).catch((error) => {
      log.error({ err: error, requestId }, "a page failed");
      response.destroy();
    });
  };
}

/** Turns the 500 of a page that failed because the database is away into 503. */
function answerUnavailable(response: ServiceResponse, requestId: string): void {
  const { unavailablePages } = getAppContext();
  response.retryAfter = () => (unavailablePages.delete(requestId) ? DATABASE_RETRY_SECONDS : undefined);
  response.once("close", () => unavailablePages.delete(requestId));
}
