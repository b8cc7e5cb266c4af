import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { AppError } from "@/core/errors";
import { clientFailure } from "@/core/http/failure";
import type { AppContext } from "./context";
import { type Exchange, logFailure } from "./exchange";
import type { ReadBody } from "./input";
import { appRouter } from "./router";
import { isSameOrigin } from "./same-origin";
import { clientAddressOf, sessionDoor } from "./session";

const SIGN_IN = "sessions.signIn";
/** Fewer than the calls that the database serves at once. */
const MAX_BATCH = 8;

/**
 * Answers the console's calls.
 * @throws AppError for what does not come from the console: changes asked for by other sites, bodies that are not
 * JSON or too large
 */
export async function serveProcedures(
  ctx: AppContext,
  request: Request,
  exchange: Exchange,
  text: ReadBody,
): Promise<Response> {
  const called = proceduresOf(new URL(request.url).pathname);
  if (!called) throw new AppError("not_found", "There is no such procedure");
  if (called.filter((name) => name === SIGN_IN).length > 1)
    throw new AppError("invalid_request", "One request signs in once");
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    router: appRouter,
    req: request.method === "POST" ? admitChange(ctx, request, text) : withoutStreaming(request),
    maxBatchSize: MAX_BATCH,
    createContext: ({ resHeaders }) => ({
      ...ctx,
      session: sessionDoor(ctx, request, resHeaders),
      clientAddress: clientAddressOf(ctx, request),
      requestId: exchange.requestId,
    }),
    responseMeta({ errors }) {
      const waits = errors.map(({ cause }) => clientFailure(cause)?.retryAfter ?? 0);
      const longest = Math.max(0, ...waits);
      return longest > 0 ? { headers: { "Retry-After": String(longest) } } : {};
    },
    onError({ error }) {
      const failure = clientFailure(error.cause);
      if (failure?.code === "quota_exceeded") ctx.metrics.refused(String(failure.members?.tier));
      const unexpected = failure
        ? failure.status >= 500 && !failure.isRoutine
        : error.code === "INTERNAL_SERVER_ERROR";
      if (unexpected) logFailure(exchange, error.cause ?? error);
    },
  });
}

/** The procedures that a path calls; null for one that is not well-formed. */
function proceduresOf(path: string): string[] | null {
  try {
    return withoutOuterSlashes(decodeURIComponent(path).replace("/api/trpc/", "")).split(",");
  } catch {
    return null;
  }
}

/** In linear time, which a pattern for the end would not take. */
function withoutOuterSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start += 1;
  while (end > start && path[end - 1] === "/") end -= 1;
  return path.slice(start, end);
}

/** The request without what asks for an answer piece by piece, which would begin before its procedures are done. */
function withoutStreaming({ url, method, headers }: Request, body?: string): Request {
  const plain = new Headers(headers);
  plain.delete("trpc-accept");
  plain.set("accept", "application/json");
  return new Request(url, { method, headers: plain, body });
}

function admitChange({ env }: AppContext, request: Request, text: ReadBody): Request {
  if (!isSameOrigin(request.headers, env.appUrl))
    throw new AppError("forbidden", "Changes are accepted from the service's own pages only");
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new AppError("unsupported_media_type", "The Content-Type header must be application/json");
  return withoutStreaming(request, text());
}
