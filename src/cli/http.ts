import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { OperatorError, SERVICE_BUSY } from "@/core/errors";
import { addressMatcher, CLIENT_ADDRESS_HEADER, clientAddress } from "@/core/http/client-address";
import { REQUEST_ID_HEADER, requestIdOf } from "@/core/http/request-id";
import type { Log } from "@/core/log/log";
import { SECOND, sleep } from "@/core/time";
import { keptPath } from "@/features/keys/requests.rules";

/** Node's own limits: a client that sends its request slower than this is disconnected. */
const LIMITS = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  // Longer than reverse proxies keep theirs, so that none sends on a connection that is being closed.
  keepAliveTimeout: 130 * SECOND,
};
/** A connection on which nothing moves for so long is closed, such as one whose client reads no answer. */
const IDLE_LIMIT = 120 * SECOND;
const MAX_IN_FLIGHT = 512;
/** How long a stopping server still listens: clients learn of the end from `Connection: close` before it comes. */
const LAST_CALL = SECOND;
const STARTING = "The service is starting; please try again";
const STOPPING = "The service is stopping; please try again";

interface Handlers {
  api: RequestListener;
  page: RequestListener;
}

/** The HTTP server of `npm start` and `npm run dev`. */
export interface HttpServer {
  server: Server;
  /** Hands requests on from now on; until then each is answered 503. */
  serve(handlers: Handlers): void;
  /** Stops listening and waits for the requests in flight; those that take longer are answered 503. */
  stop(deadline: number): Promise<void>;
}

/** Listens on a port. @throws OperatorError where the port is in use */
export async function openHttpServer(
  port: number,
  trustedProxies: readonly string[],
  log: Log,
): Promise<HttpServer> {
  const server = createServer(LIMITS);
  const isTrusted = addressMatcher(trustedProxies);
  const inFlight = new Set<ServerResponse>();
  let handlers: Handlers | null = null;
  let isStopping = false;
  // A pipelined response that waits behind another is not told that its connection was closed.
  server.on("connection", (socket) =>
    socket.once("close", () => {
      for (const response of inFlight) if (response.req.socket === socket) inFlight.delete(response);
    }),
  );
  server.on("request", (request, response) => {
    if (isStopping) response.shouldKeepAlive = false;
    if (!handlers) return sendError(response, 503, STARTING);
    if (inFlight.size >= MAX_IN_FLIGHT) return sendError(response, 503, SERVICE_BUSY);
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    setClientAddress(request, isTrusted);
    if (isUnderApi(request)) return handlers.api(request, response);
    followPage(request, response, log);
    handlers.page(request, response);
  });
  await listen(server, port);
  return {
    server,
    serve(given) {
      handlers = given;
    },
    async stop(deadline) {
      const until = performance.now() + deadline;
      isStopping = true;
      for (const response of inFlight) response.shouldKeepAlive = false;
      await sleep(LAST_CALL);
      server.close();
      while (inFlight.size > 0 && performance.now() < until) await sleep(20);
      for (const response of inFlight) if (!response.headersSent) sendError(response, 503, STOPPING);
    },
  };
}

/** Closes connections that are silent, which in development would end those of Next's own client. */
export function closeSilentConnections(server: Server): void {
  server.setTimeout(IDLE_LIMIT);
}

/** Answers before, or in place of, the API and Next. */
export function sendError(response: ServerResponse, status: number, error: string): void {
  if (status === 503) response.setHeader("Retry-After", "1");
  // The rest of the body is not waited for.
  if (!response.req.complete) response.shouldKeepAlive = false;
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-store",
    "X-Request-Id": String(response.getHeader("X-Request-Id") ?? requestIdOf(null)),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify({ error }));
}

/** Writes the address a request came from into the internal header, in place of what the client sent there. */
function setClientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): void {
  const { headers, rawHeaders, socket } = request;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const address = clientAddress(socket.remoteAddress ?? "", forwarded, isTrusted);
  headers[CLIENT_ADDRESS_HEADER] = address;
  // The API's adapter reads the raw headers.
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (rawHeaders[at]?.toLowerCase() === CLIENT_ADDRESS_HEADER) rawHeaders.splice(at, 2);
  rawHeaders.push(CLIENT_ADDRESS_HEADER, address);
}

/** Gives the request for a page its id and logs one line for it. The API does so in its handlers. */
function followPage(request: IncomingMessage, response: ServerResponse, log: Log): void {
  const requestId = requestIdOf([request.headers[REQUEST_ID_HEADER]].flat()[0]);
  request.headers[REQUEST_ID_HEADER] = requestId;
  response.setHeader("X-Request-Id", requestId);
  const { method } = request;
  const path = pathOf(request);
  if (path.startsWith("/_next/")) return;
  response.once("finish", () =>
    log.info({ requestId, method, path: keptPath(path), status: response.statusCode }, "page"),
  );
}

function isUnderApi(request: IncomingMessage): boolean {
  return /^\/api([\\/]|$)/.test(pathOf(request));
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const taken = "code" in error && error.code === "EADDRINUSE";
      reject(taken ? new OperatorError(`Port ${port} is in use; set PORT to another one`) : error);
    });
    server.listen(port, resolve);
  });
}
