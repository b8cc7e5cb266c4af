import { readFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { z } from "zod";
import type { AppError } from "@/core/errors";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "@/core/http/client-address";
import { DATABASE_RETRY_SECONDS } from "@/core/http/failure";
import { PAGE_HEADER, type Pages } from "@/core/http/pages";
import { REQUEST_ID_HEADER, requestIdOf } from "@/core/http/request-id";
import { parseUrl } from "@/core/http/url";
import type { Log } from "@/core/log/log";
import { keptPath } from "@/features/keys/requests.rules";

const STATE_TREE = "next-router-state-tree";
const PREFETCH = "next-router-prefetch";
/** Where one does not hold Next answers 500; without them a file is answered whole. */
const FILE_CONDITIONS = ["range", "if-range", "if-match", "if-unmodified-since"];
/** So much of it tells what Next asks of it; it is looked through in a time that grows with the square of its length. */
const LONGEST_USER_AGENT = 512;
/** Next looks through a page's parameters in such a time too. */
const MOST_PARAMETERS = 100;
/** The methods that Next hands to route handlers. */
const ROUTED_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Whoever takes longer to send a request is cut off, so that nobody holds what others need. */
export const CUT_OFF = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
/** As is a connection on which nothing moves for so long, such as one whose client does not read its answer. */
export const SILENCE_MS = 120_000;
/** And one that asks for so much more before it has read what it asked for. */
const MOST_UNANSWERED = 32;
/** A connection may lie idle for longer than proxies keep theirs: one that is just being ended would lose what they send. */
export const IDLE = { keepAliveTimeout: 130_000 };
/** Descriptors that are left for files, and for connections of our own. */
const KEPT_FREE = 512;

/**
 * Connections that may stand at once; undefined where the system sets no limit. Beyond it they are closed at once: a page
 * whose files could not be opened the first time would fail for as long as the process lives.
 */
export async function mostConnections(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const descriptors = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
  return descriptors > 0 ? descriptors - Math.min(KEPT_FREE, Math.ceil(descriptors / 2)) : undefined;
}

/** What each connection has not been answered yet; the first of it is at work, or was answered just now. */
const unanswered = new WeakMap<Socket, (() => void)[]>();
const ANSWERED = () => {};

/**
 * Takes on what a connection asks for one after another. Node would hand on all of it at once, and tell a response that
 * waits behind another nothing when their connection closes: it would hold whatever it has for ever.
 */
export function takeInTurn({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
  const asked = unanswered.get(socket) ?? [];
  unanswered.set(socket, asked);
  asked.push(handle);
  const left = asked[0] === ANSWERED ? asked.length - 1 : asked.length;
  if (left > MOST_UNANSWERED) return void socket.destroy();
  // What comes next waits until the process has heard of others: it may have been asked for long ago, in one breath.
  const goOn = () => {
    asked.shift();
    if (socket.writable) asked[0]?.();
  };
  response.once("close", () => {
    asked[0] = ANSWERED;
    setImmediate(goOn);
  });
  if (asked.length === 1) handle();
}

/**
 * Puts what a request asks for into the plain form, without the host that proxies may write before it.
 * @returns whether it is a path that can be looked up, at a host that can be one
 */
export function readTarget(request: IncomingMessage): boolean {
  // As HTTP/1.0 leaves it out.
  request.headers.host ??= "localhost";
  if (!isHost(request.headers.host)) return false;
  const target = (request.url ?? "").replace(/^https?:\/\/[^/?#]*/i, "");
  request.url = target.startsWith("?") || target === "" ? `/${target}` : target;
  if ((!target.startsWith("/") && request.url === target) || target.includes("#")) return false;
  return isUnderApi(request) || (!isRoundabout(pathOf(request)) && isDecodable(pathOf(request)));
}

/** A name or address with a port: no user, path or query, nor letters that would become others. */
const HOST = /^[\w.:[\]-]+$/;
let latestHost = { text: "localhost", isOne: true };

function isHost(text: string): boolean {
  // Nearly every request names the same.
  if (text !== latestHost.text)
    latestHost = { text, isOne: HOST.test(text) && parseUrl(`http://${text}`) !== null };
  return latestHost.isOne;
}

/** Whether a path leads elsewhere than it seems to: Next would follow its dots after all has been decided by its start. */
function isRoundabout(path: string): boolean {
  return /(^|[\\/])(\.|%2e){1,2}([\\/]|$)/i.test(path);
}

/** Of catch-all, optional catch-all and single parameters, the first and last also where a route is intercepted. */
const PARAMETER_KINDS = "c ci(..)(..) ci(.) ci(..) ci(...) oc d di(..)(..) di(.) di(..) di(...)".split(" ");
const Segment = z.union([
  z.string(),
  z.tuple([z.string(), z.string(), z.enum(PARAMETER_KINDS), z.array(z.string()).nullable()]),
]);
/** Each has a brace of its own. */
const MOST_SEGMENTS = 100;
const REFRESHES = ["refetch", "inside-shared-layout", "metadata-only"];
/** The layouts and pages that Next's client shows, in the form that Next accepts. */
const StateTree = z.tuple([
  Segment,
  z.lazy((): z.ZodType => z.record(z.string(), StateTree)),
  z.tuple([z.string(), z.string()]).nullish(),
  z.enum(REFRESHES).nullish(),
  z.number().nullish(),
  z.string().optional(),
]);

/** Takes away from a request for a page or a file what Next fails on and what no browser needs. */
export function keepAnswerable(request: IncomingMessage): void {
  const { headers } = request;
  if (isBuiltFile(request)) for (const name of FILE_CONDITIONS) delete headers[name];
  const userAgent = headers["user-agent"];
  if (userAgent !== undefined) headers["user-agent"] = userAgent.slice(0, LONGEST_USER_AGENT);
  // By 2 and 3 Next makes a page ahead of its reader, and logs that ours ask for the time of day.
  if (headers[PREFETCH] !== "1") delete headers[PREFETCH];
  keepStateTree(headers);
}

/** Next's own client tells by it which page it shows; Next fails on any other text, and on one that is nested too deep. */
function keepStateTree(headers: IncomingMessage["headers"]): void {
  const told = headers[STATE_TREE];
  if (told === undefined) return;
  delete headers[STATE_TREE];
  const tree = readStateTree(String(told));
  // Written anew, so that Next reads nothing that was not checked.
  if (tree) headers[STATE_TREE] = encodeURIComponent(JSON.stringify(tree));
}

function readStateTree(told: string): unknown {
  try {
    const text = decodeURIComponent(told);
    return text.split("{").length > MOST_SEGMENTS ? undefined : StateTree.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Says that what was asked for is no path. */
export const answerUnreadable: RequestListener = (_request, response) =>
  answerError(
    response,
    400,
    "What is asked for must be a path, with % before two hexadecimal digits only, and the Host header must name a host",
  );

/** So many built files are made smaller at once, each of which takes some 300 KB for as long as its reader takes. */
const MOST_COMPRESSED = 100;
let compressed = 0;

/** Has Next hand out a built file as it is where many are being compressed for others already. */
export function compressFew({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers["accept-encoding"] === undefined) return;
  if (compressed >= MOST_COMPRESSED) return void delete headers["accept-encoding"];
  compressed += 1;
  response.once("close", () => {
    compressed -= 1;
  });
}

const PAGE_METHODS = new Set(["GET", "HEAD"]);

/**
 * Answers what is neither the API's nor a page's: Next would take in a body of megabytes before it looks for the page,
 * take seconds for a query of thousands of parameters, and serves route handlers under a second address.
 * @returns whether it was answered
 */
export function answeredAsNoPage(request: IncomingMessage, response: ServerResponse): boolean {
  if (!PAGE_METHODS.has(request.method ?? "")) {
    response.setHeader("Allow", "GET, HEAD");
    answerError(response, 405, "The method must be one of GET, HEAD");
    return true;
  }
  if ((request.url ?? "").split("&").length > MOST_PARAMETERS) {
    answerError(response, 400, `The query must not have more than ${MOST_PARAMETERS} parameters`);
    return true;
  }
  if (!pathOf(request).startsWith("/_") || isBuiltFile(request)) return false;
  answerError(response, 404, "There is no such path");
  return true;
}

/** So long after its connection has closed a page may still be at work. */
const AFTERMATH_MS = 1000;

/**
 * Resolves with the work for an answer, or soon after the connection that waits for it has closed: where that happens
 * while Next writes a file, its work never ends.
 */
export async function untilClosed(response: ServerResponse, work: Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    const settle = () => setTimeout(resolve, AFTERMATH_MS).unref();
    if (response.destroyed) settle();
    else response.once("close", settle);
  });
  return Promise.race([work, closed]);
}

/** So long a client that is answered before it has sent everything may go on sending. */
const LINGER_MS = 2_000;

/**
 * Has an answer that goes out before all of its request has come say that the connection ends with it, as what else
 * comes on it is not heeded; and has it end when the client has read the answer, which a reset would take from it.
 */
export function endIfUnread(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  // Node reads no more of what came with a request for another protocol.
  if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const { writeHead } = response;
  response.writeHead = (...head: unknown[]): ServerResponse => {
    if (!request.complete) {
      response.shouldKeepAlive = false;
      socket.destroySoon = () => {
        socket.end();
        setTimeout(() => socket.destroy(), LINGER_MS).unref();
      };
    }
    return Reflect.apply(writeHead, response, head);
  };
}

/** Has a page that fails for want of the database say that it may be tried again: Next knows no other failure than 500. */
export function answerUnavailable(
  { headers }: IncomingMessage,
  response: ServerResponse,
  pages: Pages,
): void {
  const page = pages.begin();
  headers[PAGE_HEADER] = page.id;
  response.once("close", page.end);
  const { writeHead } = response;
  response.writeHead = (status: number, ...more: unknown[]): ServerResponse => {
    const isAway = status === 500 && page.isUnavailable();
    if (isAway) response.setHeader("Retry-After", String(DATABASE_RETRY_SECONDS));
    return Reflect.apply(writeHead, response, [isAway ? 503 : status, ...more]);
  };
}

/** Says that it cannot be answered right now, as where more is under way than can be served. */
export function answerBusy(response: ServerResponse, { message, retryAfter }: AppError): void {
  response.setHeader("Retry-After", String(retryAfter ?? 1));
  answerError(response, 503, message);
}

/** Whether it is a file of the build, which costs little to hand out. */
export function isBuiltFile(request: IncomingMessage): boolean {
  return pathOf(request).startsWith("/_next/static/");
}

/** Whether the API answers for it. */
export function isUnderApi(request: IncomingMessage): boolean {
  return /^\/api([\\/]|$)/.test(pathOf(request));
}

/**
 * Requests under /api that Next would answer by itself, in HTML or with a redirect, go to the API's own handlers: an
 * odd path as an unknown one, an odd method as one that no path has.
 */
export function keepUnderApi(request: IncomingMessage): void {
  const path = pathOf(request);
  // Headers of Next's own client, by which its router would redirect.
  for (const name of Object.keys(request.headers))
    if (/^(rsc|next-router-.*|x-middleware-.*)$/.test(name)) delete request.headers[name];
  if (!ROUTED_METHODS.has(request.method ?? "")) request.method = "OPTIONS";
  if (path.includes("//") || path.includes("\\") || isRoundabout(path) || !isDecodable(path))
    request.url = "/api/unknown";
}

/** Tells the rest of the process where a request came from, in place of whatever a client says of it. */
export function tellClientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): void {
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",");
  const remote = request.socket.remoteAddress ?? "";
  const address = clientAddress(remote, forwarded, isTrusted);
  request.headers[CLIENT_ADDRESS_HEADER] = address;
  // What serves the API reads the headers as they came.
  const { rawHeaders } = request;
  for (let place = rawHeaders.length - 2; place >= 0; place -= 2)
    if (isOwnHeader(rawHeaders[place] ?? "")) rawHeaders.splice(place, 2);
  rawHeaders.push(CLIENT_ADDRESS_HEADER, address);
}

function isOwnHeader(name: string): boolean {
  return name.length === CLIENT_ADDRESS_HEADER.length && name.toLowerCase() === CLIENT_ADDRESS_HEADER;
}

/**
 * Gives the request for a page its id, which the answer carries and a page that has to can show, and logs what became
 * of it. The API does so itself; scripts and styles are not worth a line.
 */
export function followPage(request: IncomingMessage, response: ServerResponse, log: Log): void {
  const requestId = requestIdOf([request.headers[REQUEST_ID_HEADER]].flat()[0]);
  request.headers[REQUEST_ID_HEADER] = requestId;
  response.setHeader("X-Request-Id", requestId);
  const path = pathOf(request);
  if (path.startsWith("/_next/")) return;
  const { method } = request;
  response.once("finish", () =>
    log.info({ requestId, method, path: keptPath(path), status: response.statusCode }, "page"),
  );
}

/** Until the service can serve, it says so. */
export const answerStarting = answerUnready("The service is starting; please try again");

/** What whoever comes when it is about to end is told. */
export const STOPPING = "The service is stopping; please try again";
export const answerStopping = answerUnready(STOPPING);

function answerUnready(error: string): RequestListener {
  return (_request, response) => {
    response.setHeader("Retry-After", "1");
    answerError(response, 503, error);
  };
}

function answerError(response: ServerResponse, status: number, error: string): void {
  const isForReader = !isUnderApi(response.req) && /\btext\/html\b/.test(response.req.headers.accept ?? "");
  response.writeHead(status, {
    "Content-Type": `${isForReader ? "text/html" : "application/json"}; charset=utf-8`,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "private, no-store",
    "X-Request-Id": String(response.getHeader("X-Request-Id") ?? requestIdOf(null)),
    "X-Content-Type-Options": "nosniff",
  });
  response.end(isForReader ? plainPage(error) : JSON.stringify({ error }));
}

/** Words alone, for a browser's reader: no page of ours can be made. @param words with nothing that HTML would read */
function plainPage(words: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Creator Growth Tracking Service</title>
<p>${words}.</p>
`;
}

function pathOf(request: IncomingMessage): string {
  const [path = ""] = (request.url ?? "").split("?");
  return path;
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
