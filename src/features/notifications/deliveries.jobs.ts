import { type GetStepTools, type Inngest, RetryAfterError } from "inngest";
import { isDestinationError } from "@/core/mail/destination";
import { SECOND, toDate } from "@/core/time";
import type { DestinationName } from "@/db/values";
import { isCausePending } from "@/features/alerts/cause.service";
import { alertCreated, createRetryEvent, DeliverySubject, defineDeliveryLeft, digestWaiting } from "@/features/events";
import { createScheduledJob, sendEventsInSteps } from "@/jobs/client";
import { deliver, deliverDigest, sweepStranded } from "./deliveries.service";
import type { DeliveryContext, Destination } from "./destinations/port.service";
import { destinations } from "./destinations.service";
import { DIGEST_SCHEDULE } from "./digests.rules";
import { planDigests } from "./digests.service";

/**
 * Each destination has its own function, with its own pace and retries, so that none waits for another.
 * @param maySendDigests whether the platform's terms allow digests
 */
export function createDeliveryJobs(inngest: Inngest, ctx: DeliveryContext, maySendDigests: boolean) {
  return [
    ...destinations.map((destination) => createDeliveryJob(inngest, ctx, destination, maySendDigests)),
    // Retries deliveries that a crash interrupted. Events get new ids, because the engine drops known ones.
    createScheduledJob(inngest, { id: "sweep-deliveries", at: "*/10 * * * *", retries: 1 }, async (step) => {
      const stranded = await step.run("find", () => sweepStranded(ctx));
      await sendEventsInSteps(step, "resend", stranded.map(createRetryEvent));
    }),
    ...destinations
      .filter(({ hasDigests }) => hasDigests)
      .map(({ name }) => createWeeklyDigestsJob(inngest, ctx, name, maySendDigests)),
  ];
}

function createDeliveryJob(inngest: Inngest, ctx: DeliveryContext, destination: Destination, maySendDigests: boolean) {
  const { name, hasDigests } = destination;
  const triggers = [alertCreated, defineDeliveryLeft(name), ...(hasDigests ? [digestWaiting] : [])];
  return inngest.createFunction({ ...getPaceOptions(ctx, destination), triggers }, async ({ event, step }) => {
    const subject = DeliverySubject.parse(event.data);
    if ("alertId" in subject) {
      await waitForCause(ctx, step, subject.alertId);
      await deliver(ctx, subject.alertId, name).catch(rethrow);
    } else if (maySendDigests) await deliverDigest(ctx, subject.digestId).catch(rethrow);
  });
}

/** How long a message waits for the cause of its alert between two looks: a minute in all. */
const CAUSE_WAITS = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * SECOND);

async function waitForCause(ctx: DeliveryContext, step: GetStepTools<Inngest>, alertId: string): Promise<void> {
  for (const wait of CAUSE_WAITS) {
    if (!(await isCausePending(ctx, alertId))) return;
    await step.sleepUntil(`cause-${wait}`, toDate(ctx.clock.now().getTime() + wait));
  }
}

function getPaceOptions(ctx: DeliveryContext, { name, jobId, perSecond }: Destination) {
  return {
    id: jobId,
    retries: 8,
    throttle: { limit: perSecond, period: "1s" },
    // A destination that hangs must not block the engine.
    concurrency: perSecond,
    // Saving the state of a throttled run between its requests halves the pace.
    checkpointing: false,
    // The sweep goes on trying for as long as the email may still be sent.
    onFailure: async ({ error, event }: { error: Error; event: { data: { event: { data: object } } } }) => {
      const delivery = { ...event.data.event.data, destination: name };
      ctx.log.error({ ...delivery, problem: error.message }, "a delivery keeps failing");
    },
  } as const;
}

/** Passes the destination's wait to the engine, plus a second, because Inngest retries up to a second early. */
function rethrow(error: unknown): never {
  if (!isDestinationError(error) || !error.retryAfter) throw error;
  throw new RetryAfterError(error.message, (error.retryAfter + 1) * SECOND);
}

/** Plans the digests that are due and sends their mails. */
function createWeeklyDigestsJob(inngest: Inngest, ctx: DeliveryContext, name: DestinationName, isAllowed: boolean) {
  return createScheduledJob(inngest, { id: "weekly-digests", at: DIGEST_SCHEDULE, retries: 3 }, async (step) => {
    const planned = await step.run("plan", async (): Promise<string[]> => (isAllowed ? planDigests(ctx, name) : []));
    const events = planned.map((digestId) => digestWaiting.create({ digestId }));
    await sendEventsInSteps(step, "send", events);
  });
}
