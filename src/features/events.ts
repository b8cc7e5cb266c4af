import { eventType } from "inngest";
import { z } from "zod";
import type { DestinationName } from "@/db/values";

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

/** A channel rose, and its videos are to be read for the cause. */
export const causeRequested = eventType("alert/cause.requested", {
  schema: z.object({ channelId: z.string(), day: z.iso.date() }),
});

const alert = z.object({ alertId: z.uuid() });
const digest = z.object({ digestId: z.uuid() });

export const DeliverySubject = z.union([alert, digest]);

export const alertCreated = eventType("alert/created", { schema: alert });

/** A delivery of an alert was left undone. Each destination has its own event. */
export const defineDeliveryLeft = (name: DestinationName) => eventType(`delivery/${name}.left`, { schema: alert });

/** The mail of a digest is to be sent, or was left undone. */
export const digestWaiting = eventType("digest/mail.waiting", { schema: digest });

/** The event that has a delivery tried again. */
export function createRetryEvent(stranded: StrandedDelivery) {
  if ("digestId" in stranded) return digestWaiting.create({ digestId: stranded.digestId });
  return defineDeliveryLeft(stranded.destination).create({ alertId: stranded.alertId });
}

type StrandedDelivery = { destination: DestinationName } & z.output<typeof DeliverySubject>;

/** The index entry of a niche is due to be renewed. */
export const renewalRequested = eventType("niche/renewal.requested", { schema: z.object({ niche: z.string() }) });
