import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { AppError } from "@/core/errors";
import { getClientAddress } from "@/core/http/client-address";
import { isSameOrigin } from "@/core/http/same-origin";
import { toClientError } from "@/db/client";
import { requireJsonType } from "@/server/api/input";
import { logFailure, type RequestContext } from "@/server/api/request";
import { canCompareChannels } from "@/server/context";
import { appRouter } from "./router";
import { createRequestSession } from "./session";

const SIGN_IN = "sessions.signIn";
/** Less than the number of statements that the database serves at once. */
const MAX_BATCH = 8;

export async function serveProcedures(context: RequestContext): Promise<Response> {
  const { ctx, request, requestId } = context;
  if (getProcedureNames(context.url).split(SIGN_IN).length > 2)
    throw new AppError("invalid_request", "Sign in once per request");
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    router: appRouter,
    req: request.method === "POST" ? requireSameOrigin(context) : withoutStreaming(request),
    maxBatchSize: MAX_BATCH,
    createContext: ({ resHeaders }) => ({
      ...ctx,
      session: createRequestSession(ctx, request, resHeaders),
      clientAddress: getClientAddress(request, ctx.env.serverless),
      requestId,
      mayPublish: canCompareChannels(ctx),
    }),
    responseMeta({ errors }) {
      const retryAfter = Math.max(0, ...errors.map(({ cause }) => toClientError(cause)?.retryAfter ?? 0));
      return retryAfter > 0 ? { headers: { "Retry-After": String(retryAfter) } } : {};
    },
    onError({ error }) {
      const failure = toClientError(error.cause);
      if (failure?.code === "quota_exceeded") ctx.metrics.recordRefusal(String(failure.members?.tier));
      const isUnexpected = failure ? failure.status >= 500 : error.code === "INTERNAL_SERVER_ERROR";
      if (isUnexpected) logFailure(context, error.cause ?? error);
    },
  });
}

function getProcedureNames({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    throw new AppError("not_found", "Procedure not found");
  }
}

/** Headers that ask tRPC to stream would begin the answer before the procedures are done. */
function withoutStreaming({ url, method, headers }: Request, body?: string): Request {
  const plain = new Headers(headers);
  plain.delete("trpc-accept");
  plain.set("accept", "application/json");
  return new Request(url, { method, headers: plain, body });
}

function requireSameOrigin({ ctx, request, body }: RequestContext): Request {
  if (!isSameOrigin(request.headers, ctx.env.appUrl))
    throw new AppError("forbidden", "Changes are accepted from this site's own pages only");
  requireJsonType(request.headers);
  return withoutStreaming(request, body());
}
