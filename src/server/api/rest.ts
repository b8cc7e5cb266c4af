import { AppError, SERVICE_UNAVAILABLE } from "@/core/errors";
import { getClientAddress } from "@/core/http/client-address";
import { CLIENT_GONE, isReply, type Reply, toResponse } from "@/core/http/reply";
import { SECOND, startOfDay } from "@/core/time";
import { DATABASE_RETRY_SECONDS } from "@/db/client";
import type { Contract, Endpoint, Method } from "@/features/endpoint";
import { sanitizeQuery } from "@/features/usage/request-log.rules";
import { type AppContext, getAppContext } from "@/server/context";
import { allowCaching, revalidate, SHARED } from "./caching";
import { requireKeyForm, withCaller } from "./caller";
import { ENDPOINTS } from "./endpoints";
import {
  decodeBody,
  hasBody,
  MAX_BODY_BYTES,
  nameIgnoredParameters,
  parseBody,
  parseParams,
  parseQuery,
  readBody,
} from "./input";
import { logRequest, openRequest, type RequestContext, renderBody, renderError } from "./request";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** What a path answers: plain data, or a library's own web response. */
export type Answer = Reply | Response;
type Params = Record<string, string | string[] | undefined>;
interface Segment {
  params: Promise<Params>;
}

/** A handler of a route file, for Next. `answer` gives the same for a server that needs no web response. */
export interface RouteHandler {
  (request: Request, segment?: Segment): Promise<Response>;
  answer(request: Request, params: Params): Promise<Answer>;
}
type AllMethods = Record<(typeof METHODS)[number], RouteHandler>;
type Handler = (context: RequestContext, params: Params) => Promise<object>;

/**
 * The route handlers of a path of the API. Wrong methods and, without endpoints, unknown paths are admitted and counted
 * like any other request.
 */
export function serveEndpoints(path: string, all = ENDPOINTS): AllMethods {
  const endpoints = METHODS.flatMap((method) =>
    all.filter(({ contract }) => contract.path === path && contract.method === method),
  );
  const serve: Handler = (context, segments) => {
    const { url, request } = context;
    const requested = endpoints.find(({ contract }) => contract.method === getRoutedMethod(request));
    return withCaller(context, request.headers.get("x-api-key"), async ({ ctx, key, usedToday }) => {
      const { contract, handle } = requested ?? refuse(endpoints);
      Object.assign(context.headers, buildDeprecationHeaders(contract));
      const known = Object.keys(contract.query?.shape ?? {});
      context.query = sanitizeQuery(url.searchParams, known);
      nameIgnoredParameters(context, known);
      const params = contract.params && parseParams(contract.params, segments);
      const query = contract.query && parseQuery(contract.query, url.searchParams);
      const body = contract.body && parseBody(contract.body, request.headers, context.body);
      const answer = await handle({ ctx, key, usedToday, params, query, body });
      if (contract.method === "GET") allowCaching(context, contract.maxAge);
      return answer;
    });
  };
  return forAllMethods(path, serve, {
    maxBodyBytes: MAX_BODY_BYTES,
    checkCaller: ({ ctx, request }) => requireKeyForm(ctx, request.headers.get("x-api-key")),
  });
}

/** The headers of an endpoint that will be removed (RFC 9745 and RFC 8594). */
function buildDeprecationHeaders({ deprecated }: Contract): Record<string, string> {
  if (!deprecated) return {};
  return {
    Deprecation: `@${startOfDay(deprecated.since).getTime() / SECOND}`,
    Sunset: startOfDay(deprecated.until).toUTCString(),
  };
}

interface Bounds {
  maxBodyBytes?: number;
  mayTakeLong?: boolean;
  /** Answers also while too many requests are under way. */
  isUnlimited?: boolean;
  /** Whether pages of other sites may read it. */
  isShared?: boolean;
  /** Refuses callers before the body is read. */
  checkCaller?: (context: RequestContext) => void;
}

/** The route handlers of a path that needs no key and counts nothing. */
export function openResource(route: string, handlers: Partial<Record<Method, Handler>>, bounds: Bounds = {}) {
  const find = ({ request }: RequestContext) => {
    const handle = new Map(Object.entries(handlers)).get(getRoutedMethod(request));
    if (!handle) throw createMethodError(Object.keys(handlers));
    return handle;
  };
  const checkCaller = (context: RequestContext) => {
    find(context);
    bounds.checkCaller?.(context);
  };
  const handle: Handler = async (context, params) => {
    if (bounds.isShared) Object.assign(context.headers, SHARED);
    return find(context)(context, params);
  };
  return forAllMethods(route, handle, { ...bounds, checkCaller });
}

/** Serves a path to some callers only; to all others it is unknown. */
export function guardMethods(isAdmitted: (ctx: AppContext, request: Request) => boolean, guarded: AllMethods) {
  const unknown = serveEndpoints("unknown");
  return handleAll((request, params) =>
    (isAdmitted(getAppContext(), request) ? guarded : unknown).GET.answer(request, params),
  );
}

function forAllMethods(route: string, handler: Handler, bounds: Bounds): AllMethods {
  const { maxBodyBytes = 0, mayTakeLong = false, isUnlimited = false, checkCaller } = bounds;
  return handleAll(async (request, params) => {
    const context = openRequest(getAppContext(), route, request);
    let answer: Answer;
    try {
      checkCaller?.(context);
      // Before the key is looked up: a key that is revoked while the body arrives is refused.
      if (hasBody(request, maxBodyBytes)) await receiveBody(context, maxBodyBytes);
      const handle = () => handler(context, params);
      const work = isUnlimited ? handle() : runInTurn(context, handle);
      const result = await (mayTakeLong ? work : withDeadline(work, context.ctx.requestTimeout));
      answer = revalidate(addHeaders(result, context), request);
    } catch (error) {
      if (request.signal.aborted) context.outcome = CLIENT_GONE;
      answer = renderError(context, error);
    }
    logRequest(context, context.outcome ?? answer.status);
    return answer;
  });
}

async function receiveBody(context: RequestContext, maxBytes: number): Promise<void> {
  const { request, headers } = context;
  if (!request.body) return;
  const body = await readBody(request.body.values({ preventCancel: true }), maxBytes);
  if (body.isCut) headers.Connection = "close";
  context.body = () => decodeBody(body);
}

/** Waits until the work may begin. It does not begin for a client that has gone or was answered meanwhile. */
function runInTurn<T>({ ctx, request, startedAt }: RequestContext, work: () => Promise<T>): Promise<T> {
  const isWanted = () => !request.signal.aborted && performance.now() - startedAt < ctx.requestTimeout;
  return ctx.limits.run("api", getClientAddress(request, ctx.env.serverless), isWanted, work);
}

function handleAll(answer: RouteHandler["answer"]): AllMethods {
  const handle = async (request: Request, segment?: Segment) => {
    const given = await answer(request, (await segment?.params) ?? {});
    const response = given instanceof Response ? given : toResponse(given);
    // Node itself sends no text to HEAD.
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
  const handler: RouteHandler = Object.assign(handle, { answer });
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as AllMethods;
}

/** A handler's result with the headers of the request: JSON, unless it is a whole answer already. */
function addHeaders(result: object, context: RequestContext): Answer {
  if (isReply(result)) return { ...result, headers: { ...context.headers, ...result.headers } };
  if (!(result instanceof Response)) return renderBody(context, result);
  for (const [name, value] of Object.entries(context.headers))
    if (!result.headers.has(name)) result.headers.set(name, value);
  return result;
}

/** @throws AppError `unavailable` when the work takes longer, for example because the database hangs */
function withDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const retryAfter = DATABASE_RETRY_SECONDS;
    const end = () => reject(new AppError("unavailable", SERVICE_UNAVAILABLE, { retryAfter }));
    const timer = setTimeout(end, deadlineMs);
    const settleOnce = (settle: (value: T) => void) => (value: T) => {
      clearTimeout(timer);
      settle(value);
    };
    work.then(settleOnce(resolve), settleOnce(reject));
  });
}

function refuse(endpoints: readonly Endpoint[]): never {
  if (endpoints.length === 0) throw new AppError("path_not_found", "Path not found");
  throw createMethodError(endpoints.map(({ contract }) => contract.method));
}

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

function createMethodError(methods: string[]): AppError {
  const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return new AppError("method_not_allowed", `Method not allowed. Use ${OR.format(methods)}.`, {
    headers: { Allow: allowed.join(", ") },
  });
}

function getRoutedMethod({ method }: Request): string {
  return method === "HEAD" ? "GET" : method;
}
