import { Resend } from "resend";
import { z } from "zod";
import { AppError } from "@/core/errors";
import { LONGEST_ADDRESS, type MailEvent } from "@/core/mail/email";
import { instant } from "@/core/time";

interface WebhookKeys {
  apiKey: string;
  webhookSecret: string;
}

const LONGEST_DETAIL = 300;
/** Ids of events are a tenth of that. */
const LONGEST_ID = 300;

/**
 * What Resend tells of a mail by its webhook; null for events of which nothing is kept.
 * @throws AppError `unauthorized` for what Resend has not signed within the last five minutes
 */
export function readResendEvent(keys: WebhookKeys, headers: Headers, payload: string): MailEvent | null {
  const id = headers.get("svix-id") ?? "";
  verify(keys, headers, id, payload);
  const event = Event.safeParse(parsed(payload));
  const told = event.success && Object.hasOwn(TOLD, event.data.type) ? TOLD[event.data.type] : undefined;
  if (!event.success || !told) return null;
  const { created_at, data } = event.data;
  return {
    id,
    at: created_at,
    messageId: data.email_id,
    deliveryId: z.uuid().safeParse(data.tags.delivery).data ?? null,
    keyId: data.tags.key ?? null,
    recipients: recipientsOf(data),
    receipt: told.receipt,
    endsMails: told.endsMails(data),
    detail: told.detail(data)?.slice(0, LONGEST_DETAIL) ?? null,
  };
}

/** Always in the same order, so that events told at once do not wait for each other's addresses in a circle. */
function recipientsOf({ to }: Data): string[] {
  const addresses = to
    // Bare, or behind a name in angle brackets.
    .map((recipient) => (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim().toLowerCase())
    .filter(({ length }) => length <= LONGEST_ADDRESS);
  return [...new Set(addresses)].sort();
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload, withoutNul);
  } catch {
    return undefined;
  }
}

/** The database keeps no NUL, which strangers' servers may put into their words. */
function withoutNul(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "") : value;
}

function verify({ apiKey, webhookSecret }: WebhookKeys, headers: Headers, id: string, payload: string) {
  const timestamp = headers.get("svix-timestamp") ?? "";
  const signature = headers.get("svix-signature") ?? "";
  try {
    if (id.length > LONGEST_ID) throw new Error("The id is none of an event");
    new Resend(apiKey).webhooks.verify({ payload, headers: { id, timestamp, signature }, webhookSecret });
  } catch {
    throw new AppError("unauthorized", "The call must be signed by the mail service");
  }
}

const Word = z.string().optional().catch(undefined);
const OwnTags = z.object({ delivery: Word, key: Word });
/** Resend's documentation knows both forms. */
const Tags = z.union([
  z
    .array(z.object({ name: z.string(), value: z.string() }).nullable().catch(null))
    .transform((tags) => OwnTags.parse(Object.fromEntries(tags.map((tag) => [tag?.name, tag?.value])))),
  OwnTags,
]);
/** One that complains is heard, however its address is listed. */
const Recipients = z
  .union([z.string().transform((recipient) => [recipient]), z.array(Word)])
  .transform((recipients) => recipients.flatMap((recipient) => recipient ?? []));

const Data = z.object({
  email_id: z.string().min(1),
  tags: Tags.catch({}),
  to: Recipients.catch([]),
  bounce: z.object({ type: z.string(), subType: z.string(), message: z.string() }).partial().catch({}),
  failed: z.object({ reason: z.string() }).partial().catch({}),
  suppressed: z.object({ type: z.string(), message: z.string() }).partial().catch({}),
});
type Data = z.output<typeof Data>;

/** Not one that no mail can be of: the database does not know the year 10000, to which an offset leads, and of old ones two numbers. */
const Instant = z.iso
  .datetime({ offset: true })
  .transform(instant)
  .refine((at) => at.getTime() >= 0 && at.getUTCFullYear() < 10_000);
const Event = z.object({ type: z.string(), created_at: Instant, data: Data });

interface Told {
  receipt: MailEvent["receipt"];
  endsMails(data: Data): boolean;
  detail(data: Data): string | undefined;
}

const told = (receipt: Told["receipt"], more: Partial<Told> = {}): Told => ({
  receipt,
  endsMails: () => false,
  detail: () => undefined,
  ...more,
});

const sentence = (...words: (string | undefined)[]) => words.filter(Boolean).join(" ") || undefined;

const TOLD: Record<string, Told | undefined> = {
  "email.delivery_delayed": told("delayed"),
  "email.delivered": told("delivered"),
  "email.failed": told("failed", { detail: ({ failed }) => failed.reason }),
  "email.bounced": told("bounced", {
    // A full mailbox or a server that is down may take the next mail.
    endsMails: ({ bounce }) => bounce.type === "Permanent",
    detail: ({ bounce }) => sentence(bounce.type, bounce.subType, bounce.message),
  }),
  // Resend itself keeps addresses that bounced for good or complained, and sends them nothing more.
  "email.suppressed": told("bounced", {
    endsMails: () => true,
    detail: ({ suppressed }) => sentence("Suppressed", suppressed.type, suppressed.message),
  }),
  "email.complained": told("complained", { endsMails: () => true }),
};
