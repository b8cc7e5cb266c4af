import { z } from "zod";

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
  readonly name: "outbox" | "resend";
  /** The sender of mails that name none. */
  readonly from?: string;
  /**
   * Resolves once the mail has been accepted, with the id by which the mail service knows it; null where it has none.
   * @throws DestinationError, or anything else where the outcome is not known
   */
  send(mail: Mail): Promise<string | null>;
}
