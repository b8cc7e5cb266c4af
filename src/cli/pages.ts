import type { RequestListener, ServerResponse } from "node:http";
import { AppError, isAppError, isBusy } from "@/core/errors";
import { CLIENT_ADDRESS_HEADER } from "@/core/http/client-address";
import { CLIENT_GONE, createErrorPage } from "@/core/http/reply";
import { REQUEST_ID_HEADER, resolveRequestId } from "@/core/http/request-id";
import type { Log } from "@/core/log/log";
import { SECOND } from "@/core/time";
import { DATABASE_RETRY_SECONDS } from "@/db/client";
import { sanitizePath } from "@/features/usage/request-log.rules";
import { getAppContext } from "@/server/context";
import { readForm } from "./forms";
import { ServiceResponse, sendReply } from "./http";

/** Pages whose forms post to themselves. */
const FORMS = /^\/(demo|request-key|key\/[\w-]+)$/;
const FILES = /^\/(_next\/|[\w.-]+\.(svg|js|tgz)$)/;

type NextHandler = (...call: Parameters<RequestListener>) => Promise<void>;

/** What is logged of a page. */
interface View {
  requestId: string;
  method: string;
  path: string;
  isBusy?: boolean;
}

/** Serves pages and files with Next. Each request gets an id; pages also get a line in the log and count in the metrics. */
export function servePages(next: NextHandler, log: Log, isDev: boolean): RequestListener {
  return async (request, response) => {
    const { method = "", headers, url = "" } = request;
    const requestId = resolveRequestId([headers[REQUEST_ID_HEADER]].flat()[0]);
    headers[REQUEST_ID_HEADER] = requestId;
    response.setHeader("X-Request-Id", requestId);
    const [path = ""] = url.split("?", 1);
    const isFile = FILES.test(path);
    const isForm = method === "POST" && FORMS.test(path);
    const view: View = { requestId, method, path };
    const ctx = getAppContext();
    if (!isFile) recordPage(response, view, log);
    if (response instanceof ServiceResponse) explainFailures(response, requestId, isForm);
    try {
      // Next's development tools post.
      if (!isDev && !isForm && method !== "GET" && method !== "HEAD")
        throw new AppError("method_not_allowed", "Method not allowed. Use GET.", { headers: { Allow: "GET, HEAD" } });
      const whole = isForm ? await readForm(request, ctx.env.appUrl) : request;
      const address = String(headers[CLIENT_ADDRESS_HEADER]);
      const isWanted = () => !request.socket.destroyed;
      await ctx.limits.run(isFile ? "file" : "page", address, isWanted, () => next(whole, response));
    } catch (error) {
      view.isBusy = isBusy(error);
      sendFailure(response, error, view, log);
    }
  };
}

/** Logs and counts a page once it was answered or its client has gone. */
function recordPage(response: ServerResponse, view: View, log: Log): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const { isBusy: isRefused, path, ...known } = view;
    const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
    const seconds = (performance.now() - startedAt) / SECOND;
    getAppContext().metrics.recordRequest({ route: "pages", method: view.method, status, seconds });
    if (!isRefused) log.info({ ...known, path: sanitizePath(path), status }, "page");
  });
}

/** Finds the status of a page for which Next would answer 500. */
function explainFailures(response: ServiceResponse, requestId: string, isForm: boolean): void {
  const { unavailablePages, readForms } = getAppContext();
  response.explain = () => {
    if (unavailablePages.has(requestId)) return { status: 503, retryAfter: DATABASE_RETRY_SECONDS };
    return isForm && !readForms.has(requestId) ? { status: 400 } : undefined;
  };
  response.once("close", () => {
    unavailablePages.delete(requestId);
    readForms.delete(requestId);
  });
}

/** Answers a page that was refused. Where Next itself failed, the connection ends. */
function sendFailure(response: ServerResponse, error: unknown, { requestId }: View, log: Log): void {
  if (response.headersSent || !isAppError(error)) {
    log.error({ err: error, requestId }, "a page failed");
    return void response.destroy();
  }
  const { status, message, headers, retryAfter } = error;
  const wait = retryAfter && { "Retry-After": String(retryAfter) };
  sendReply(response, createErrorPage(status, message, { "X-Request-Id": requestId, ...headers, ...wait }));
}
