import { UNEXPECTED_FAILURE } from "@/core/errors";
import { clientFailure } from "@/core/http/failure";
import { REQUEST_ID_HEADER, requestIdOf } from "@/core/http/request-id";
import type { RateState } from "@/core/quota/quota";
import { SECOND } from "@/core/time";
import { keptPath } from "@/features/keys/requests.rules";
import type { KeyId } from "@/features/keys/schema";
import type { AppContext } from "./context";
import { apiProtection } from "./protection";

/** One request on its way to its answer. */
export interface Exchange {
  ctx: AppContext;
  requestId: string;
  method: string;
  /** The path as the API lists it. */
  route: string;
  url: URL;
  /** What of its query may be kept; empty until the endpoint is known. */
  query: string;
  at: Date;
  startedAt: number;
  /** Headers of the answer, gathered step by step; an error keeps those set before it. */
  headers: Record<string, string>;
  keyId?: KeyId;
}

/** Begins an exchange. A caller's own request id is taken over when it is a plain one. */
export function openExchange(ctx: AppContext, route: string, request: Request): Exchange {
  const requestId = requestIdOf(request.headers.get(REQUEST_ID_HEADER));
  return {
    ctx,
    requestId,
    method: request.method,
    route,
    url: new URL(request.url),
    query: "",
    at: ctx.clock.now(),
    startedAt: performance.now(),
    headers: {
      "X-Request-Id": requestId,
      "Cache-Control": "private, no-store",
      ...apiProtection(ctx.env.appUrl),
    },
  };
}

/** What every answer to a valid key says of its quota, in the customary and in the standard fields. */
export function rateHeaders({
  tier,
  limit,
  used,
  secondsLeft,
}: Omit<RateState, "granted">): Record<string, string> {
  const remaining = Math.max(0, limit - used);
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Tier": tier,
    "RateLimit-Policy": `"daily";q=${limit};w=86400`,
    RateLimit: `"daily";r=${remaining};t=${secondsLeft}`,
  };
}

const RATE_HEADERS = Object.keys(rateHeaders({ tier: "free", limit: 0, used: 0, secondsLeft: 0 }));

/** The answer as JSON; HEAD is told everything but the body. */
export function renderBody({ method, headers }: Exchange, status: number, body: object): Response {
  headers["Content-Type"] = "application/json; charset=utf-8";
  return new Response(method === "HEAD" ? null : JSON.stringify(body), { status, headers });
}

/** The answer to a failure: what the client needs to know, and nothing of the inside. */
export function renderError(exchange: Exchange, error: unknown): Response {
  const failure = clientFailure(error);
  if (!failure || (failure.status >= 500 && !failure.isRoutine)) logFailure(exchange, error);
  if (!failure) return renderBody(exchange, 500, { error: UNEXPECTED_FAILURE });
  // A key that was deleted on the way is told no more than an unknown one.
  if (failure.code === "unauthorized") for (const name of RATE_HEADERS) delete exchange.headers[name];
  Object.assign(exchange.headers, failure.headers);
  if (failure.retryAfter) exchange.headers["Retry-After"] = String(failure.retryAfter);
  const { message, issues, members } = failure;
  return renderBody(exchange, failure.status, { error: message, ...(issues && { issues }), ...members });
}

/**
 * One line per request and its metrics for the operator, and an entry for the key's owner. A key that was put into the path by mistake
 * reaches neither.
 */
export function logExchange(
  { ctx, requestId, method, route, url, query, at, startedAt, keyId }: Exchange,
  status: number,
): void {
  const path = url.pathname;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  ctx.metrics.answered({ route, method, status, seconds: ms / SECOND });
  ctx.log.info({ requestId, method, path: keptPath(path), status, ms, keyId }, "request");
  if (keyId) ctx.requests.record({ keyId, at, requestId, method, path, query, status, milliseconds: ms });
}

/** A failure that is ours, with its stack. */
export function logFailure({ ctx, requestId, url }: Exchange, error: unknown): void {
  ctx.log.error({ err: error, requestId, path: keptPath(url.pathname) }, "request failed");
}
