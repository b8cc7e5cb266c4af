import { UNEXPECTED_FAILURE } from "@/core/errors";
import { clientFailure } from "@/core/failure";
import type { RateState } from "@/core/quota";
import { REQUEST_ID_HEADER, requestIdOf } from "@/core/request-id";
import type { KeyId } from "@/features/keys/schema";
import { withoutKeys } from "@/features/requests/rules";
import type { AppContext } from "./context";

/** One request on its way to its answer. */
export interface Exchange {
  ctx: AppContext;
  requestId: string;
  method: string;
  path: string;
  /** What of its query may be kept; empty until the endpoint is known. */
  query: string;
  at: Date;
  startedAt: number;
  /** Headers of the answer, gathered step by step; an error keeps those set before it. */
  headers: Headers;
  keyId?: KeyId;
}

/** Begins an exchange. A caller's own request id is taken over when it is a plain one. */
export function openExchange(ctx: AppContext, request: Request): Exchange {
  const requestId = requestIdOf(request.headers.get(REQUEST_ID_HEADER));
  return {
    ctx,
    requestId,
    method: request.method,
    path: new URL(request.url).pathname,
    query: "",
    at: ctx.clock.now(),
    startedAt: performance.now(),
    headers: new Headers({ "X-Request-Id": requestId, "Cache-Control": "private, no-store" }),
  };
}

const RATE_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Tier",
  "RateLimit-Policy",
  "RateLimit",
];

/** Sets what every answer to a valid key says of its quota, in the customary and in the standard fields. */
export function setRateHeaders(headers: Headers, { tier, limit, used, secondsLeft }: RateState): void {
  const remaining = Math.max(0, limit - used);
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Tier", tier);
  headers.set("RateLimit-Policy", `"daily";q=${limit};w=86400`);
  headers.set("RateLimit", `"daily";r=${remaining};t=${secondsLeft}`);
}

/** The answer as JSON; HEAD is told everything but the body. */
export function renderBody({ method, headers }: Exchange, status: number, body: object): Response {
  headers.set("Content-Type", "application/json; charset=utf-8");
  return new Response(method === "HEAD" ? null : JSON.stringify(body), { status, headers });
}

/** The answer to a failure: what the client needs to know, and nothing of the inside. */
export function renderError(exchange: Exchange, error: unknown): Response {
  const failure = clientFailure(error);
  if (!failure || failure.status >= 500) logFailure(exchange, error);
  if (!failure) return renderBody(exchange, 500, { error: UNEXPECTED_FAILURE });
  for (const [name, value] of Object.entries(failure.headers ?? {})) exchange.headers.set(name, value);
  if (failure.code === "unauthorized") for (const name of RATE_HEADERS) exchange.headers.delete(name);
  if (failure.retryAfter) exchange.headers.set("Retry-After", String(failure.retryAfter));
  const { message, issues, members } = failure;
  return renderBody(exchange, failure.status, { error: message, ...(issues && { issues }), ...members });
}

/**
 * One line per request for the operator, and an entry for the key's owner. A key that was put into the path by mistake
 * reaches neither.
 */
export function logExchange(
  { ctx, requestId, method, path, query, at, startedAt, keyId }: Exchange,
  status: number,
): void {
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  ctx.log.info({ requestId, method, path: withoutKeys(path), status, ms, keyId }, "request");
  if (keyId) ctx.requests.record({ keyId, at, requestId, method, path, query, status, milliseconds: ms });
}

/** A failure that is ours, with its stack. */
export function logFailure({ ctx, requestId, path }: Exchange, error: unknown): void {
  ctx.log.error({ err: error, requestId, path: withoutKeys(path) }, "request failed");
}
