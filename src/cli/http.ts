import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { OperatorError } from "@/core/errors";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "@/core/http/client-address";
import { DATABASE_RETRY_SECONDS } from "@/core/http/failure";
import { REQUEST_ID_HEADER, requestIdOf } from "@/core/http/request-id";
import type { Log } from "@/core/log/log";
import { keptPath } from "@/features/keys/requests.rules";

/** Node's own limits. Proxies keep idle connections for up to two minutes, so ours last longer. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 130_000,
};
const MAX_IN_FLIGHT = 1_000;
const CLOSE_CHECK_MS = 100;
/** How long a connection may take to send a request that was on its way when the stop began. */
const LAST_REQUEST_MS = 500;

export interface HttpServer {
  /** Node's server, for Next's development mode. */
  server: ReturnType<typeof createServer>;
  /** @throws OperatorError when the port is taken */
  listen(port: number): Promise<void>;
  /** From now on requests get this answer instead of 503. */
  serve(listener: RequestListener): void;
  /** Takes no more connections and resolves when every request has its answer, or the time is up. */
  stop(deadlineMs: number): Promise<void>;
}

/** A server that answers 503 until it has something to serve, and when `maxInFlight` requests are under way. */
export function createHttp(maxInFlight = MAX_IN_FLIGHT): HttpServer {
  let serving: RequestListener | null = null;
  let inFlight = 0;
  let isStopping = false;
  const server = createServer(TIMEOUTS, (request, response) => {
    if (isStopping) response.shouldKeepAlive = false;
    if (!serving) return answerUnavailable(response, "The service is starting. Try again.");
    if (inFlight >= maxInFlight) return answerUnavailable(response, "The service is busy. Try again.");
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
    });
    serving(request, response);
  });

  return {
    server,
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once("error", (error) => {
          const isTaken = "code" in error && error.code === "EADDRINUSE";
          reject(isTaken ? new OperatorError(`Port ${port} is in use; set PORT to another one`) : error);
        });
        server.listen(port, resolve);
      }),
    serve(listener) {
      serving = listener;
    },
    async stop(deadlineMs) {
      isStopping = true;
      const begunAt = performance.now();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const check = setInterval(() => {
        const passed = performance.now() - begunAt;
        if (passed > deadlineMs || (inFlight === 0 && passed > LAST_REQUEST_MS)) server.closeAllConnections();
        else server.closeIdleConnections();
      }, CLOSE_CHECK_MS);
      await closed;
      clearInterval(check);
    },
  };
}

/** Whether the API answers a request. */
export function isUnderApi({ url = "" }: IncomingMessage): boolean {
  return /^\/api([/?]|$)/.test(url);
}

/** Puts the address a request came from into its own header, in place of what a client wrote there. */
export function setClientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): void {
  const { headers, rawHeaders, socket } = request;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const address = clientAddress(socket.remoteAddress ?? "", forwarded, isTrusted);
  headers[CLIENT_ADDRESS_HEADER] = address;
  // The API's adapter reads the headers as they came.
  for (let place = rawHeaders.length - 2; place >= 0; place -= 2)
    if (rawHeaders[place]?.toLowerCase() === CLIENT_ADDRESS_HEADER) rawHeaders.splice(place, 2);
  rawHeaders.push(CLIENT_ADDRESS_HEADER, address);
}

/**
 * Gives a page its request id, logs it once it is answered, and answers 503 in place of Next's 500 where the page failed
 * because the database is away.
 * @param unavailable ids of such requests
 */
export function followPage(
  request: IncomingMessage,
  response: ServerResponse,
  { log, unavailable }: { log: Log; unavailable: Set<string> },
): void {
  const requestId = requestIdOf([request.headers[REQUEST_ID_HEADER]].flat()[0]);
  request.headers[REQUEST_ID_HEADER] = requestId;
  response.setHeader("X-Request-Id", requestId);
  const [path = ""] = (request.url ?? "").split("?");
  if (path.startsWith("/_next/")) return;
  const { writeHead } = response;
  response.writeHead = (status: number, ...more: unknown[]): ServerResponse => {
    const isAway = unavailable.delete(requestId) && status === 500;
    if (isAway) response.setHeader("Retry-After", String(DATABASE_RETRY_SECONDS));
    return Reflect.apply(writeHead, response, [isAway ? 503 : status, ...more]);
  };
  response.once("close", () => {
    unavailable.delete(requestId);
    log.info(
      { requestId, method: request.method, path: keptPath(path), status: response.statusCode },
      "page",
    );
  });
}

function answerUnavailable(response: ServerResponse, error: string): void {
  response.writeHead(503, { "Content-Type": "application/json; charset=utf-8", "Retry-After": "1" });
  response.end(JSON.stringify({ error }));
}
