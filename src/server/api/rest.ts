import type { z } from "zod";
import { AppError, SERVICE_UNAVAILABLE } from "@/core/errors";
import type { Contract, Method } from "@/core/http/contract";
import { getResponseParts } from "@/core/http/sent";
import { DATABASE_RETRY_SECONDS } from "@/db/failures";
import type { Key } from "@/features/keys/schema";
import { sanitizeQuery } from "@/features/usage/request-log.rules";
import { type AppContext, getAppContext } from "@/server/context";
import { withCaller } from "./caller";
import { hasBody, MAX_BODY_BYTES, parseBody, parseParams, parseQuery, readBody } from "./input";
import type { RequestContext } from "./request";
import { logRequest, openRequest, renderBody, renderError } from "./request";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type RouteHandler = (request: Request, segment?: Segment) => Promise<Response>;
type AllMethods = Record<(typeof METHODS)[number], RouteHandler>;

interface Segment {
  params: Promise<Record<string, string | string[] | undefined>>;
}
type Handler = (context: RequestContext, segment?: Segment) => Promise<object>;
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

interface Call<C extends Contract> {
  ctx: AppContext;
  key: Key;
  usedToday: number;
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
}

export interface Endpoint {
  contract: Contract;
  handle(call: object): Promise<object>;
}

export function defineEndpoint<C extends Contract>(
  contract: C,
  handle: (call: Call<C>) => Promise<z.input<C["answer"]> | Response>,
): Endpoint {
  // `resource` parses each call by this contract, which a list of different endpoints cannot express in types.
  return { contract, handle: handle as Endpoint["handle"] };
}

/** Wrong methods and, without endpoints, unknown paths are admitted and counted like any other request. */
export function defineResource(...endpoints: Endpoint[]): AllMethods {
  const path = endpoints[0]?.contract.path ?? "unknown";
  return handleAllMethods(
    path,
    async (context, segment) => {
      const { url, request } = context;
      const answer = await withCaller(
        context,
        request.headers.get("x-api-key"),
        async ({ ctx, key, usedToday }) => {
          const requested = endpoints.find(({ contract }) => contract.method === getRoutedMethod(request));
          const { contract, handle } = requested ?? refuse(endpoints);
          context.query = sanitizeQuery(url.searchParams, Object.keys(contract.query?.shape ?? {}));
          const params = contract.params && parseParams(contract.params, (await segment?.params) ?? {});
          const query = contract.query && parseQuery(contract.query, url.searchParams);
          const body = contract.body && parseBody(contract.body, request.headers, context.body);
          return handle({ ctx, key, usedToday, params, query, body });
        },
      );
      return answer instanceof Response ? answer : { status: "ok", ...answer };
    },
    { maxBodyBytes: MAX_BODY_BYTES },
  );
}

interface Bounds {
  maxBodyBytes?: number;
  mayTakeLong?: boolean;
}

/** The route handlers of a path that needs no key and counts nothing. */
export function openResource(
  route: string,
  handlers: Partial<Record<Method, Handler>>,
  bounds: Bounds = {},
): AllMethods {
  const handler: Handler = async (context) => {
    const handle = new Map(Object.entries(handlers)).get(getRoutedMethod(context.request));
    if (!handle) throw createMethodError(Object.keys(handlers));
    return handle(context);
  };
  return handleAllMethods(route, handler, bounds);
}

export function guardMethods(
  isAdmitted: (ctx: AppContext, request: Request) => boolean,
  methods: AllMethods,
) {
  const unknown = defineResource();
  return handleAll((request) => (isAdmitted(getAppContext(), request) ? methods : unknown).GET(request));
}

function handleAllMethods(route: string, handler: Handler, bounds: Bounds): AllMethods {
  const { maxBodyBytes = 0, mayTakeLong = false } = bounds;
  return handleAll(async (request, segment) => {
    const context = openRequest(getAppContext(), route, request);
    let response: Response;
    try {
      // Before the key is looked up: a key that is revoked while the body arrives is refused.
      if (hasBody(request, maxBodyBytes)) context.body = await readBody(request, maxBodyBytes);
      const work = handler(context, segment);
      const answer = await (mayTakeLong ? work : withDeadline(work, context.ctx.requestTimeout));
      response = answer instanceof Response ? withHeaders(answer, context) : renderBody(context, answer);
    } catch (error) {
      response = renderError(context, error);
    }
    logRequest(context, context.outcome ?? response.status);
    // Node itself sends no text to HEAD.
    return request.method === "HEAD" && !getResponseParts(response) ? new Response(null, response) : response;
  });
}

function handleAll(handler: RouteHandler): AllMethods {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as AllMethods;
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

function withHeaders(response: Response, { headers }: RequestContext): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

function refuse(endpoints: readonly Endpoint[]): never {
  if (endpoints.length === 0) throw new AppError("not_found", "Path not found");
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
