import { readdir } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { UNEXPECTED_FAILURE } from "@/core/errors";
import type { Log } from "@/core/log/log";

const ROUTES = path.resolve("dist/app/api");
/** The route file of every path that has none. */
const CATCH_ALL = "[[...path]]";

type RouteHandler = (
  request: Request,
  segment: { params: Promise<Record<string, string>> },
) => Promise<Response>;

/**
 * Serves /api from the very handlers that the route files export, without Next's router, which costs many times what
 * they do. The tree of route files stays the only list of paths.
 */
export async function openLane(log: Log): Promise<RequestListener> {
  // Not strict: a slash at the end changes nothing.
  const app = new Hono({ strict: false });
  for (const folder of await routeFolders()) {
    const handlers: Record<string, RouteHandler | undefined> = await import(
      pathToFileURL(path.join(ROUTES, folder, "route.js")).href
    );
    const handle = (context: Context) => answer(handlers, context);
    // As one more path it would have the others look for a next handler, at the cost of a dozen promises a request.
    if (folder === CATCH_ALL) app.notFound(handle);
    else app.all(pathOf(folder), handle);
  }
  app.onError((error) => answerFailure(error, log));
  return withLightResponses(() =>
    getRequestListener(app.fetch, { errorHandler: (error) => answerFailure(error, log) }),
  );
}

/**
 * Lets the adapter put its own Response in the place of the platform's: one that hands its text over without a stream
 * in between, a fifth of what a request costs. For whoever makes or is given one nothing else changes.
 */
function withLightResponses(open: () => RequestListener): RequestListener {
  const { Request, Response } = globalThis;
  const listener = open();
  // Its own class tells its responses from the platform's by instanceof, which must go on.
  const LightResponse = class extends globalThis.Response {
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Response;
    }
  };
  Object.defineProperty(globalThis, "Request", { value: Request, writable: true });
  Object.defineProperty(globalThis, "Response", { value: LightResponse, writable: true });
  return listener;
}

/** Says why no Request could be made of what came. No handler throws anything else. */
function answerFailure(error: unknown, log: Log): Response {
  if (error instanceof RequestError)
    return Response.json({ error: "The Host header must name a host" }, { status: 400 });
  // Without its message, which may hold what was asked for.
  log.error(
    { problem: error instanceof Error ? error.name : typeof error },
    "a request could not be answered",
  );
  return Response.json({ error: UNEXPECTED_FAILURE }, { status: 500 });
}

async function routeFolders(): Promise<string[]> {
  const files = await readdir(ROUTES, { recursive: true });
  return files.filter((file) => path.basename(file) === "route.js").map((file) => path.dirname(file));
}

/** `track/[channel_id]` as the router writes it. */
function pathOf(folder: string): string {
  return `/api/${folder
    .split(path.sep)
    .join("/")
    .replace(/\[(\w+)\]/g, ":$1")}`;
}

function answer(
  handlers: Record<string, RouteHandler | undefined>,
  context: Context,
): Response | Promise<Response> {
  const request = context.req.raw;
  const handle = handlers[request.method];
  if (!handle) return new Response(null, { status: 405 });
  return handle(request, { params: Promise.resolve(context.req.param()) });
}
