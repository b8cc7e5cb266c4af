import { readdir } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { UNEXPECTED_FAILURE } from "@/core/errors";
import { requestIdOf } from "@/core/http/request-id";
import type { Log } from "@/core/log/log";

/** The route file of every path that has none. */
const CATCH_ALL = "[[...path]]";

type RouteHandler = (
  request: Request,
  segment: { params: Promise<Record<string, string>> },
) => Promise<Response>;
type RouteFile = Record<string, RouteHandler | undefined>;

/**
 * Serves /api with the handlers that the route files export, without Next's router, which costs several times more.
 * @param folder of the route files, compiled or not
 */
export async function openApi(folder: string, log: Log): Promise<RequestListener> {
  // Not strict: a slash at the end changes nothing.
  const app = new Hono({ strict: false });
  const files = await readdir(folder, { recursive: true });
  for (const name of files.filter((found) => /^route\.[jt]s$/.test(path.basename(found)))) {
    const file: RouteFile = await import(pathToFileURL(path.resolve(folder, name)).href);
    const handle = (context: Context) => answer(file, context);
    if (path.dirname(name) === CATCH_ALL) app.notFound(handle);
    else app.all(pathOf(path.dirname(name)), handle);
  }
  const errorHandler = (error: unknown) => answerFailure(error, log);
  app.onError(errorHandler);
  return getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: "localhost", errorHandler });
}

function answer(file: RouteFile, context: Context): Response | Promise<Response> {
  const request = context.req.raw;
  // Every route file answers OPTIONS, and by it any method that it does not know.
  const handle = file[request.method] ?? file.OPTIONS;
  if (!handle) return new Response(null, { status: 405 });
  return handle(request, { params: Promise.resolve(context.req.param()) });
}

/** The answer where no Request could be made of what came. The handlers themselves do not throw. */
function answerFailure(error: unknown, log: Log): Response {
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "X-Request-Id": requestIdOf(null),
    "X-Content-Type-Options": "nosniff",
  };
  if (error instanceof RequestError)
    return Response.json({ error: "The path or the Host header is not valid" }, { status: 400, headers });
  // Without its message, which may repeat the request.
  log.error(
    { problem: error instanceof Error ? error.name : typeof error },
    "a request could not be answered",
  );
  return Response.json({ error: UNEXPECTED_FAILURE }, { status: 500, headers });
}

/** `track/[channel_id]` as the router writes it. */
function pathOf(folder: string): string {
  return `/api/${folder
    .split(path.sep)
    .join("/")
    .replace(/\[(\w+)\]/g, ":$1")}`;
}
