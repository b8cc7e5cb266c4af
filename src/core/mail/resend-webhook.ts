import { Resend } from "resend";
import { z } from "zod";
import { AppError, withoutNul } from "@/core/errors";
import type { MailEventStatus } from "@/core/mail/email";
import { toDate } from "@/core/time";

const STATUSES = new Map<string, MailEventStatus>([
  ["email.delivery_delayed", "delayed"],
  ["email.delivered", "delivered"],
  ["email.failed", "failed"],
  ["email.bounced", "bounced"],
  // Resend sends nothing more to an address that bounced permanently or complained.
  ["email.suppressed", "bounced"],
  ["email.complained", "complained"],
]);

const Tags = z.object({ delivery: z.uuid().optional().catch(undefined), key: z.string().optional() });
const Reason = z.object({ type: z.string(), subType: z.string(), message: z.string(), reason: z.string() }).partial();
const Event = z.object({
  type: z.string(),
  created_at: z.iso.datetime({ offset: true }).transform(toDate),
  data: z.object({
    email_id: z.string().min(1),
    tags: Tags.default({}),
    to: z.array(z.string()).default([]),
    bounce: Reason.optional(),
    failed: Reason.optional(),
    suppressed: Reason.optional(),
  }),
});

type Keys = { apiKey: string; webhookSecret: string };

/** An event of the mail service about an accepted email. A repeated event has the same id. */
export type MailEvent = NonNullable<ReturnType<typeof readResendEvent>>;

/** Reads an event that Resend signed within the last five minutes; null when the product does not use it. */
export function readResendEvent(keys: Keys, headers: Headers, payload: string) {
  const event = Event.safeParse(verifyPayload(keys, headers, payload));
  const status = event.success ? STATUSES.get(event.data.type) : undefined;
  if (!event.success || !status) return null;
  const { type, created_at, data } = event.data;
  const reason = data.bounce ?? data.failed ?? data.suppressed ?? {};
  const isSuppressed = type === "email.suppressed";
  const words = [isSuppressed && "Suppressed", reason.type, reason.subType, reason.message, reason.reason];
  return {
    id: headers.get("svix-id") ?? "",
    at: created_at,
    messageId: data.email_id,
    /** From the mail's tags. Null for a test or confirmation mail. */
    deliveryId: data.tags.delivery ?? null,
    keyId: data.tags.key ?? null,
    recipients: data.to.map((address) => address.toLowerCase()),
    status,
    /** The address cannot be reached permanently, or its owner complained. */
    // After a transient bounce, such as a full mailbox, the next mail may arrive.
    mustSuppress: status === "complained" || isSuppressed || data.bounce?.type === "Permanent",
    detail: withoutNul(words.filter(Boolean).join(" ")).slice(0, 300) || null,
  };
}

function verifyPayload({ apiKey, webhookSecret }: Keys, headers: Headers, payload: string) {
  const getHeader = (name: string) => headers.get(`svix-${name}`) ?? "";
  const signed = { id: getHeader("id"), timestamp: getHeader("timestamp"), signature: getHeader("signature") };
  try {
    return new Resend(apiKey).webhooks.verify({ payload, headers: signed, webhookSecret });
  } catch {
    throw new AppError("unauthorized", "The call must be signed by the mail service");
  }
}
