import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

const Reply = z.object({
  status: z.int().min(100).max(599),
  headers: z.record(z.string(), z.string()).optional(),
  /** Text is sent as it is, any other value as JSON. */
  body: z.unknown(),
});

/**
 * What a request gets instead of its answer: another answer, none, or a part of one. Only `lost` and `cut` process the
 * request first.
 */
const Fault = z.union([Reply, z.enum(["silence", "lost", "cut"])]);
export type Fault = z.output<typeof Fault>;

const Control = z.object({
  faults: z.array(Fault.nullable()).optional(),
  failEvery: z
    .object({ every: z.int().min(2), fault: Fault })
    .nullable()
    .optional(),
});

/** A stand-in for an external service: a local server that other processes can use too. */
export interface StandIn {
  url: string;
  /** Faults of the next requests, one each; null lets a request succeed. */
  faults: (Fault | null)[];
  /** Fault of every nth request that has none from `faults`. */
  failEvery: { every: number; fault: Fault } | null;
  /** Number of requests received. */
  requests: number;
  stop(): Promise<void>;
}

interface StandInOptions {
  /** A free port by default. */
  port?: number;
  answer(request: Request): Promise<Response>;
  /** State that other processes can read. */
  getState(): object;
}

const CONTROL = "/stand-in";

/**
 * Starts a stand-in. Other processes read its state with `GET /stand-in` and set `faults` and `failEvery` with
 * `POST /stand-in`.
 */
export async function startStandIn({ port = 0, answer, getState: state }: StandInOptions): Promise<StandIn> {
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: [],
    failEvery: null,
    requests: 0,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await toRequest(incoming, standIn.url);
    if (new URL(request.url).pathname === CONTROL) return send(outgoing, await control(request));
    standIn.requests += 1;
    const fault = takeFault(standIn);
    if (fault === "silence") return;
    if (typeof fault === "object" && fault) return send(outgoing, toResponse(fault));
    const response = await answer(request);
    if (fault === "lost") return void outgoing.destroy();
    return send(outgoing, response, fault === "cut");
  }

  async function control(request: Request): Promise<Response> {
    if (request.method === "POST") Object.assign(standIn, Control.parse(await request.json()));
    return Response.json({ ...state(), requests: standIn.requests });
  }

  return standIn;
}

function takeFault({ faults, failEvery, requests }: StandIn): Fault | null {
  const next = faults.shift();
  if (next !== undefined) return next;
  return failEvery && requests % failEvery.every === 0 ? failEvery.fault : null;
}

async function toRequest(incoming: IncomingMessage, base: string): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = await text(incoming);
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, base), { method, headers: pairs, ...(hasBody && { body }) });
}

function toResponse({ status, headers, body }: z.output<typeof Reply>): Response {
  return typeof body === "string" ? new Response(body, { status, headers }) : Response.json(body, { status, headers });
}

/** Sends an answer, or only half of it. */
async function send(outgoing: ServerResponse, response: Response, isCut = false): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    "content-length": body.length,
  });
  if (!isCut) return void outgoing.end(body);
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
}
