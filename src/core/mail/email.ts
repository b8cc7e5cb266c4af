import { z } from "zod";
import type { RECEIPTS } from "@/core/db/schema";

/** No address with more characters can be mailed to (RFC 5321). */
export const LONGEST_ADDRESS = 254;

/** Most test mails that a key may have sent in one UTC day. */
export const TEST_MAILS_A_DAY = 3;

export const Mail = z.object({
  /** Absent where the mailer has no sender of its own. */
  from: z.string().optional(),
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  headers: z.record(z.string(), z.string()),
  /** What the mail service's own records and events name the mail by: letters, digits, `_` and `-` only. */
  tags: z.record(z.string(), z.string()).default({}),
  /** The same key with the same mail is accepted once, however often it is sent. */
  idempotencyKey: z.string(),
});

/** A mail ready to leave. */
export type Mail = z.output<typeof Mail>;

/** Where mails leave the service. */
export interface Mailer {
  readonly name: "outbox" | "resend" | "log";
  /** The sender of mails that name none. */
  readonly from?: string;
  /**
   * Resolves once the mail has been accepted, with the id by which the mail service knows it; null where it has none.
   * @param requireWanted asked right before anything is handed over; what it throws is thrown on
   * @throws DestinationError; whether the outcome is known is in it, and of anything else it is not
   */
  send(mail: Mail, requireWanted: () => void): Promise<string | null>;
}

/** What a mail service tells, later, of a mail that it had accepted. */
export interface MailEvent {
  /** The same event told again has the same id. */
  id: string;
  at: Date;
  messageId: string;
  /** From the mail's tags; null for a mail that belongs to no delivery. */
  deliveryId: string | null;
  /** From the tags of a mail of a key that belongs to no delivery: a test, or a link to confirm. */
  keyId: string | null;
  recipients: string[];
  receipt: (typeof RECEIPTS)[number];
  /** In the service's words. */
  detail: string | null;
  /** The address cannot be reached for good, or does not want mails. */
  endsMails: boolean;
}
