import { cron, type Inngest } from "inngest";
import { alertCreated } from "@/core/jobs";
import { type DeliveryContext, deliver, findStranded, giveUp, SWEEP_AFTER } from "./service";

/**
 * The functions that tell of alerts. Mail and monitoring channel have a function each, with its own throttle,
 * limit and retries, so that neither ever waits for the other.
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
  destination: "email" | "monitoring";
  perSecond: number;
}

function deliveryJob(inngest: Inngest, ctx: DeliveryContext, { id, destination, perSecond }: DeliveryJob) {
  return inngest.createFunction(
    {
      id,
      triggers: [alertCreated],
      retries: 8,
      throttle: { limit: perSecond, period: "1s" },
      // A destination that hangs must not hold all the engine's requests.
      concurrency: perSecond,
      onFailure: ({ error, event }) => giveUp(ctx, event.data.event.data.alertId, destination, error.message),
    },
    ({ event, step }) => step.run("deliver", () => deliver(ctx, event.data.alertId, destination)),
  );
}

/** Takes up what a crash left undelivered. Its events have ids of their own, since the engine drops known ones. */
function sweep(inngest: Inngest, ctx: DeliveryContext) {
  return inngest.createFunction(
    { id: "sweep-deliveries", triggers: [cron("TZ=UTC */10 * * * *")], retries: 1 },
    async ({ step }) => {
      const stranded = await step.run("find", () => findStranded(ctx, SWEEP_AFTER));
      if (stranded.length > 0)
        await step.sendEvent(
          "resend",
          stranded.map((alertId) => alertCreated.create({ alertId })),
        );
    },
  );
}
