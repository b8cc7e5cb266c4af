import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { SECOND, sleep } from "@/core/time";

/** An answer in place of the service's own. Text is sent as it is, any other body as JSON. */
export interface FixedAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/**
 * What a request gets instead of its answer: another answer, none, or a part of one. Only what was `lost`, `cut` or
 * `swallowed` was processed first; the connection of a lost answer is closed, that of a swallowed one stays silent.
 * `closed` ends the connection in order, `reset` breaks it.
 */
export type Fault = FixedAnswer | "silence" | "closed" | "reset" | "unzippable" | "lost" | "cut" | "swallowed";

/** A request that was received. */
export interface Call {
  method: string;
  /** Path and query as they were sent. */
  url: string;
  /** Below the base path. */
  path: string;
  params: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  /** HTTP status; 0 when the answer was not complete. */
  status: number;
}

interface StandInOptions {
  /** A free port by default. */
  port?: number;
  /** Where the service's paths begin. */
  basePath?: string;
  answer(request: Request, call: Call): Response | Promise<Response>;
}

/** A stand-in for an external service: a local server that can be made to fail. */
export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** Starts a stand-in on this machine. @param options.answer what the service answers while nothing fails */
export async function startStandIn({ port = 0, basePath = "", answer }: StandInOptions) {
  const { state, takeFault } = createFaults();
  const app = new Hono<{ Bindings: HttpBindings }>().all("*", async ({ req, env }) => {
    const { request, call } = await readCall(req.raw, env, basePath);
    state.calls.push(call);
    return answerCall(call, takeFault(call), env, () => answer(request, call));
  });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const listen = async (at: number) => {
    await once(server.listen(at, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  };
  const ownPort = await listen(port);
  return Object.assign(state, {
    url: `http://127.0.0.1:${ownPort}${basePath}`,
    /** Accepts connections again. */
    async restart(): Promise<void> {
      if (!server.listening) await listen(ownPort);
    },
    /** From now on connections are refused. */
    async stop(): Promise<void> {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  });
}

/** The calls of a stand-in, and the faults of those to come. */
function createFaults() {
  const state = {
    calls: [] as Call[],
    /** Faults of the next calls, one each; null lets a call succeed. */
    faults: [] as (Fault | null)[],
    /** Fault of every nth call that has none from `faults`. */
    failEvery: null as { every: number; fault: Fault } | null,
    /** Fault of every call of a path. */
    failPath: {} as Record<string, Fault>,
    /** Fault of every call. */
    outage: null as Fault | null,
    /** Ends all faults and forgets the calls. */
    reset(): void {
      Object.assign(state, { failEvery: null, failPath: {}, outage: null });
      for (const list of [state.calls, state.faults]) list.length = 0;
    },
  };
  return {
    state,
    takeFault({ path }: Call): Fault | null {
      const { outage, failPath, faults, failEvery, calls } = state;
      const next = outage ?? failPath[path] ?? faults.shift();
      if (next !== undefined) return next;
      return failEvery && calls.length % failEvery.every === 0 ? failEvery.fault : null;
    },
  };
}

async function readCall(received: Request, { incoming }: HttpBindings, basePath: string) {
  const { method, url, headers } = received;
  const body = await received.text();
  const { pathname, searchParams } = new URL(url);
  const call: Call = {
    method,
    url: incoming.url ?? "",
    path: pathname.slice(basePath.length + 1),
    params: Object.fromEntries(searchParams),
    headers: Object.fromEntries(headers),
    body,
    status: 0,
  };
  // A whole one: that of the library is none to Node's own fetch.
  return { request: new Request(url, { method, headers, ...(body && { body }) }), call };
}

async function answerCall(
  call: Call,
  fault: Fault | null,
  { incoming, outgoing }: HttpBindings,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  if (fault === "reset") incoming.socket.resetAndDestroy();
  if (fault === "reset" || fault === "silence") return RESPONSE_ALREADY_SENT;
  if (fault === "closed") return destroy(outgoing);
  if (fault === "unzippable") return answerUnzippable(outgoing);
  const response = typeof fault === "object" && fault ? toResponse(fault) : await answer();
  if (fault === "swallowed") return RESPONSE_ALREADY_SENT;
  if (fault === "lost") return destroy(outgoing);
  if (fault === "cut") return cut(outgoing, response);
  call.status = response.status;
  return response;
}

type Outgoing = HttpBindings["outgoing"];

function destroy(outgoing: Outgoing): Response {
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Sends half of an answer. */
async function cut(outgoing: Outgoing, response: Response): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), "content-length": body.length });
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** Answers with a gzip header and, in a packet of its own, a body that is not gzip. */
async function answerUnzippable(outgoing: Outgoing): Promise<Response> {
  outgoing.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": 5 }).flushHeaders();
  await sleep(SECOND / 50);
  outgoing.end("hello");
  return RESPONSE_ALREADY_SENT;
}

export function toResponse({ status, headers, body }: FixedAnswer): Response {
  return typeof body === "string" ? new Response(body, { status, headers }) : Response.json(body, { status, headers });
}
