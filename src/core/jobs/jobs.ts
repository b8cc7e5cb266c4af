import { eventType, Inngest, Middleware } from "inngest";
import { z } from "zod";
import { withoutParameters } from "@/core/db/client";
import type { Log } from "@/core/log/log";

/** Names the app to Inngest; functions and steps are found again by it, so it never changes. */
const APP_ID = "creator-growth";

/** Work of a day's run that no job works on: all of it that is open, or what failed. */
export const runRequested = eventType("snapshot/run.requested", {
  schema: z.object({ day: z.iso.date(), scope: z.enum(["open", "failed"]), plans: z.int().min(0) }),
});

/** One batch of a day's collection is ready to be read. */
export const batchPlanned = eventType("snapshot/batch.planned", {
  schema: z.object({ day: z.iso.date(), batch: z.int().min(0) }),
});

/** An alert has deliveries to make. */
export const alertCreated = eventType("alert/created", { schema: z.object({ alertId: z.uuid() }) });

const leftOf = (destination: string) =>
  eventType(`delivery/${destination}.left`, { schema: z.object({ alertId: z.uuid() }) });

/** A delivery of an alert was left undone, by its destination, so that what is left of one takes no turn of the other. */
export const deliveryLeft = { email: leftOf("email"), monitoring: leftOf("monitoring") };

/** The index entry of a niche is due to be renewed. */
export const renewalRequested = eventType("niche/renewal.requested", {
  schema: z.object({ niche: z.string() }),
});

/** The most events one call may send. */
export const EVENTS_PER_SEND = 5000;

/** A list in parts of at most `size`. */
export function inChunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, part) =>
    list.slice(part * size, (part + 1) * size),
  );
}

/** The route handlers that an Inngest engine calls. */
export interface ServedJobs {
  GET(request: Request, context?: unknown): Promise<Response>;
  POST(request: Request, context?: unknown): Promise<Response>;
  PUT(request: Request, context?: unknown): Promise<Response>;
}

interface JobClientOptions {
  /** Calls of a dev server are not signed; all others must be. */
  isDev: boolean;
  signingKey?: string;
  eventKey?: string;
  /** Of an Inngest elsewhere than usual. */
  baseUrl?: string;
  fetch?: typeof fetch;
  logger: Log;
}

/** What fails in a job is told to the engine, and by it to its log: without what was asked of the database. */
class Discretion extends Middleware.BaseMiddleware {
  readonly id = "discretion";

  override wrapStepHandler({ next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    return discreetly(next);
  }

  override wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    return discreetly(next);
  }
}

function discreetly(work: () => Promise<unknown>): Promise<unknown> {
  return work().catch((error) => {
    throw withoutParameters(error);
  });
}

/**
 * The Inngest client all functions are made with. Steps run one after another within a request and are saved in
 * tens, so their bodies must be safe to run twice. A request ends well before the host would end it: a serverless
 * one allows the functions' route 300 seconds, our own server ends a connection on which nothing moves for 120, and the
 * step under way when `maxRuntime` is over still comes to its end.
 */
export function createJobClient(options: JobClientOptions): Inngest {
  return new Inngest({
    id: APP_ID,
    middleware: [Discretion],
    checkpointing: { bufferedSteps: 10, maxInterval: "3s", maxRuntime: "70s" },
    ...options,
  });
}
