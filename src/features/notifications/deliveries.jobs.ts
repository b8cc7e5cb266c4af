import { cron, type Inngest, RetryAfterError } from "inngest";
import { alertCreated, deliveryLeft, EVENTS_PER_SEND, inChunks } from "@/core/jobs/jobs";
import { isDestinationError } from "@/core/mail/destination";
import { SECOND } from "@/core/time";
import { type DeliveryContext, type Destination, deliver } from "./deliveries.service";
import { sweepStranded } from "./sweep.service";

/** Mail and monitoring have a function each, with its own throttle, limit and retries, so that neither waits for the other. */
export function deliveryJobs(inngest: Inngest, ctx: DeliveryContext) {
  return [
    deliveryJob(inngest, ctx, "email", "email-alert", 2),
    deliveryJob(inngest, ctx, "monitoring", "monitor-alert", 1),
    sweep(inngest, ctx),
  ];
}

function deliveryJob(
  inngest: Inngest,
  ctx: DeliveryContext,
  destination: Destination,
  id: string,
  perSecond: number,
) {
  return inngest.createFunction(
    {
      id,
      triggers: [alertCreated, deliveryLeft[destination]],
      retries: 8,
      throttle: { limit: perSecond, period: "1s" },
      // A destination that hangs must not occupy the whole engine.
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

/** Passes the destination's wait to the engine, plus a second, because Inngest retries up to a second early. */
function withWait(error: unknown): unknown {
  if (!isDestinationError(error) || !error.retryAfter) return error;
  return new RetryAfterError(error.message, (error.retryAfter + 1) * SECOND);
}

/** Delivers what a crash left behind. Its events have new ids, because the engine drops known ones. */
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
