import { cron, type Inngest, RetryAfterError } from "inngest";
import { alertCreated, deliveryLeft, EVENTS_PER_SEND, inChunks } from "@/core/jobs/jobs";
import { isDestinationError } from "@/core/mail/destination";
import { SECOND } from "@/core/time";
import { type DeliveryContext, type Destination, deliver, sweepStranded } from "./deliveries.service";

/**
 * The functions that deliver alerts. Email and monitoring channel have a function each, with its own throttle, limit and
 * retries, so that neither waits for the other.
 */
export function deliveryJobs(inngest: Inngest, ctx: DeliveryContext) {
  return [
    deliveryJob(inngest, ctx, { id: "email-alert", destination: "email", perSecond: 2 }),
    deliveryJob(inngest, ctx, { id: "monitor-alert", destination: "monitoring", perSecond: 1 }),
    sweep(inngest, ctx),
  ];
}

interface DeliveryJob {
  id: string;
  destination: Destination;
  perSecond: number;
}

function deliveryJob(inngest: Inngest, ctx: DeliveryContext, { id, destination, perSecond }: DeliveryJob) {
  return inngest.createFunction(
    {
      id,
      triggers: [alertCreated, deliveryLeft[destination]],
      retries: 8,
      throttle: { limit: perSecond, period: "1s" },
      // A destination that hangs must not hold all the engine's requests.
      concurrency: perSecond,
      // Saving the state of a throttled run between its requests halves the pace.
      checkpointing: false,
      // The sweep goes on trying for as long as the email may still be sent.
      onFailure: async ({ error, event }) => {
        const { alertId } = event.data.event.data;
        ctx.log.error({ alertId, destination, problem: error.message }, "a delivery keeps failing");
      },
    },
    ({ event }) =>
      deliver(ctx, event.data.alertId, destination).catch((error) => {
        throw withWait(error);
      }),
  );
}

/** Passes a destination's wait on to the engine, with a second more since Inngest may come up to a second early. */
function withWait(error: unknown): unknown {
  if (!isDestinationError(error) || error.retryAfter === null) return error;
  return new RetryAfterError(error.message, (error.retryAfter + 1) * SECOND);
}

/** Takes up what a crash left undelivered. Its events have no ids, since an engine drops an id that it knows. */
function sweep(inngest: Inngest, ctx: DeliveryContext) {
  return inngest.createFunction(
    { id: "sweep-deliveries", triggers: [cron("TZ=UTC */10 * * * *")], retries: 1 },
    async ({ step }) => {
      const stranded = await step.run("find", () => sweepStranded(ctx));
      for (const [index, left] of inChunks(stranded, EVENTS_PER_SEND).entries())
        await step.sendEvent(
          `resend-${index}`,
          left.map(({ alertId, destination }) => deliveryLeft[destination].create({ alertId })),
        );
    },
  );
}
