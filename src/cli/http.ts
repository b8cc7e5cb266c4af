import { once } from "node:events";
import {
  createServer,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  ServerResponse,
} from "node:http";
import { OperatorError, SERVICE_BUSY } from "@/core/errors";
import { createAddressMatcher, setClientAddress } from "@/core/http/client-address";
import { createErrorReply } from "@/core/http/reply";
import { resolveRequestId } from "@/core/http/request-id";
import { SECOND, sleep } from "@/core/time";

/** Node's own limits. A client that sends its request more slowly is disconnected. */
const LIMITS = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  // Longer than reverse proxies keep idle connections, so that the proxy closes them first.
  keepAliveTimeout: 130 * SECOND,
};
/** A connection without traffic for this long is closed, for example when the client does not read its answer. */
const IDLE_TIMEOUT = 120 * SECOND;
const MAX_IN_FLIGHT = 512;
/** A stopping server still listens for this long and sends `Connection: close`. */
const LAST_CALL = SECOND;

/** The paths that the route handlers answer without Next. */
const API_PATH = /^\/(api([\\/?]|$)|mcp\/?(\?|$))/;

type Handlers = Record<"api" | "page", RequestListener>;

/** A response that is 503 instead of Next's 500 once it is known that the database is away. */
export class ServiceResponse extends ServerResponse {
  /** Seconds after which the page may be requested again; undefined while nothing is known to be away. */
  retryAfter?: () => number | undefined;

  override writeHead(
    status: number,
    message?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const retryAfter = status === 500 ? this.retryAfter?.() : undefined;
    if (retryAfter !== undefined) this.setHeader("Retry-After", String(retryAfter));
    const sent = retryAfter === undefined ? status : 503;
    return typeof message === "string" ? super.writeHead(sent, message, headers) : super.writeHead(sent, message);
  }
}

/** The HTTP server of `npm start` and `npm run dev`. */
export type HttpServer = Awaited<ReturnType<typeof openHttpServer>>;

/** Listens on a port. @throws OperatorError when the port is in use */
export async function openHttpServer(port: number, trustedProxies: readonly string[]) {
  const server = createServer({ ...LIMITS, ServerResponse: ServiceResponse }).setTimeout(IDLE_TIMEOUT);
  const isTrusted = createAddressMatcher(trustedProxies);
  const inFlight = new Set<ServerResponse>();
  let handlers: Handlers | null = null;
  let isStopping = false;
  // A pipelined response that waits behind another one has no event of its own when its connection closes.
  server.on("connection", (socket) =>
    socket.once("close", () => {
      for (const response of inFlight) if (response.req.socket === socket) inFlight.delete(response);
    }),
  );
  server.on("request", (request, response) => {
    if (isStopping) response.shouldKeepAlive = false;
    if (!handlers) return sendError(response, 503, "The service is starting. Try again.");
    if (inFlight.size >= MAX_IN_FLIGHT) return sendError(response, 503, SERVICE_BUSY);
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    setClientAddress(request, isTrusted);
    const handle = API_PATH.test(request.url ?? "") ? handlers.api : handlers.page;
    handle(request, response);
  });
  server.listen(port);
  await once(server, "listening").catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new OperatorError(`Port ${port} is in use. Set PORT to another one.`);
  });
  return {
    server,
    /** Sets the handlers. Until then each request is answered 503. */
    serve(given: Handlers): void {
      handlers = given;
    },
    /** Stops listening and waits for the requests in flight. Those left at the deadline (milliseconds) are answered 503. */
    async stop(deadline: number): Promise<void> {
      const until = performance.now() + deadline;
      isStopping = true;
      for (const response of inFlight) response.shouldKeepAlive = false;
      await sleep(LAST_CALL);
      server.close();
      while (inFlight.size > 0 && performance.now() < until) await sleep(20);
      for (const response of inFlight)
        if (!response.headersSent) sendError(response, 503, "The service is stopping. Try again.");
    },
  };
}

/** Sends an error in place of the API or Next. A 503 may be tried again after a second. */
export function sendError(response: ServerResponse, status: number, error: string): void {
  const id = response.getHeader("X-Request-Id") ?? resolveRequestId(null);
  const help = `</docs/errors#${status}>; rel="help"`;
  const { headers, body } = createErrorReply(status, { error }, { "X-Request-Id": String(id), Link: help });
  if (status === 503) response.setHeader("Retry-After", "1");
  // The rest of the request's body is not read.
  if (!response.req.complete) response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(body);
}
