import { z } from "zod";
import type { Log } from "@/core/log/log";

/** Longest address that can receive mail (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

export const MAX_TEST_EMAILS_PER_DAY = 3;

export const Mail = z.object({
  from: z.string().optional(),
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Names the mail in the mail service's records and events: letters, digits, `_` and `-` only. */
  tags: z.record(z.string(), z.string()).default({}),
  /** The mail service accepts a mail once per key, however often it is sent. */
  idempotencyKey: z.string(),
});

export type Mail = z.output<typeof Mail>;

export interface Mailer {
  readonly name: "outbox" | "resend" | "log";
  readonly from?: string;
  /** Resolves once the mail is accepted, with its id at the mail service if any. @throws DestinationError */
  send(mail: Mail): Promise<string | null>;
  /** Deletes mails that it keeps itself; left out where it keeps none. */
  forget?(isOver: (kept: KeptMail) => boolean): Promise<void>;
}

export interface KeptMail {
  mail: Mail;
  writtenAt: Date;
}

export function createLogMailer(log: Log): Mailer {
  return {
    name: "log",
    async send({ subject, idempotencyKey }) {
      log.info({ mail: { subject, idempotencyKey } }, "mail not sent");
      return null;
    },
  };
}

/** What became of a mail after the mail service accepted it, mildest first. The worst one is stored. */
export const MAIL_EVENT_STATUSES = ["delayed", "delivered", "failed", "bounced", "complained"] as const;
export type MailEventStatus = (typeof MAIL_EVENT_STATUSES)[number];
/** Of a mail that did not arrive. */
export const REFUSED_MAIL_STATUSES = ["failed", "bounced", "complained"] as const satisfies MailEventStatus[];
