import { cron, type Inngest } from "inngest";
import { DAY } from "@/core/time";
import type { MailContext } from "@/features/context";
import { purgeExpired, type Retention } from "./retention.service";

/** Deletes what may no longer be kept, once a day. */
export function createRetentionJobs(inngest: Inngest, ctx: MailContext, retention: Retention) {
  return [
    inngest.createFunction(
      { id: "purge-daily", triggers: [cron("TZ=UTC 0 5 * * *")], retries: 3 },
      async ({ step }) => {
        await step.run("purge", () => purgeExpired(ctx, retention));
        await step.run("purge-outbox", () => forgetOldMails(ctx));
      },
    ),
  ];
}

/** Like the text of a sent mail in the database, a mail in the outbox stays for a day. */
async function forgetOldMails({ mailer, clock }: MailContext): Promise<void> {
  const oldest = clock.now().getTime() - DAY;
  await mailer.forget?.(({ writtenAt }) => writtenAt.getTime() < oldest);
}
