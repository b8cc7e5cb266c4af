import { createHash } from "node:crypto";
import { z } from "zod";
import { createLog } from "@/core/log/log";
import { type Clock, systemClock } from "@/core/time";
import { Engine } from "@/jobs/engine";
import { BACKOFF } from "@/jobs/queue";
import { startStandIn } from "./stand-in";

export const INNGEST_SIGNING_KEY = "signkey-test-00112233445566778899aabbccddeeff";
export const INNGEST_EVENT_KEY = "event-key-of-the-stand-in";

const Registration = z.object({ url: z.url(), functions: z.array(z.looseObject({ id: z.string() })) });
const Events = z.array(z.looseObject({ id: z.string().optional(), name: z.string() }));

/**
 * A stand-in for Inngest in cloud mode: takes registrations, events and checkpoints over HTTP and makes signed calls to
 * the app over HTTP. Queue, waits and limits are those of the embedded engine, which follows the same protocol.
 */
export type InngestServer = Awaited<ReturnType<typeof startInngestServer>>;

interface InngestServerOptions {
  port?: number;
  signingKey?: string;
  eventKey?: string;
  /** On the system clock, schedules fire and jobs run as they come; on another, jobs run when drained. */
  clock?: Clock;
  /** How many times shorter the waits after failed attempts are than Inngest's. */
  hurry?: number;
}

export async function startInngestServer(options: InngestServerOptions = {}) {
  const { port, signingKey = INNGEST_SIGNING_KEY, eventKey = INNGEST_EVENT_KEY } = options;
  const { clock = systemClock } = options;
  const engine = createQueue(signingKey, clock, options.hurry);
  const { fetch: loopback } = engine.clientOptions;
  const bearer = `Bearer ${hashKey(signingKey)}`;
  let appUrl = "";

  async function register(request: Request): Promise<Response> {
    const body = await request.text();
    const { url, functions } = Registration.parse(JSON.parse(body));
    appUrl = url;
    if (server.functions.length > 0) return Response.json({ ok: true, modified: false });
    await engine.register({
      POST: async (call) => {
        if (server.isRepeating) await callApp(call.clone());
        return callApp(call);
      },
      PUT: async () => {
        const answer = await loopback(new Request(request.url, { method: "POST", body }));
        return Response.json({ message: await answer.text() }, { status: answer.status });
      },
    });
    server.functions = functions.map(({ id }) => id);
    if (clock === systemClock) engine.start();
    return Response.json({ ok: true, modified: true });
  }

  async function callApp(call: Request): Promise<Response> {
    const { search, searchParams } = new URL(call.url);
    server.steps.push(`${searchParams.get("fnId")} ${searchParams.get("stepId")}`);
    const headers = new Headers(call.headers);
    headers.delete("host");
    headers.set("x-inngest-server-kind", "cloud");
    return fetch(`${appUrl}${search}`, { method: "POST", headers, body: await call.text() });
  }

  async function receive(request: Request, key: string): Promise<Response> {
    if (key !== eventKey) return refuse(401, "Event key not found");
    const copy = request.clone();
    server.events.push(...Events.parse([await copy.json()].flat()));
    return loopback(request);
  }

  const standIn = await startStandIn({
    port,
    answer: async (request, { path, headers }) => {
      const [, key] = /^e\/([^/]+)$/.exec(path) ?? [];
      if (key) return receive(request, decodeURIComponent(key));
      if (headers.authorization !== bearer) return refuse(401, "Unauthorized");
      if (path === "fn/register") return register(request);
      if (path.startsWith("v1/checkpoint/")) return loopback(request);
      return refuse(404, "Not found");
    },
  });
  const { stop } = standIn;
  const server = Object.assign(standIn, {
    /** Fires schedules and, on a manual clock, runs what is queued. */
    engine,
    /** Ids of the functions of the registered app. */
    functions: [] as string[],
    events: [] as z.output<typeof Events>,
    /** Calls made to the app: function and step. */
    steps: [] as string[],
    /** Whether each call is repeated after its answer, as after a lost answer. */
    isRepeating: false,
    stop: async () => {
      await engine.stop();
      await stop();
    },
  });
  return server;
}

function createQueue(signingKey: string, clock: Clock, hurry = 1): Engine {
  const backoff = BACKOFF.map((wait) => wait / hurry);
  return new Engine({ signingKey, clock, log: createLog({ level: "silent" }), maxParallel: 10, backoff });
}

/** The form in which an app proves that it knows its signing key. */
function hashKey(signingKey: string): string {
  const [, prefix = "", key = ""] = /^(signkey-\w+-)?(.*)$/.exec(signingKey) ?? [];
  return prefix + createHash("sha256").update(Buffer.from(key, "hex")).digest("hex");
}

function refuse(status: number, error: string): Response {
  return Response.json({ error, status }, { status });
}
