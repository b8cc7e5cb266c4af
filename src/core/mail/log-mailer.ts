import type { Log } from "@/core/log/log";
import type { Mailer } from "@/core/mail/email";

/** The mailer of deployments that must not reach anybody: a line of the log says what would have left. */
export function createLogMailer(log: Log): Mailer {
  return {
    name: "log",
    async send({ subject, idempotencyKey }, requireWanted) {
      requireWanted();
      log.info({ mail: { subject, idempotencyKey } }, "mail withheld");
      return null;
    },
  };
}
