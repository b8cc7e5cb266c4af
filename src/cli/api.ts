import { readdirSync } from "node:fs";
import type { RequestListener } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { UNEXPECTED_FAILURE } from "@/core/errors";
import { compressReply } from "@/core/http/compress";
import { createErrorReply, toResponse } from "@/core/http/reply";
import { resolveRequestId } from "@/core/http/request-id";
import type { Log } from "@/core/log/log";
import type { RouteHandler } from "@/server/api/rest";

type Served = { Bindings: HttpBindings };
type RouteFile = Record<string, RouteHandler | undefined> & { OPTIONS: RouteHandler };

/** The folders of the route files that are served here. `API_PATH` in http.ts sends their paths here. */
const FOLDERS = ["api", "mcp"];

/**
 * Serves /api and /mcp with the handlers of the route files, without Next's router, which is several times slower.
 * @param folder of the compiled route files
 */
export async function openApi(folder: string, log: Log): Promise<RequestListener> {
  const load = (name: string) => import(pathToFileURL(path.resolve(folder, name)).href);
  const app = await createRouter(folder, load, async (handler, { req, env }) => {
    const answer = await handler.answer(req.raw, req.param());
    if (answer instanceof Response) return answer;
    const { status, headers, body } = await compressReply(answer, env.incoming);
    // A web response would cost more than the rest of a request.
    env.outgoing.writeHead(status, headers).end(body ?? undefined);
    return RESPONSE_ALREADY_SENT;
  });
  const handleError = (error: unknown) => answerFailure(error, log);
  return getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    hostname: "localhost",
    errorHandler: handleError,
  });
}

/** Routes requests to the handlers of the route files of a folder. */
export async function createRouter(
  folder: string,
  load: (name: string) => Promise<RouteFile>,
  answer: (handler: RouteHandler, context: Context<Served>) => Promise<Response>,
): Promise<Hono<Served>> {
  // Not strict: a slash at the end is ignored.
  const app = new Hono<Served>({ strict: false });
  for (const name of listRouteFiles(folder)) {
    const file = await load(name);
    // Every route file exports OPTIONS, which answers 405 to methods that Next does not know.
    const handle = (context: Context<Served>) => answer(file[context.req.method] ?? file.OPTIONS, context);
    // Of every path that has no route file of its own.
    if (path.basename(path.dirname(name)) === "[[...path]]") app.notFound(handle);
    else app.all(`/${path.dirname(name).replace(/\[(\w+)\]/g, ":$1")}`, handle);
  }
  return app;
}

/** The route files that are served here, by their paths in the folder of the pages. */
export function listRouteFiles(folder: string): string[] {
  const list = (top: string) => readdirSync(path.join(folder, top), { recursive: true, encoding: "utf8" });
  const names = FOLDERS.flatMap((top) => list(top).map((name) => path.join(top, name)));
  return names.filter((name) => /^route\.[jt]s$/.test(path.basename(name)));
}

/** The answer when the request line or the Host header is not valid. The route handlers do not throw. */
function answerFailure(error: unknown, log: Log): Response {
  if (error instanceof RequestError)
    return createErrorAnswer(400, "The path or the Host header is not valid", "invalid_http");
  // Without the message, which may repeat the request.
  const problem = error instanceof Error ? error.name : typeof error;
  log.error({ problem }, "a request could not be answered");
  return createErrorAnswer(500, UNEXPECTED_FAILURE, "internal");
}

function createErrorAnswer(status: number, error: string, code: string): Response {
  return toResponse(createErrorReply(status, { error, code }, { "X-Request-Id": resolveRequestId(null) }));
}
