import { cron, type Inngest, RetryAfterError } from "inngest";
import { isDestinationError } from "@/core/mail/destination";
import { toChunks } from "@/core/parallel";
import { SECOND } from "@/core/time";
import { alertCreated, createRetryEvent, deliveryLeft, digestWaiting } from "@/features/events";
import { EVENTS_PER_SEND } from "@/jobs/client";
import { type DeliveryContext, type Destination, deliver, deliverDigest } from "./deliveries.service";
import { DIGEST_SCHEDULE } from "./digests.rules";
import { planDigests } from "./digests.service";
import { sweepStranded } from "./sweep.service";

/**
 * Mail and monitoring have a function each, with its own throttle, limit and retries, so that neither waits for the other.
 * @param maySendDigests whether the platform's terms allow digests
 */
export function createDeliveryJobs(inngest: Inngest, ctx: DeliveryContext, maySendDigests: boolean) {
  const email = { destination: "email", id: "email-alert", perSecond: 2 } as const;
  const monitoring = { destination: "monitoring", id: "monitor-alert", perSecond: 1 } as const;
  return [
    inngest.createFunction(
      { ...getPaceOptions(ctx, email), triggers: [alertCreated, deliveryLeft.email, digestWaiting] },
      async ({ event: { data } }) => {
        if ("alertId" in data) return deliver(ctx, data.alertId, "email").catch(rethrow);
        if (maySendDigests) await deliverDigest(ctx, data.digestId).catch(rethrow);
      },
    ),
    inngest.createFunction(
      { ...getPaceOptions(ctx, monitoring), triggers: [alertCreated, deliveryLeft.monitoring] },
      ({ event }) => deliver(ctx, event.data.alertId, "monitoring").catch(rethrow),
    ),
    createSweepJob(inngest, ctx),
    createWeeklyDigestsJob(inngest, ctx, maySendDigests),
  ];
}

interface Pace {
  destination: Destination;
  id: string;
  perSecond: number;
}

function getPaceOptions(ctx: DeliveryContext, { destination, id, perSecond }: Pace) {
  return {
    id,
    retries: 8,
    throttle: { limit: perSecond, period: "1s" },
    // A destination that hangs must not block the engine.
    concurrency: perSecond,
    // Saving the state of a throttled run between its requests halves the pace.
    checkpointing: false,
    // The sweep goes on trying for as long as the email may still be sent.
    onFailure: async ({ error, event }: { error: Error; event: { data: { event: { data: object } } } }) => {
      ctx.log.error(
        { ...event.data.event.data, destination, problem: error.message },
        "a delivery keeps failing",
      );
    },
  } as const;
}

/** Passes on the destination's wait. */
function rethrow(error: unknown): never {
  throw toRetryError(error);
}

/** Passes the destination's wait to the engine, plus a second, because Inngest retries up to a second early. */
function toRetryError(error: unknown): unknown {
  if (!isDestinationError(error) || !error.retryAfter) return error;
  return new RetryAfterError(error.message, (error.retryAfter + 1) * SECOND);
}

/** Retries deliveries that a crash interrupted. Events get new ids, because the engine drops known ones. */
function createSweepJob(inngest: Inngest, ctx: DeliveryContext) {
  return inngest.createFunction(
    { id: "sweep-deliveries", triggers: [cron("TZ=UTC */10 * * * *")], retries: 1 },
    async ({ step }) => {
      const stranded = await step.run("find", () => sweepStranded(ctx));
      for (const [index, left] of toChunks(stranded, EVENTS_PER_SEND).entries())
        await step.sendEvent(`resend-${index}`, left.map(createRetryEvent));
    },
  );
}

/** Plans the digests that are due and sends their mails. */
function createWeeklyDigestsJob(inngest: Inngest, ctx: DeliveryContext, maySendDigests: boolean) {
  return inngest.createFunction(
    { id: "weekly-digests", triggers: [cron(DIGEST_SCHEDULE)], retries: 3 },
    async ({ step }) => {
      const planned = await step.run("plan", async () =>
        maySendDigests ? planDigests(ctx) : ([] as string[]),
      );
      for (const [index, ids] of toChunks(planned, EVENTS_PER_SEND).entries())
        await step.sendEvent(
          `send-${index}`,
          ids.map((digestId) => digestWaiting.create({ digestId })),
        );
    },
  );
}
