import type { Log } from "@/core/log/log";
import type { Mailer } from "@/core/mail/email";

/** A mailer that sends nothing and writes a log line for each mail. */
export function createLogMailer(log: Log): Mailer {
  return {
    name: "log",
    async send({ subject, idempotencyKey }) {
      log.info({ mail: { subject, idempotencyKey } }, "mail not sent");
      return null;
    },
  };
}
