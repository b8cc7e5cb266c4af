import { type ClientOptions, eventType, Inngest, Middleware } from "inngest";
import { z } from "zod";
import { withoutParameters } from "@/db/client";

/** Names the app to Inngest, which finds functions and steps again by it: it must never change. */
const APP_ID = "creator-growth";

/** Work of a day's run that no job works on: all that is open, or what failed, as of its latest plan or of a number of plans. */
export const runRequested = eventType("snapshot/run.requested", {
  schema: z.object({
    day: z.iso.date(),
    scope: z.enum(["open", "failed"]),
    plans: z.int().min(0).optional(),
  }),
});

/** One batch of a day's run is ready to be read. */
export const batchPlanned = eventType("snapshot/batch.planned", {
  schema: z.object({ day: z.iso.date(), batch: z.int().min(0) }),
});

const alert = z.object({ alertId: z.uuid() });

export const alertCreated = eventType("alert/created", { schema: alert });

/** A delivery of an alert was left undone. Each destination has its own event. */
export const deliveryLeft = {
  email: eventType("delivery/email.left", { schema: alert }),
  monitoring: eventType("delivery/monitoring.left", { schema: alert }),
};

/** The mail of a digest is to be sent, or was left undone. */
export const digestWaiting = eventType("digest/mail.waiting", {
  schema: z.object({ digestId: z.uuid() }),
});

/** The event that has a delivery tried again. */
export function leftEvent(left: LeftDelivery) {
  if ("digestId" in left) return digestWaiting.create({ digestId: left.digestId });
  return deliveryLeft[left.destination].create({ alertId: left.alertId });
}

type LeftDelivery = { destination: keyof typeof deliveryLeft } & ({ alertId: string } | { digestId: string });

/** The index entry of a niche is due to be renewed. */
export const renewalRequested = eventType("niche/renewal.requested", {
  schema: z.object({ niche: z.string() }),
});

/** The most events one call may send. */
export const EVENTS_PER_SEND = 5000;

/** Keeps the parameters of failed queries from the engine and its log. */
class WithoutParameters extends Middleware.BaseMiddleware {
  readonly id = "without-parameters";

  override wrapStepHandler({ next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    return next().catch(rethrow);
  }

  override wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    return next().catch(rethrow);
  }
}

function rethrow(error: unknown): never {
  throw withoutParameters(error);
}

/**
 * The Inngest client of all functions. Steps run one after another within a request and are saved in tens, so a step
 * must be safe to run twice. `maxRuntime` leaves the step under way time to end: Vercel ends a call after 300 seconds, our
 * own server a connection on which nothing moves after 120.
 */
export function createJobClient(options: Omit<ClientOptions, "id">): Inngest {
  return new Inngest({
    id: APP_ID,
    middleware: [WithoutParameters],
    checkpointing: { bufferedSteps: 10, maxInterval: "3s", maxRuntime: "70s" },
    ...options,
  });
}
