import { IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { z } from "zod";
import { AppError, isAppError, isBusy } from "@/core/errors";
import { CLIENT_ADDRESS_HEADER } from "@/core/http/client-address";
import { CLIENT_GONE, createErrorPage } from "@/core/http/reply";
import { REQUEST_ID_HEADER, resolveRequestId } from "@/core/http/request-id";
import { isSameOrigin } from "@/core/http/same-origin";
import type { Log } from "@/core/log/log";
import { SECOND } from "@/core/time";
import { DATABASE_RETRY_SECONDS } from "@/db/client";
import { sanitizePath } from "@/features/usage/request-log.rules";
import { MAX_BODY_BYTES, readBody } from "@/server/api/input";
import { getAppContext } from "@/server/context";
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

const Arguments = z.array(z.unknown());

/**
 * Reads a form before Next does, which answers 500 to a form that it cannot read.
 * @returns the request with its whole body
 * @throws AppError for a form of another site, one that is too large, or one that cannot be read
 */
async function readForm(request: IncomingMessage, appUrl: string): Promise<IncomingMessage> {
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  if (!isSameOrigin(headers, appUrl)) throw new AppError("forbidden", "This form works on pages of this site only");
  const body = await readBody(request.iterator({ destroyOnReturn: false }), MAX_BODY_BYTES);
  await requireReadable(headers, body.bytes());
  return createRequest(request, body.bytes());
}

/** A form arrives as form data. A server action has its arguments in the field 0, or is JSON when it has no fields. */
async function requireReadable(headers: Headers, body: Buffer): Promise<void> {
  const type = headers.get("content-type") ?? "";
  const isAction = headers.has("next-action");
  try {
    const isFormData = /^multipart\/form-data;/i.test(type);
    const init = { headers: { "Content-Type": type } };
    const form = isFormData ? await new Response(new Uint8Array(body), init).formData() : null;
    if (isAction || !form) Arguments.parse(JSON.parse(form ? String(form.get("0")) : body.toString()));
  } catch {
    throw new AppError("invalid_request", "The form could not be read. Reload the page and try again.");
  }
}

/**
 * The same request with a body that was read. Next would send another page's action on to that page, and the two requests
 * could wait for each other's turn; of a request that was sent on, it refuses the action.
 */
function createRequest({ socket, method, url, headers, rawHeaders }: IncomingMessage, body: Buffer): IncomingMessage {
  if (headers["next-action"]) headers["x-action-forwarded"] = "1";
  const request = Object.assign(new IncomingMessage(socket), { method, url, headers, rawHeaders, complete: true });
  request.push(body);
  request.push(null);
  return request;
}
