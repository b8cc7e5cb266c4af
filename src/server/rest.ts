import type { z } from "zod";
import { AppError, SERVICE_UNAVAILABLE } from "@/core/errors";
import type { Contract, Method } from "@/core/http/contract";
import { DATABASE_RETRY_SECONDS } from "@/core/http/failure";
import { limitReached } from "@/core/quota/quota";
import { keptQuery } from "@/features/keys/requests.rules";
import type { Key } from "@/features/keys/schema";
import { admit } from "@/features/keys/service";
import { type AppContext, appContext } from "./context";
import { type Exchange, logExchange, openExchange, rateHeaders, renderBody, renderError } from "./exchange";
import {
  MAX_BODY_BYTES,
  NO_BODY,
  parseBody,
  parseParams,
  parseQuery,
  type ReadBody,
  readAhead,
} from "./input";

interface Segment {
  params: Promise<Record<string, string | string[] | undefined>>;
}
type RouteHandler = (request: Request, segment?: Segment) => Promise<Response>;
type Step = (
  exchange: Exchange,
  request: Request,
  segment: Segment | undefined,
  text: ReadBody,
) => Promise<object | Response>;
type OpenHandlers = Partial<
  Record<
    Method,
    (ctx: AppContext, request: Request, exchange: Exchange, text: ReadBody) => Promise<object | Response>
  >
>;
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler may use once its request has been let in, counted and understood. */
interface Call<C extends Contract> {
  ctx: AppContext;
  key: Key;
  /** Requests counted for the key today, this one included. */
  usedToday: number;
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
}

interface Endpoint {
  contract: Contract;
  handle(call: object): Promise<object>;
}

/** Binds a contract to the service verb that fulfils it. */
export function endpoint<C extends Contract>(
  contract: C,
  handle: (call: Call<C>) => Promise<z.input<C["answer"]>>,
): Endpoint {
  // `resource` parses each call by this very contract, which a list of mixed endpoints cannot express in types.
  return { contract, handle: handle as Endpoint["handle"] };
}

/**
 * The route handlers of one path. Every method takes the same way, so wrong methods and, with no endpoint at all,
 * unknown paths are let in and counted like any other request.
 */
export function resource(...endpoints: Endpoint[]): AllMethods {
  const path = endpoints[0]?.contract.path ?? "unknown";
  return forAllMethods(path, async (exchange, request, segment, text) => {
    const asked = endpoints.find(({ contract }) => contract.method === routedMethod(request));
    const { ctx } = exchange;
    const { key, usedToday } = await letIn(exchange, ctx, request);
    const { contract, handle } = asked ?? refuse(endpoints);
    const { searchParams } = exchange.url;
    exchange.query = keptQuery(searchParams, Object.keys(contract.query?.shape ?? {}));
    const params = contract.params && parseParams(contract.params, (await segment?.params) ?? {});
    const query = parseQuery(contract.query, searchParams);
    const body = parseBody(contract.body, request, text);
    const answer = await handle({ ctx, key, usedToday, params, query, body });
    return { status: "ok", ...answer };
  });
}

/**
 * The route handlers of a path that needs no key and counts nothing.
 * @param route the path as it is written in lists
 * @param cacheControl of successes that others may keep; nothing is kept without it
 * @param maxBodyBytes the largest body that is read for its handlers
 */
export function openResource(
  route: string,
  handlers: OpenHandlers,
  { cacheControl, ...options }: { cacheControl?: string } & Partial<Reading> = {},
): AllMethods {
  const step: Step = async (exchange, request, _segment, text) => {
    const handle = Object.entries(handlers).find(([method]) => method === routedMethod(request))?.[1];
    if (!handle) throw methodNotAllowed(Object.keys(handlers));
    const answer = await handle(exchange.ctx, request, exchange, text);
    if (cacheControl) exchange.headers["Cache-Control"] = cacheControl;
    return answer;
  };
  return forAllMethods(route, step, { maxBodyBytes: 0, ...options });
}

/** Route handlers for requests that are let in; to all others they are those of an unknown path. */
export function guarded(
  letsIn: (ctx: AppContext, request: Request) => boolean,
  inside: AllMethods,
): AllMethods {
  const unknown = resource();
  return handleAll((method) => (request, segment) => {
    const handlers = letsIn(appContext(), request) ? inside : unknown;
    return handlers[method](request, segment);
  });
}

interface AllMethods {
  GET: RouteHandler;
  HEAD: RouteHandler;
  POST: RouteHandler;
  PUT: RouteHandler;
  PATCH: RouteHandler;
  DELETE: RouteHandler;
  OPTIONS: RouteHandler;
}

/** How the requests of a path are taken in. */
interface Reading {
  maxBodyBytes: number;
  /** Whether an answer may take longer than the deadline of all others. */
  mayTakeLong: boolean;
}

function forAllMethods(
  route: string,
  step: Step,
  { maxBodyBytes = MAX_BODY_BYTES, mayTakeLong = false }: Partial<Reading> = {},
): AllMethods {
  return handleAll(() => async (request, segment) => {
    const exchange = openExchange(appContext(), route, request);
    let response: Response;
    try {
      // Before the key is looked up: one that is revoked while the body arrives must not act any more.
      const text = (await readAhead(request, maxBodyBytes)) ?? NO_BODY;
      const work = step(exchange, request, segment, text);
      const answer = await (mayTakeLong ? work : inTime(work, exchange.ctx.requestTimeout));
      response = answer instanceof Response ? completed(exchange, answer) : renderBody(exchange, 200, answer);
    } catch (error) {
      response = renderError(exchange, error);
    }
    logExchange(exchange, response.status);
    return response;
  });
}

/** @throws AppError `unavailable` when the work takes longer, as where the database hangs */
async function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new AppError("unavailable", SERVICE_UNAVAILABLE, { retryAfter: DATABASE_RETRY_SECONDS });
    timer = setTimeout(() => reject(error), deadlineMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function handleAll(handlerOf: (method: keyof AllMethods) => RouteHandler): AllMethods {
  return {
    GET: handlerOf("GET"),
    HEAD: handlerOf("HEAD"),
    POST: handlerOf("POST"),
    PUT: handlerOf("PUT"),
    PATCH: handlerOf("PATCH"),
    DELETE: handlerOf("DELETE"),
    OPTIONS: handlerOf("OPTIONS"),
  };
}

/** An answer that was made elsewhere, with what every answer carries. */
function completed({ headers }: Exchange, response: Response): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** Finds the key and counts the request. @throws AppError `unauthorized`, or `quota_exceeded` when none is left */
async function letIn(
  exchange: Exchange,
  ctx: AppContext,
  request: Request,
): Promise<{ key: Key; usedToday: number }> {
  const { metrics } = ctx;
  const { key, state } = await admit(ctx, request.headers.get("x-api-key"));
  exchange.keyId = key.id;
  Object.assign(exchange.headers, rateHeaders(state));
  if (!state.granted) {
    metrics.refused(key.tier);
    throw limitReached(state);
  }
  return { key, usedToday: state.used };
}

function refuse(endpoints: readonly Endpoint[]): never {
  if (endpoints.length === 0) throw new AppError("not_found", "There is no such path");
  throw methodNotAllowed(endpoints.map(({ contract }) => contract.method));
}

function methodNotAllowed(methods: string[]): AppError {
  const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return new AppError("method_not_allowed", `The method must be one of ${allowed.join(", ")}`, {
    headers: { Allow: allowed.join(", ") },
  });
}

/** HEAD is GET without the body. */
function routedMethod({ method }: Request): string {
  return method === "HEAD" ? "GET" : method;
}
