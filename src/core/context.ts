import type { Database } from "@/core/db/client";
import type { LinkSigner } from "@/core/http/signing";
import type { Log } from "@/core/log/log";
import type { Mailer } from "@/core/mail/email";
import type { Clock } from "@/core/time";

/** What every service verb may use. Made once at start, or by a test, and passed down. */
export interface CoreContext {
  db: Database;
  clock: Clock;
  log: Log;
}

/** What verbs that send mail need besides. */
export interface MailContext extends CoreContext {
  mailer: Mailer;
  links: LinkSigner;
  /** Where readers reach the service, without a slash at the end. */
  appUrl: string;
}
