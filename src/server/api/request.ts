import { isBusy, UNEXPECTED_FAILURE } from "@/core/errors";
import { createErrorReply, type Reply } from "@/core/http/reply";
import { REQUEST_ID_HEADER, resolveRequestId } from "@/core/http/request-id";
import { SECOND } from "@/core/time";
import { toClientError } from "@/db/client";
import type { KeyId } from "@/features/keys/schema";
import type { RateState } from "@/features/usage/quota.service";
import { sanitizePath } from "@/features/usage/request-log.rules";
import type { AppContext } from "@/server/context";
import { getApiHeaders } from "@/server/protection";
import { isPublicCode } from "./failures";
import type { ReadBody } from "./input";

/** One request, and what is known for its answer so far. */
export interface RequestContext {
  ctx: AppContext;
  request: Request;
  requestId: string;
  route: string;
  url: URL;
  body: ReadBody;
  /** The part of the query that is logged; empty until the endpoint is known. */
  query: string;
  at: Date;
  startedAt: number;
  /** Headers of the answer. An error keeps those set before it. */
  headers: Record<string, string>;
  keyId?: KeyId;
  /** The status for the logs where the answer's own says less: MCP answers a failed tool call with 200. */
  outcome?: number;
  /** Whether too many requests were under way. Such requests share one log line per second. */
  isBusy?: boolean;
}

export function openRequest(ctx: AppContext, route: string, request: Request): RequestContext {
  const requestId = resolveRequestId(request.headers.get(REQUEST_ID_HEADER));
  return {
    ctx,
    request,
    requestId,
    route,
    url: new URL(request.url),
    body: () => "",
    query: "",
    at: ctx.clock.now(),
    startedAt: performance.now(),
    headers: { "X-Request-Id": requestId, "Cache-Control": "private, no-store", ...getApiHeaders(ctx.env.appUrl) },
  };
}

export function buildRateHeaders(state: Omit<RateState, "granted">): Record<string, string> {
  const { tier, limit, used, secondsLeft } = state;
  const remaining = Math.max(0, limit - used);
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Tier": tier,
    "RateLimit-Policy": `"daily";q=${limit};w=86400`,
    RateLimit: `"daily";r=${remaining};t=${secondsLeft}`,
  };
}

/** Names the header that takes the key. The scheme is our own: no registered one uses such a header. */
const CHALLENGE = 'ApiKey header="X-API-Key"';

const RATE_HEADERS = Object.keys(buildRateHeaders({ tier: "free", limit: 0, used: 0, secondsLeft: 0 }));

/** A success: the body says so first. */
export function renderBody({ headers }: RequestContext, body: object): Reply {
  headers["Content-Type"] = "application/json; charset=utf-8";
  return { status: 200, headers, body: JSON.stringify({ status: "ok", ...body }) };
}

export function renderError(context: RequestContext, error: unknown): Reply {
  const { headers, ctx } = context;
  const failure = toClientError(error);
  const code = failure?.code ?? "internal";
  const isPublic = isPublicCode(code);
  headers.Link = `<${ctx.env.appUrl}/docs/errors#${isPublic ? code : failure?.status}>; rel="help"`;
  context.isBusy = isBusy(error);
  if (!failure || (failure.status >= 500 && !context.isBusy)) logFailure(context, error);
  if (!failure) return createErrorReply(500, { error: UNEXPECTED_FAILURE, code }, headers);
  // The answer is the same whether a key was just deleted or never existed.
  if (failure.code === "unauthorized") {
    for (const name of RATE_HEADERS) delete headers[name];
    headers["WWW-Authenticate"] ??= CHALLENGE;
  }
  const { status, message, issues, members, retryAfter } = failure;
  return createErrorReply(
    status,
    { error: message, ...(isPublic && { code }), ...(issues && { issues }), ...members },
    { ...headers, ...failure.headers, ...(retryAfter && { "Retry-After": String(retryAfter) }) },
  );
}

/** Writes a request to the log, the metrics and the request log of its key. */
export function logRequest(context: RequestContext, status: number): void {
  const { ctx, request, requestId, route: endpoint, url, query, at, startedAt, keyId, isBusy } = context;
  const { method } = request;
  const path = url.pathname;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  ctx.metrics.recordRequest({ route: endpoint, method, status, seconds: ms / SECOND });
  if (!isBusy) ctx.log.info({ requestId, method, path: sanitizePath(path), status, ms, keyId }, "request");
  if (keyId) ctx.requests.record({ keyId, at, requestId, method, endpoint, path, query, status, milliseconds: ms });
}

export function logFailure({ ctx, requestId, url }: RequestContext, error: unknown): void {
  ctx.log.error({ err: error, requestId, path: sanitizePath(url.pathname) }, "request failed");
}
