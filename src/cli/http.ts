import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { OperatorError, SERVICE_BUSY } from "@/core/errors";
import { createAddressMatcher, setClientAddress } from "@/core/http/client-address";
import { createErrorPage, createErrorReply, formatReply, type Reply } from "@/core/http/reply";
import { resolveRequestId } from "@/core/http/request-id";
import type { Log } from "@/core/log/log";
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
/** Requests of one connection that wait for their answers. One more is refused, and two more end the connection at once. */
const MAX_UNANSWERED = 32;
/** A stopping server still listens for this long and sends `Connection: close`. */
const LAST_CALL = SECOND;

const INVALID = [400, "The request is not valid HTTP"] as const;
const PARSER_ERRORS = new Map<unknown, readonly [status: number, error: string]>([
  ["HPE_HEADER_OVERFLOW", [431, "The headers are too large"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", [413, "The chunk extensions are too large"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "The request took too long to arrive"]],
]);
const UNTRUSTED = "forwarded headers of this peer are ignored; if it is your reverse proxy, add it to TRUSTED_PROXIES";

/** The paths that the route handlers answer without Next. */
const API_PATH = /^\/(api([\\/?]|$)|mcp\/?(\?|$))/i;
/** What a proxy writes before the path. */
const ORIGIN = /^https?:\/\/[^/?]+(?=\/)/i;

interface Handlers {
  /** Why a request has to wait; undefined when it can be answered. */
  findDelay?(url: string): string | undefined;
  api: RequestListener;
  page: RequestListener;
  /** Counts a request refused because its connection has too many. */
  recordRefusal(): void;
}

/** A response whose status is more exact than Next's 500 where the cause is known. */
export class ServiceResponse extends ServerResponse {
  /** What a 500 means; undefined when it is a fault of the service. */
  explain?: () => { status: number; retryAfter?: number } | undefined;

  constructor(...given: ConstructorParameters<typeof ServerResponse>) {
    super(...given);
    // Next, the compression and the service each wait for its end.
    this.setMaxListeners(30);
  }

  override writeHead(
    status: number,
    message?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const known = status === 500 ? this.explain?.() : undefined;
    if (known?.retryAfter !== undefined) this.setHeader("Retry-After", String(known.retryAfter));
    const sent = known?.status ?? status;
    return typeof message === "string" ? super.writeHead(sent, message, headers) : super.writeHead(sent, message);
  }
}

/** The HTTP server of `npm start` and `npm run dev`. */
export type HttpServer = Awaited<ReturnType<typeof openHttpServer>>;

interface Options {
  port: number;
  /** The address to listen on; all addresses of the machine when left out. */
  host?: string;
  trustedProxies: readonly string[];
  log: Log;
}

/** Listens on a port. @throws OperatorError when the port is in use or the address is not the machine's */
export async function openHttpServer({ port, host, trustedProxies, log }: Options) {
  const options = { ...LIMITS, requireHostHeader: false, ServerResponse: ServiceResponse };
  const server = createServer(options).setTimeout(IDLE_TIMEOUT);
  const isTrusted = createAddressMatcher(trustedProxies);
  const connections = new Map<Duplex, Set<ServerResponse>>();
  const listUnanswered = () => [...connections.values()].flatMap((unanswered) => [...unanswered]);
  let handlers: Handlers | null = null;
  let isStopping = false;
  let isWarned = false;
  server.on("connection", (socket) => {
    const unanswered = new Set<ServerResponse>();
    connections.set(socket, unanswered);
    socket.once("close", () => {
      connections.delete(socket);
      // Node tells only the response that is being sent, and work for the others would wait for ever.
      for (const response of unanswered) if (!response.socket) response.destroy().emit("close");
    });
  });
  server.on("request", (request, response) => {
    const unanswered = connections.get(request.socket);
    if (!unanswered || unanswered.size > MAX_UNANSWERED) return void request.socket.destroy();
    unanswered.add(response);
    response.once("close", () => unanswered.delete(response));
    if (isStopping) response.shouldKeepAlive = false;
    request.url = request.url?.replace(ORIGIN, "") ?? "";
    if (!request.url.startsWith("/")) return sendError(response, 400, "The path must begin with /");
    const delay = handlers?.findDelay?.(request.url);
    if (!handlers || delay) return sendStarting(request, response, delay ?? "The service is starting");
    if (unanswered.size > MAX_UNANSWERED) {
      handlers.recordRefusal();
      response.shouldKeepAlive = false;
      return sendError(response, 503, SERVICE_BUSY, "busy");
    }
    if (!request.headers.host && request.httpVersion === "1.1")
      return sendError(response, 400, "The Host header is missing");
    const untrusted = setClientAddress(request, isTrusted);
    if (untrusted && !isWarned) log.warn({ peer: untrusted }, UNTRUSTED);
    isWarned ||= untrusted !== null;
    const handle = API_PATH.test(request.url) ? handlers.api : handlers.page;
    handle(request, response);
  });
  server.on("checkExpectation", (_request, response) => sendError(response, 417, "Expect must be 100-continue"));
  server.on("clientError", (error, socket) => {
    const isBegun = [...(connections.get(socket) ?? [])].some((response) => response.headersSent);
    if (isBegun || !socket.writable) return void socket.destroy();
    const [status, problem] = PARSER_ERRORS.get("code" in error && error.code) ?? INVALID;
    const body = { error: problem, code: "invalid_http" };
    socket.end(formatReply(createErrorReply(status, body, { "X-Request-Id": resolveRequestId(null) })));
  });
  await listen(server, port, host);
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
      for (const response of listUnanswered()) response.shouldKeepAlive = false;
      await sleep(LAST_CALL);
      server.close();
      while (listUnanswered().length > 0 && performance.now() < until) await sleep(20);
      for (const response of listUnanswered())
        if (!response.headersSent) sendError(response, 503, "The service is stopping. Try again.");
    },
  };
}

async function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  server.listen(port, host);
  await once(server, "listening").catch((error) => {
    if (error.code === "EADDRINUSE") throw new OperatorError(`Port ${port} is in use. Set PORT to another one.`);
    if (error.code === "EADDRNOTAVAIL") throw new OperatorError(`HOST ${host} is not an address of this machine.`);
    throw error;
  });
}

/** Sends an error in place of the API or Next. A 503 may be tried again after a second. */
export function sendError(
  response: ServerResponse,
  status: number,
  error: string,
  code = status === 503 ? "unavailable" : "invalid_http",
): void {
  const id = response.getHeader("X-Request-Id") ?? resolveRequestId(null);
  const help = `</docs/errors#${code}>; rel="help"`;
  const wait = status === 503 && { "Retry-After": "1" };
  sendReply(response, createErrorReply(status, { error, code }, { "X-Request-Id": String(id), Link: help, ...wait }));
}

/** A browser gets a page that reloads itself each second. */
function sendStarting({ headers, url = "" }: IncomingMessage, response: ServerResponse, reason: string): void {
  const isBrowser = !API_PATH.test(url) && headers.accept?.includes("text/html");
  const own = { "X-Request-Id": resolveRequestId(null), "Retry-After": "1", Refresh: "1" };
  if (!isBrowser) sendError(response, 503, `${reason}. Try again.`);
  else sendReply(response, createErrorPage(503, "This page reloads automatically.", own, reason));
}

/** Sends a reply. The rest of the request's body is not read. */
export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  if (!response.req.complete) response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(body);
}
