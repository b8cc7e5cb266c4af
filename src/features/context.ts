import type { LinkSigner } from "@/core/http/signing";
import type { Mailer } from "@/core/mail/email";
import type { CoreContext } from "@/db/context";

/** What verbs that send mail need besides. */
export interface MailContext extends CoreContext {
  mailer: Mailer;
  links: LinkSigner;
  appUrl: string;
}
